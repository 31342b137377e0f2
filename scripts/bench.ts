import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import { type BenchRow, figure, printRows, spread } from './bench/measure.ts';
import { commandLine } from './command-line.ts';

/**
 * `npm run bench [-- --only NAME] [--before REV]`: every figure is a ratio, or is beside its limit; contestants take
 * turns, since absolute times of one machine don't carry over to another.
 */
const PARTS: Readonly<Record<string, () => Promise<{ run: (isQuick: boolean) => Promise<readonly BenchRow[]> }>>> = {
  http: () => import('./bench/http.ts'),
  hot: () => import('./bench/hot.ts'),
  files: () => import('./bench/files.ts'),
  ingest: () => import('./bench/ingest.ts'),
  belief: () => import('./bench/belief.ts'),
  history: () => import('./bench/history.ts'),
  start: () => import('./bench/start.ts'),
  profile: () => import('./bench/profile.ts'),
};

const PROJECT = join(import.meta.dirname, '..');
const BEFORE_ROUNDS = 3;

interface Options {
  only?: string;
  before?: string;
  quick?: true;
  json?: string;
}

/** Another revision's sources, under the scripts of this one. */
function checkOut(revision: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-before-'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: PROJECT, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', git('rev-parse', revision).toString().trim()) });
  rmSync(join(folder, 'scripts'), { recursive: true });
  cpSync(join(PROJECT, 'scripts'), join(folder, 'scripts'), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** One part's rows in a checkout, by a process of its own. */
function runIn(project: string, name: string): readonly BenchRow[] {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rows-'));
  const json = join(folder, 'rows.json');
  try {
    const args = [join(project, 'scripts/bench.ts'), '--only', name, '--quick', '--json', json];
    // Exits with 1 if a target is missed.
    spawnSync(process.execPath, args, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
    return JSON.parse(readFileSync(json, 'utf8'))[name];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a part of both revisions in turns: of each figure both medians, and the ratio of each round. */
function compare(name: string, before: string): void {
  const turns: { readonly before: readonly BenchRow[]; readonly now: readonly BenchRow[] }[] = [];
  for (let round = 0; round < BEFORE_ROUNDS; round += 1) {
    const first = round % 2 === 0 ? runIn(before, name) : null;
    const now = runIn(PROJECT, name);
    turns.push({ before: first ?? runIn(before, name), now });
  }
  console.log(`\n${name.padEnd(60)} ${'before'.padStart(9)} ${'now'.padStart(9)}  now / before`);
  for (const { name: row, unit } of turns[0]?.now ?? []) {
    const of = (rows: readonly BenchRow[]): number => rows.find((each) => each.name === row)?.value ?? Number.NaN;
    const { median, range } = spread(turns.map((turn) => of(turn.now) / of(turn.before)));
    const medians = [turns.map((turn) => of(turn.before)), turns.map((turn) => of(turn.now))].map((values) =>
      figure(spread(values).median).padStart(9),
    );
    const shown = `${figure(median)} (${range.map(figure).join(' … ')})`;
    console.log(`${`${row}, ${unit}`.padEnd(60)} ${medians.join(' ')}  ${shown}`);
  }
}

const options = commandLine('bench', 'Measures the service beside what else one could do.')
  .addOption(new Option('--only <part>', 'one part alone').choices(Object.keys(PARTS)))
  .option('--quick', 'fewer rounds and smaller sizes')
  .option('--before <rev>', 'the same of another revision of git, in turns with this one, quick')
  .option('--json <file>', 'write the figures there too')
  .parse()
  .opts<Options>();
const names = Object.keys(PARTS).filter((name) => (options.only ?? name) === name);

if (options.before === undefined) {
  const results: Record<string, readonly BenchRow[]> = {};
  for (const name of names) {
    const part = await PARTS[name]?.();
    const rows = (await part?.run(options.quick === true)) ?? [];
    results[name] = rows;
    if (rows.length > 0) printRows(name, rows);
  }
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
} else {
  const before = checkOut(options.before);
  try {
    for (const name of names) compare(name, before);
  } finally {
    rmSync(before, { recursive: true });
  }
}
