import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, wholeNumber } from '../../scripts/command-line.ts';
import { inParallel } from '../in-parallel.ts';
import { cases } from './cases.ts';
import { cpu } from './cpu.ts';
import { type Figure, figuresOf, HEADS, reaches, rowsOf } from './figures.ts';
import { buildFrozen, FROZEN_COMMIT, withFrozenFiles } from './frozen.ts';
import { KIND_NAMES, KINDS } from './kinds.ts';
import { published } from './published.ts';
import type { WorldScores } from './score.ts';
import { ENTRIES, sizeOf } from './size.ts';
import type { Job } from './worker.ts';

interface Options {
  readonly worlds: number;
  readonly seed: number;
  readonly only?: string;
  readonly json?: string;
}

const ROOT = join(import.meta.dirname, '../..');
/** A group's worlds, by how many of the near ones are asked for. */
const jobsOf = ({ worlds, seed, only }: Options): Job[] =>
  KIND_NAMES.filter((kind) => only === undefined || only.split(';').includes(kind)).flatMap((kind) =>
    Array.from({ length: worlds * KINDS[kind].times }, (_, at) => ({ kind, seed: seed + at })),
  );

function print(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)));
  for (const row of [heads, ...rows])
    console.log(
      row
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  console.log('');
}

const bound = ({ atLeast, atMost }: Figure): string =>
  atMost !== undefined ? `≤ ${atMost}` : atLeast !== undefined ? `≥ ${atLeast}` : '';
const held = (figure: Figure): string => ({ true: 'ok', false: 'MISSED', null: '' })[`${reaches(figure)}`];

const UNSHOWN = `What no simulation shows: how often real mailboxes die, what real vendors say of them and how real lists are made. The figures of the
tables are published ones, from interested parties and of lists unlike the one at hand; every world is drawn around them, the new ones
by other forms but not by other people. Vendors that share an engine are not known. Messages of real servers are classified by tests of
their own; no corpus has a number that was given before the bounce. Whether costs of mistakes are yours, nobody but you can say.`;

async function run(options: Options): Promise<void> {
  const jobs = jobsOf(options);
  if (jobs.length === 0) throw new Error(`no such kind of world; there are ${KIND_NAMES.join('; ')}`);
  const table = cases();
  console.log('Everyday cases, in process\n');
  print(
    ['situation', 'required', 'found', 'ok'],
    table.map(({ situation, required, found, ok }) => [situation, required, found, ok ? 'ok' : 'MISSED']),
  );

  const costs = cpu();
  await buildFrozen();
  const worlds = await inParallel<Job, WorldScores>(join(import.meta.dirname, 'worker.ts'), jobs, 'worlds');
  console.log(`Worlds, from seed ${options.seed}; the old model is that of ${FROZEN_COMMIT} with today’s figures and costs. A mark: the target is missed.
Loss: cross-entropy over the exact posterior’s. Cost: money spent and lost over the old model’s, each on its own router. Error: bins of the
number against the exact probability, or what became of it. Cover: of the 90 % interval, by bins where no exact probability can be had.\n`);
  print(HEADS, rowsOf(worlds));

  const old = await withFrozenFiles(async (folder) => sizeOf(folder, ENTRIES.frozen));
  const now = sizeOf(ROOT, ENTRIES.model);
  const figures: Figure[] = [
    ...figuresOf(worlds),
    ...costs.map(({ what, micros, atMost }) => ({ name: `CPU µs: ${what}`, value: micros, atMost, digits: 1 })),
    {
      name: `lines that assess, learn, recompute and route, in ${now.files} files`,
      value: now.lines,
      atMost: 4_450,
      digits: 0,
    },
    { name: `the same before, in ${old.files} files`, value: old.lines, digits: 0 },
  ];
  print(
    ['figure', 'value', 'target', ''],
    figures.map((figure) => [figure.name, figure.value.toFixed(figure.digits ?? 3), bound(figure), held(figure)]),
  );

  const aggregates = published();
  console.log('Published figures\n');
  print(
    ['what', 'published', 'ours', 'ratio', 'source'],
    aggregates.map(({ what, source, published: theirs, ours }) => [
      what,
      theirs.toFixed(3),
      ours.toFixed(3),
      (ours / theirs).toFixed(2),
      source,
    ]),
  );
  console.log(UNSHOWN);
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ table, worlds, figures, aggregates })}\n`);
  const isMissed = table.some(({ ok }) => !ok) || figures.some((figure) => reaches(figure) === false);
  process.exitCode = isMissed ? 1 : 0;
}

/** Judges the number by everyday cases, simulated accounts beside the former model, and published figures. Deterministic in the seed. */
export const number = commandLine('number', 'Judges the number: everyday cases, simulated worlds, published figures.')
  .option(
    '--worlds <n>',
    'how many worlds of each kind; three near ones and four orders of a file count as one',
    wholeNumber(1),
    1,
  )
  .option('--seed <n>', 'of all that is drawn', wholeNumber(1), 1)
  .option('--only <kinds>', 'these kinds of worlds alone, with semicolons between')
  .option('--json <file>', 'write everything there too')
  .action(run);
