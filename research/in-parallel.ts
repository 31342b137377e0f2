import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Hands the jobs to as many processes as there are cores, each of which runs `script`; the results in the order of the jobs. */
export async function inParallel<Job, Done>(script: string, jobs: readonly Job[], what: string): Promise<Done[]> {
  const results: Done[] = [];
  let [next, done] = [0, 0];
  const runSome = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = fork(script);
      let at = -1;
      const give = (): void => {
        at = next;
        next += 1;
        const job = jobs[at];
        if (job === undefined) worker.disconnect();
        else worker.send(job as object);
      };
      worker.on('message', (result: Done) => {
        results[at] = result;
        done += 1;
        if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${jobs.length} ${what}`);
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
