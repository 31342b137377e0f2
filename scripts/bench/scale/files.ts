import { openJobs } from '../jobs.ts';
import type { Curve } from './curve.ts';

const ROWS = 200;

/** Each file has addresses of its own, at ten domains of the local test zone. */
const file = (number: number): string =>
  [
    'email',
    ...Array.from({ length: ROWS }, (_, row) => `ada${number}.lovelace${row}@d${10 + (row % 10)}.bulk.test`),
    '',
  ].join('\n');

export const files: Curve = {
  by: 'files that wait',
  sizes: [1, 3, 10, 30, 100],
  quick: [1, 5, 20],
  needsPostgres: false,
  costs: [
    { name: 'a row of a file', why: 'an organisation may start a hundred files at once', unit: 'ms CPU', atMost: 0.2 },
  ],
  async measure({ runtime }, size) {
    const jobs = await openJobs(runtime);
    // What is known of the domains is warm after it.
    await jobs.done(await jobs.start(file(-1)));
    const before = runtime.cpuMs();
    const started = await Promise.all(Array.from({ length: size }, (_, number) => jobs.start(file(number))));
    for (const id of started) await jobs.done(id);
    return [(runtime.cpuMs() - before) / (size * ROWS)];
  },
};
