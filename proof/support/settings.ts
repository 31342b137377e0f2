import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const numberOf = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

/** The seed of random cases. */
export const SEED = numberOf('PROOF_SEED', 1);
/** How many cases a part tries that has no end of its own. `otherwise`: where the command line does not say. */
export const countOr = (otherwise: number): number => numberOf('PROOF_COUNT', otherwise);
/** How many orders of steps are tried of what races. */
export const CASES = numberOf('PROOF_CASES', 300);
/** The cases of the fault matrix to run, by parts of their names; empty: all. */
export const ONLY = (process.env['PROOF_ONLY'] ?? '').split(',').filter((text) => text !== '');

const LOOK_MS = 250;
/** Resolves once the pause file is gone. */
export async function rested(): Promise<void> {
  const file = process.env['PROOF_REST_WHILE'] ?? '';
  if (file === '') return;
  while (existsSync(file)) await sleep(LOOK_MS);
}
