import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { SEEDED_MODEL } from '../src/domain/verification/model.ts';
import { frontierChart, reliabilityChart } from './calibration/charts.ts';
import { figuresOf, type Measured, reaches } from './calibration/figures.ts';
import { measureFit } from './calibration/fit-cpu.ts';
import { report } from './calibration/report.ts';
import { measureRequests } from './calibration/request-cpu.ts';
import type { Done, Job } from './calibration/worker.ts';
import { commandLine, wholeNumber } from './command-line.ts';

/**
 * `npm run bench:calibration [-- --worlds N] [--addresses N] [--seed N] [--out DIR] [--json FILE]`: the belief and the router
 * in simulated worlds, beside what else one could do and beside the limit. The same seed gives the same figures, CPU apart.
 * Ends with 1 when a figure misses its target.
 */
const options = commandLine('bench:calibration', 'Holds the numbers against simulated worlds whose truth is known.')
  .option('--worlds <n>', 'how many', wholeNumber(1), 40)
  .option('--addresses <n>', 'in each', wholeNumber(1), 5_000)
  .option('--seed <n>', 'of all that is drawn', wholeNumber(1), 1)
  .option('--out <folder>', 'where the charts go; a new folder without it')
  .option('--json <file>', 'write the figures there too')
  .parse()
  .opts<{ worlds: number; addresses: number; seed: number; out?: string; json?: string }>();

const { worlds, addresses, seed } = options;
const jobsOf = (kind: Job['kind'], number: number, size: number): Job[] =>
  Array.from({ length: number }, (_, at) => ({ kind, seed: seed + at, size }));
const jobs: readonly Job[] = [
  ...jobsOf('near', worlds, addresses),
  ...jobsOf('far', Math.ceil(worlds / 4), addresses),
  // What an interval is about is drawn once a world: as many addresses, in more worlds.
  ...jobsOf('counts', worlds * 10, Math.ceil(addresses / 10)),
  ...jobsOf('reuse', worlds, Math.ceil(addresses / 8)),
];

/** Hands the jobs to as many processes as there are cores; the results in the order of the jobs. */
async function runAll(): Promise<Done[]> {
  const results: Done[] = [];
  let [next, done] = [0, 0];
  const runSome = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = fork(join(import.meta.dirname, 'calibration/worker.ts'));
      let at = -1;
      const give = (): void => {
        at = next;
        next += 1;
        const job = jobs[at];
        if (job === undefined) worker.disconnect();
        else worker.send(job);
      };
      worker.on('message', (result: Done) => {
        results[at] = result;
        done += 1;
        if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${jobs.length} worlds`);
        give();
      });
      worker.on('error', reject);
      worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
      give();
    });
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), jobs.length) }, runSome));
  if (process.stderr.isTTY) process.stderr.write('\n');
  return results;
}

const results = await runAll();
const worldsOf = (kind: Job['kind']) =>
  results.flatMap(({ job, world }) => (job.kind === kind && world !== null ? [world] : []));
const measured: Measured = {
  near: worldsOf('near'),
  far: worldsOf('far'),
  counts: worldsOf('counts'),
  reuse: results.flatMap(({ reuse }) => (reuse === null ? [] : [reuse])),
  cpu: measureRequests(SEEDED_MODEL, 4_000),
  fitCpu: measureFit(SEEDED_MODEL, 5),
};
console.log(report(measured));

const out = options.out ?? mkdtempSync(join(tmpdir(), 'calibration-'));
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'reliability.svg'), reliabilityChart(measured));
writeFileSync(join(out, 'frontier.svg'), frontierChart(measured));
console.log(`\n${join(out, 'reliability.svg')}\n${join(out, 'frontier.svg')}`);

const figures = figuresOf(measured);
if (options.json !== undefined)
  writeFileSync(options.json, `${JSON.stringify({ worlds, addresses, seed, figures, near: measured.near })}\n`);
process.exitCode = figures.some((figure) => reaches(figure) === false) ? 1 : 0;
