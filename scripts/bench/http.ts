import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Load, LoadResult } from './load.ts';
import { createOrganisation } from './organisation.ts';
import { mean, ROUNDS, ratios, spread, takeTurns } from './rounds.ts';
import type { BenchRow } from './row.ts';
import { startRuntime } from './runtime.ts';
import { FACT } from './worker/answers.ts';
import type { BareRequest } from './worker/index.ts';

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

/** `floor` is the bare route without its KV read: with warm facts the service reads none either. */
type Contestant = 'service' | 'bare' | 'floor';
type Apply = (contestant: Contestant, route: string, connections: number, seconds: number) => Promise<Turn>;

/** The same calls on the service and on the bare routes of the bench Worker, from one load, in turns. */
export async function run(): Promise<BenchRow[]> {
  const runtime = await startRuntime();
  const loader = fork(join(import.meta.dirname, 'load.ts'));
  try {
    const facts = await runtime.miniflare.getKVNamespace('FACTS', 'bare');
    await facts.put(FACT.key, FACT.value);
    const organisations = {
      service: await createOrganisation(runtime, 'service'),
      bare: await createOrganisation(runtime, 'bare'),
    };
    const { id: organisation, keyHash } = organisations.bare;
    const bareBody = (readsKv: boolean) => [JSON.stringify({ organisation, keyHash, readsKv } satisfies BareRequest)];
    const bodies: Record<Contestant, readonly string[]> = {
      service: EMAILS.map((email) => JSON.stringify({ email })),
      bare: bareBody(true),
      floor: bareBody(false),
    };
    const headers = { authorization: `Bearer ${organisations.service.key}`, 'content-type': 'application/json' };

    const apply: Apply = async (contestant, route, connections, seconds) => {
      const worker = contestant === 'service' ? 'service' : 'bare';
      const url = `${runtime.urls[worker]}v1/${route}`;
      const cpuBefore = runtime.cpuMs();
      loader.send({ url, headers, bodies: bodies[contestant], connections, seconds } satisfies Load);
      const [result] = (await once(loader, 'message')) as [LoadResult];
      if (result.failed > 0) throw new Error(`${result.failed} requests to ${contestant} /v1/${route} failed`);
      // What one side leaves in its outbox must not run in the other's turn.
      await organisations[worker].object.flush(null);
      return { ...result, cpuMs: (runtime.cpuMs() - cpuBefore) / result.requests };
    };
    return [...(await compare('check', apply)), ...(await compare('verify', apply))];
  } finally {
    loader.disconnect();
    await runtime.stop();
  }
}

async function compare(route: string, apply: Apply): Promise<BenchRow[]> {
  const turns = (connections: number, seconds: number) => {
    const turn = (contestant: Contestant) => () => apply(contestant, route, connections, seconds);
    return takeTurns({ service: turn('service'), bare: turn('bare'), floor: turn('floor') }, ROUNDS * TURNS_A_ROUND);
  };
  for (const contestant of ['service', 'bare', 'floor'] as const)
    await apply(contestant, route, CONNECTIONS, WARM_UP_S);

  const rate = comparison(await turns(CONNECTIONS, TURN_S), `${CONNECTIONS} connections`);
  const wait = comparison(await turns(1, TURN_S / 2), 'one connection');
  return [
    { name: `/v1/${route}: rate / bare route`, ...rate('requestsPerSecond', 'bare'), target: { atLeast: 0.7 } },
    { name: `/v1/${route}: rate / bare route without KV`, ...rate('requestsPerSecond', 'floor') },
    { name: `/v1/${route}: CPU / bare route`, ...rate('cpuMs', 'bare') },
    { name: `/v1/${route}: CPU / bare route without KV`, ...rate('cpuMs', 'floor') },
    { name: `/v1/${route}: p99 / bare route`, ...rate('p99Ms', 'bare') },
    { name: `/v1/${route}: p50 / bare route`, ...wait('p50Ms', 'bare'), target: { atMost: 1.5 } },
    { name: `/v1/${route}: p99 / bare route`, ...wait('p99Ms', 'bare') },
  ];
}

const UNITS = { requestsPerSecond: 'a second', cpuMs: 'ms a request', p50Ms: 'ms', p99Ms: 'ms' } as const;

/** The service's figure over the other's, a ratio a round. */
const comparison =
  (turns: Readonly<Record<Contestant, readonly Turn[]>>, load: string) =>
  (figure: keyof typeof UNITS, other: Contestant): Omit<BenchRow, 'name'> => {
    const rounds = (contestant: Contestant): number[] =>
      Array.from({ length: ROUNDS }, (_, i) =>
        mean(turns[contestant].slice(i * TURNS_A_ROUND, (i + 1) * TURNS_A_ROUND).map((result) => result[figure])),
      );
    const [ours, theirs] = [rounds('service'), rounds(other)];
    const { median: value, range } = spread(ratios(ours, theirs));
    const medians = [ours, theirs].map((values) => spread(values).median.toPrecision(3)).join(' / ');
    return { value, unit: '×', range, note: `${medians} ${UNITS[figure]}; ${load}` };
  };
