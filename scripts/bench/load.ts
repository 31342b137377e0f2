import autocannon from 'autocannon';
import { spread } from './rounds.ts';

/** A process of its own, so that reporting does not delay the load: one `Load` message, one `LoadResult`. */
export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second at most; else as many as are answered. */
  readonly rate?: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were not 200, and connections that broke. */
  readonly failed: number;
  /** Of these, answers that were 429. */
  readonly refused: number;
}

async function apply({ url, headers, bodies, connections, seconds, rate }: Load): Promise<LoadResult> {
  const times: number[] = [];
  let [failed, refused] = [0, 0];
  const started = performance.now();
  let last = started;
  const run = autocannon({
    url,
    method: 'POST',
    headers,
    connections,
    duration: seconds,
    requests: bodies.map((body) => ({ body })),
    ...(rate !== undefined && { overallRate: rate }),
  });
  void run.on('response', (_, status, _bytes, ms) => {
    last = performance.now();
    times.push(ms);
    if (status !== 200) failed += 1;
    if (status === 429) refused += 1;
  });
  const { errors } = await run;
  const sorted = times.sort((a, b) => a - b);
  return {
    requests: times.length,
    requestsPerSecond: (times.length / (last - started)) * 1_000,
    p50Ms: spread(sorted).median,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    failed: failed + errors,
    refused,
  };
}

process.on('message', (load: Load) => void apply(load).then((result) => process.send?.(result)));
