import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One row of a case file: a JSON array of `{ input, expected }` and more. */
export interface Case {
  readonly input: string;
  readonly expected: unknown;
  /** A policy choice: no failure either way. */
  readonly contested?: boolean;
  readonly kind?: string;
  /** The list that a row is from. */
  readonly category?: string;
}

/** Reads `NAME.json` of the folder the cases are in. */
export const readCases = (folder: string, name: string): Case[] =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Case[];
