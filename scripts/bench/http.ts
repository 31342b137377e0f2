import { type Loader, type LoadResult, openLoader } from './load.ts';
import { type BenchRow, mean, ROUNDS, ratio, takeTurns } from './measure.ts';
import { type BenchRuntime, createOrganisation, withRuntime } from './runtime.ts';

/** A round is that many short turns of each contestant: a neighbour's burst of work then meets all of them. */
const TURNS_A_ROUND = 3;
const TURN_S = 1;
const WARM_UP_S = 3;
const CONNECTIONS = 16;

interface Turn extends LoadResult {
  /** CPU time of workerd a request: the Worker, its object, and what stands in for KV. Hardly moved by neighbours. */
  readonly cpuMs: number;
}

/** The service, and the routes of `worker/bare.ts`. */
type Contestant = 'service' | 'bare';
type Apply = (contestant: Contestant, route: string, connections: number, seconds: number) => Promise<Turn>;

/** The same calls on the service and on the bare routes of the bench Worker, from one load, in turns. */
export const run = (isQuick: boolean): Promise<BenchRow[]> =>
  withRuntime(async (runtime) => {
    const loader = openLoader();
    try {
      return await compareRoutes(runtime, loader, isQuick ? 3 : ROUNDS);
    } finally {
      loader.close();
    }
  });

async function compareRoutes(runtime: BenchRuntime, loader: Loader, rounds: number): Promise<BenchRow[]> {
  const { key, object } = await createOrganisation(runtime);
  let answered = 0;
  const apply: Apply = async (contestant, route, connections, seconds) => {
    const url = `${runtime.urls[contestant]}v1/${route}`;
    const cpuBefore = runtime.cpuMs();
    const result = await loader.apply({ url, key, connections, seconds });
    if (contestant === 'service') {
      answered += result.requests;
      // What the service leaves in its outbox must not run in the other's turn.
      await object.flush(null);
    }
    return { ...result, cpuMs: (runtime.cpuMs() - cpuBefore) / result.requests };
  };
  const rows = [...(await compare('check', apply, rounds)), ...(await compare('verify', apply, rounds))];
  // An answer given without the object is cheap, and not what is compared.
  const { calls } = (await object.usage()).usage;
  if (calls.check + calls.verify < answered) throw new Error('the object missed requests');
  return rows;
}

async function compare(route: string, apply: Apply, rounds: number): Promise<BenchRow[]> {
  const turns = async (connections: number, seconds: number) => {
    const turn = (contestant: Contestant) => () => apply(contestant, route, connections, seconds);
    const results = await takeTurns({ service: turn('service'), bare: turn('bare') }, rounds * TURNS_A_ROUND);
    return (name: string, figure: keyof Turn, unit: string): BenchRow => {
      const byRound = (contestant: Contestant): number[] =>
        Array.from({ length: rounds }, (_, i) =>
          mean(results[contestant].slice(i * TURNS_A_ROUND, (i + 1) * TURNS_A_ROUND).map((result) => result[figure])),
        );
      return ratio(`/v1/${route}: ${name} / bare route`, byRound('service'), byRound('bare'), unit);
    };
  };
  for (const contestant of ['service', 'bare'] as const) await apply(contestant, route, CONNECTIONS, WARM_UP_S);

  const many = await turns(CONNECTIONS, TURN_S);
  const one = await turns(1, TURN_S / 2);
  return [
    { ...many('rate', 'requestsPerSecond', `a second; ${CONNECTIONS} connections`), target: { atLeast: 0.65 } },
    { ...many('CPU', 'cpuMs', 'ms a request'), target: { atMost: 1.6 } },
    { ...many('p99 under load', 'p99Ms', 'ms'), target: { atMost: 1.3 } },
    { ...one('p50 alone', 'p50Ms', 'ms; one connection'), target: { atMost: 1.25 } },
    one('p99 alone', 'p99Ms', 'ms'),
  ];
}
