import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine, wholeNumber } from '../../scripts/command-line.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { inParallel } from '../in-parallel.ts';
import { frontierChart, reliabilityChart } from './charts.ts';
import { figuresOf, type Measured, reaches } from './figures.ts';
import { measureFit } from './fit-cpu.ts';
import { report } from './report.ts';
import { measureRequests } from './request-cpu.ts';
import type { Done, Job } from './worker.ts';

interface Options {
  readonly populations: number;
  readonly addresses: number;
  readonly seed: number;
  readonly out?: string;
  readonly json?: string;
}

const jobsOf = (kind: Job['kind'], seed: number, number: number, size: number): Job[] =>
  Array.from({ length: number }, (_, at) => ({ kind, seed: seed + at, size }));

const everyJob = ({ populations, addresses, seed }: Options): Job[] => [
  ...jobsOf('near', seed, populations, addresses),
  ...jobsOf('far', seed, Math.ceil(populations / 4), addresses),
  // What an interval is about is drawn once a population: as many addresses, in more populations.
  ...jobsOf('counts', seed, populations * 10, Math.ceil(addresses / 10)),
  ...jobsOf('reuse', seed, populations, Math.ceil(addresses / 8)),
];

async function run(options: Options): Promise<void> {
  const results = await inParallel<Job, Done>(join(import.meta.dirname, 'worker.ts'), everyJob(options), 'populations');
  const populationsOf = (kind: Job['kind']) =>
    results.flatMap(({ job, population }) => (job.kind === kind && population !== null ? [population] : []));
  const measured: Measured = {
    near: populationsOf('near'),
    far: populationsOf('far'),
    counts: populationsOf('counts'),
    reuse: results.flatMap(({ reuse }) => (reuse === null ? [] : [reuse])),
    cpu: measureRequests(MODEL, 4_000),
    fitCpu: measureFit(MODEL, 5),
  };
  console.log(report(measured));

  const out = options.out ?? mkdtempSync(join(tmpdir(), 'calibration-'));
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'reliability.svg'), reliabilityChart(measured));
  writeFileSync(join(out, 'frontier.svg'), frontierChart(measured));
  console.log(`\n${join(out, 'reliability.svg')}\n${join(out, 'frontier.svg')}`);

  const figures = figuresOf(measured);
  if (options.json !== undefined) {
    const { populations, addresses, seed } = options;
    writeFileSync(options.json, `${JSON.stringify({ populations, addresses, seed, figures, near: measured.near })}\n`);
  }
  process.exitCode = figures.some((figure) => reaches(figure) === false) ? 1 : 0;
}

/**
 * The belief and the router in simulated populations, beside what else one could do and beside the limit. The same seed gives the
 * same figures, CPU apart. Ends with 1 when a figure misses its target.
 */
export const calibration = commandLine(
  'calibration',
  'Holds the numbers against simulated populations whose truth is known.',
)
  .option('--populations <n>', 'how many', wholeNumber(1), 40)
  .option('--addresses <n>', 'in each', wholeNumber(1), 5_000)
  .option('--seed <n>', 'of all that is drawn', wholeNumber(1), 1)
  .option('--out <folder>', 'where the charts go; a new folder without it')
  .option('--json <file>', 'write the figures there too')
  .action(run);
