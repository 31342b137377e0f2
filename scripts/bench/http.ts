import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Load, LoadResult } from './load.ts';
import { createOrganisation } from './organisation.ts';
import { mean, ROUNDS, ratios, spread, takeTurns } from './rounds.ts';
import { type BenchRow, figure as shown } from './row.ts';
import { startRuntime } from './runtime.ts';

/** A round is that many short turns of each contestant: a neighbour's burst of work then meets all of them. */
const TURNS_A_ROUND = 3;
const TURN_S = 1;
const WARM_UP_S = 3;
const CONNECTIONS = 16;

interface Turn extends LoadResult {
  /** CPU time of workerd a request: the Worker, its object, and what stands in for KV. Hardly moved by neighbours. */
  readonly cpuMs: number;
}

/** Of ten domains of the local test zone: their facts are in the isolate's memory after the first request for each. */
const EMAILS = Array.from({ length: 100 }, (_, i) => `ada.lovelace${i}@d${10 + (i % 10)}.bulk.test`);

/** The service, and the routes of `worker/bare.ts`. */
type Contestant = 'service' | 'bare';
type Apply = (contestant: Contestant, route: string, connections: number, seconds: number) => Promise<Turn>;

/** The same calls on the service and on the bare routes of the bench Worker, from one load, in turns. */
export async function run(): Promise<BenchRow[]> {
  const runtime = await startRuntime();
  const loader = fork(join(import.meta.dirname, 'load.ts'));
  try {
    const { key, object } = await createOrganisation(runtime);
    const bodies = EMAILS.map((email) => JSON.stringify({ email }));
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

    let answered = 0;
    const apply: Apply = async (contestant, route, connections, seconds) => {
      const url = `${runtime.urls[contestant]}v1/${route}`;
      const cpuBefore = runtime.cpuMs();
      loader.send({ url, headers, bodies, connections, seconds } satisfies Load);
      const [result] = (await once(loader, 'message')) as [LoadResult];
      if (result.failed > 0) throw new Error(`${result.failed} requests to ${contestant} /v1/${route} failed`);
      if (contestant === 'service') {
        answered += result.requests;
        // What the service leaves in its outbox must not run in the other's turn.
        await object.flush(null);
      }
      return { ...result, cpuMs: (runtime.cpuMs() - cpuBefore) / result.requests };
    };
    const rows = [...(await compare('check', apply)), ...(await compare('verify', apply))];
    // An answer given without the object is cheap, and not what is compared.
    const { calls } = (await object.usage()).usage;
    if (calls.check + calls.verify < answered) throw new Error('the object missed requests');
    return rows;
  } finally {
    loader.disconnect();
    await runtime.stop();
  }
}

async function compare(route: string, apply: Apply): Promise<BenchRow[]> {
  const turns = (connections: number, seconds: number) => {
    const turn = (contestant: Contestant) => () => apply(contestant, route, connections, seconds);
    return takeTurns({ service: turn('service'), bare: turn('bare') }, ROUNDS * TURNS_A_ROUND);
  };
  for (const contestant of ['service', 'bare'] as const) await apply(contestant, route, CONNECTIONS, WARM_UP_S);

  const many = comparison(await turns(CONNECTIONS, TURN_S), `${CONNECTIONS} connections`);
  const one = comparison(await turns(1, TURN_S / 2), 'one connection');
  const row = (name: string, values: Omit<BenchRow, 'name'>): BenchRow => ({
    name: `/v1/${route}: ${name}`,
    ...values,
  });
  return [
    row('rate / bare route', { ...many('requestsPerSecond'), target: { atLeast: 0.65 } }),
    row('CPU / bare route', { ...many('cpuMs'), target: { atMost: 1.6 } }),
    row('p99 under load / bare route', { ...many('p99Ms'), target: { atMost: 1.3 } }),
    row('p50 alone / bare route', { ...one('p50Ms'), target: { atMost: 1.25 } }),
    row('p99 alone / bare route', one('p99Ms')),
  ];
}

const UNITS = { requestsPerSecond: 'a second', cpuMs: 'ms a request', p50Ms: 'ms', p99Ms: 'ms' } as const;

/** The service's figure over the bare route's, a ratio a round. */
const comparison =
  (turns: Readonly<Record<Contestant, readonly Turn[]>>, load: string) =>
  (figure: keyof typeof UNITS): Omit<BenchRow, 'name'> => {
    const rounds = (contestant: Contestant): number[] =>
      Array.from({ length: ROUNDS }, (_, i) =>
        mean(turns[contestant].slice(i * TURNS_A_ROUND, (i + 1) * TURNS_A_ROUND).map((result) => result[figure])),
      );
    const [ours, theirs] = [rounds('service'), rounds('bare')];
    const { median: value, range } = spread(ratios(ours, theirs));
    const medians = [ours, theirs].map((values) => shown(spread(values).median)).join(' / ');
    return { value, unit: '×', range, note: `${medians} ${UNITS[figure]}; ${load}` };
  };
