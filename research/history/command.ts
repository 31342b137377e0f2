import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, wholeNumber } from '../../scripts/command-line.ts';
import { reaches } from '../calibration/figures.ts';
import { inParallel } from '../in-parallel.ts';
import { figuresOf, rowsOf } from './figures.ts';
import { KIND_NAMES, KINDS } from './kinds.ts';
import type { WorldScores } from './score.ts';
import type { Job } from './worker.ts';

interface Options {
  readonly worlds: number;
  readonly departures: number;
  readonly seed: number;
  readonly only?: string;
  readonly json?: string;
}

const jobsOf = ({ worlds, departures, seed, only }: Options): Job[] =>
  KIND_NAMES.filter((kind) => only === undefined || only.split(',').includes(kind)).flatMap((kind) =>
    Array.from({ length: KINDS[kind].group === 'near' ? worlds : departures }, (_, at) => ({ kind, seed: seed + at })),
  );

const padded = (texts: readonly string[], widths: readonly number[]): string =>
  texts.map((text, at) => (at < 2 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0))).join('  ');

function printTable(rows: readonly object[]): void {
  const heads = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => Object.values(row).map(String));
  const widths = heads.map((head, at) => Math.max(head.length, ...lines.map((line) => line[at]?.length ?? 0)));
  for (const line of [heads, ...lines]) console.log(padded(line, widths));
}

async function run(options: Options): Promise<void> {
  const jobs = jobsOf(options);
  if (jobs.length === 0) throw new Error(`no such kind of world; there are ${KIND_NAMES.join(', ')}`);
  const worlds = await inParallel<Job, WorldScores>(join(import.meta.dirname, 'worker.ts'), jobs, 'worlds');
  console.log(`Simulated accounts over 180 days, ${options.worlds} near worlds and ${options.departures} of each other kind, from seed ${options.seed}.
Loss: cross-entropy over the exact posterior’s, before and after asking. Mean / worst world.\n`);
  printTable(rowsOf(worlds));
  const figures = figuresOf(worlds);
  console.log('');
  for (const figure of figures) {
    const { name, value, atLeast, atMost, note } = figure;
    const bounds = [atLeast === undefined ? '' : `≥ ${atLeast}`, atMost === undefined ? '' : `≤ ${atMost}`]
      .join(' ')
      .trim();
    const held = { true: 'ok', false: 'MISSED', null: '' }[`${reaches(figure)}`];
    console.log(
      `${name.padEnd(74)} ${value.toFixed(4).padStart(9)}  ${bounds.padEnd(10)} ${held}${note === undefined ? '' : `  (${note})`}`,
    );
  }
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ figures, worlds })}\n`);
  process.exitCode = figures.some((figure) => reaches(figure) === false) ? 1 : 0;
}

/**
 * What all that an account knows is worth: simulated accounts whose addresses come back, churn, share lists and domains, bounce and
 * are reported. The exact posterior stands beside. The same seed gives the same figures.
 */
export const history = commandLine('history', 'Holds the numbers against simulated accounts with a past.')
  .option('--worlds <n>', 'how many worlds near the table', wholeNumber(1), 4)
  .option('--departures <n>', 'how many of each other kind', wholeNumber(1), 2)
  .option('--seed <n>', 'of all that is drawn', wholeNumber(1), 1)
  .option('--only <kinds>', 'these kinds of worlds alone, with commas between')
  .option('--json <file>', 'write the figures there too')
  .action(run);
