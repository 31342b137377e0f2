import { fork } from 'node:child_process';
import { once } from 'node:events';
import autocannon from 'autocannon';
import { spread } from './measure.ts';

export interface Load {
  readonly url: string;
  readonly key: string;
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second at most; else as many as are answered. */
  readonly rate?: number;
  /** A status that some of them may get; else each gets 200. */
  readonly refusal?: 401 | 429;
}

export interface LoadResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers with that status. */
  readonly refused: number;
  /** Answers that were neither it nor 200, and connections that broke. */
  readonly failed: number;
}

export interface Loader {
  apply(load: Load): Promise<LoadResult>;
  close(): void;
}

/** An address of one of ten domains of the local test zone: known to the isolate after the first request for each. */
export const emailOf = (n: number, owner: number | string = ''): string =>
  `ada${owner}.lovelace${n}@d${10 + (n % 10)}.bulk.test`;

/** The addresses that are sent, one after the other. */
export const EMAILS: readonly string[] = Array.from({ length: 100 }, (_, n) => emailOf(n));
const BODIES = EMAILS.map((email) => ({ body: JSON.stringify({ email }) }));

/** A load from a process of its own, so that reporting does not delay it. */
export function openLoader(): Loader {
  const child = fork(import.meta.filename);
  return {
    async apply(load) {
      child.send(load);
      const [result] = (await once(child, 'message')) as [LoadResult];
      if (result.failed > 0) throw new Error(`${result.failed} requests to ${load.url} failed`);
      return result;
    },
    close: () => child.disconnect(),
  };
}

async function apply({ url, key, connections, seconds, rate, refusal }: Load): Promise<LoadResult> {
  const times: number[] = [];
  let [failed, refused] = [0, 0];
  const started = performance.now();
  let last = started;
  const run = autocannon({
    url,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    connections,
    duration: seconds,
    requests: BODIES,
    ...(rate !== undefined && { overallRate: rate }),
  });
  void run.on('response', (_, status, _bytes, ms) => {
    last = performance.now();
    times.push(ms);
    if (status === refusal) refused += 1;
    else if (status !== 200) failed += 1;
  });
  const { errors } = await run;
  const sorted = times.sort((a, b) => a - b);
  return {
    requests: times.length,
    requestsPerSecond: (times.length / (last - started)) * 1_000,
    p50Ms: spread(sorted).median,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    refused,
    failed: failed + errors,
  };
}

if (process.argv[1] === import.meta.filename)
  process.on('message', (load: Load) => void apply(load).then((result) => process.send?.(result)));
