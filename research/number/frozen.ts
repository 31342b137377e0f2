import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { EVIDENCE_TABLE } from '../../src/domain/belief/evidence-table.ts';
import { PRIOR_TABLE } from '../../src/domain/belief/prior-table.ts';
import { PROVIDER_TABLE } from '../../src/domain/belief/provider-table.ts';
import { LOSSES } from '../../src/domain/router/losses.ts';
import type { Judge } from './judge.ts';
import type { World } from './world.ts';

/** The last commit of the model before this one: vectors of levels, swept at night. */
export const FROZEN_COMMIT = '1a922dc0';
const ROOT = join(import.meta.dirname, '../..');
const BUNDLE = join(ROOT, `node_modules/.cache/research/${FROZEN_COMMIT}.cjs`);

/** What the bundle exports: the old judge of worlds as its own research ran it, and the tables that it reads. */
const ENTRY = `
export { service } from './research/history/service.ts';
export { SEEDED_MODEL } from './src/domain/verification/model.ts';
export { LOSSES } from './src/domain/verification/losses.ts';
export { prepared } from './src/domain/calibration/row-counts.ts';
export { withListLevel } from './src/domain/calibration/list-level.ts';
export { withAcceptsAllLevel } from './src/domain/calibration/accepts-all-level.ts';
export { withVarianceFactor } from './src/domain/calibration/variance-factor.ts';
`;

interface Frozen {
  service(world: World, fitting: (rows: readonly unknown[], now: number) => object): Judge;
  readonly SEEDED_MODEL: Record<string, unknown> & { history: Record<string, unknown> };
  readonly LOSSES: Record<string, object>;
  prepared(rows: readonly unknown[], now: number): unknown;
  withListLevel(model: object, rows: readonly unknown[], now: number): object;
  withAcceptsAllLevel(model: object, ready: unknown): object;
  withVarianceFactor(model: object, ready: unknown): object;
}

/** The files of the old commit in a folder of their own, for as long as `use` takes. */
export async function withFrozenFiles<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'frozen-'));
  try {
    const archive = execFileSync('git', ['archive', FROZEN_COMMIT, 'src', 'research', 'scripts', 'test/support'], {
      cwd: ROOT,
      maxBuffer: 2 ** 30,
    });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Builds the frozen model from git, once. */
export async function buildFrozen(): Promise<void> {
  if (existsSync(BUNDLE)) return;
  mkdirSync(join(BUNDLE, '..'), { recursive: true });
  await withFrozenFiles((folder) =>
    build({
      stdin: { contents: ENTRY, resolveDir: folder, loader: 'ts' },
      bundle: true,
      format: 'cjs',
      platform: 'node',
      nodePaths: [join(ROOT, 'node_modules')],
      outfile: BUNDLE,
      logLevel: 'error',
    }),
  );
}

/**
 * The frozen model with the figures of today: tables, churn, reports, purposes and losses. What differs is its form. Its nights are
 * what they were: levels swept, and where lists and catch-alls lie worked out.
 */
export function frozenService(): (world: World) => Judge {
  const frozen = createRequire(import.meta.url)(BUNDLE) as Frozen;
  const { SEEDED_MODEL: model } = frozen;
  const { churn, reports, proofs, features, purposes } = EVIDENCE_TABLE;
  const rates = Object.fromEntries(Object.entries(churn).map(([name, { mean }]) => [name, mean]));
  Object.assign(model, { prior: PRIOR_TABLE, providers: PROVIDER_TABLE, centre: PRIOR_TABLE });
  Object.assign(model.history, { churn: rates, reports, proofs, features, purposes });
  for (const [purpose, losses] of Object.entries(LOSSES)) Object.assign(frozen.LOSSES[purpose] ?? {}, losses);
  const nightly = (rows: readonly unknown[], now: number): object => {
    const ready = frozen.prepared(rows, now);
    return frozen.withVarianceFactor(frozen.withAcceptsAllLevel(frozen.withListLevel(model, rows, now), ready), ready);
  };
  return (world) => frozen.service(world, nightly);
}
