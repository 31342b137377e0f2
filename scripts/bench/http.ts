import { EMAILS, type Loader, type LoadResult, openLoader } from './load.ts';
import { type BenchRow, mean, ROUNDS, ratio, takeTurns } from './measure.ts';
import { type BenchRuntime, createOrganisation, withRuntime } from './runtime.ts';

/** Many short turns of each contestant, so that a burst of other load meets all of them. */
const TURNS_A_ROUND = 3;
const TURN_S = 1;
const WARM_UP_S = 3;
const CONNECTIONS = 16;

interface Turn extends LoadResult {
  /** CPU time of workerd a request: the Worker, its object, and the fake of KV. */
  readonly cpuMs: number;
}

/** The service, and the routes of `worker/bare.ts`. */
type Contestant = 'service' | 'bare';
const TARGETS: Readonly<Record<Case['route'], Readonly<Record<'rate' | 'cpu' | 'p50', number>>>> = {
  check: { rate: 0.56, cpu: 1.92, p50: 1.59 },
  verify: { rate: 0.65, cpu: 1.65, p50: 1.45 },
};
type Apply = (contestant: Contestant, connections: number, seconds: number) => Promise<Turn>;

/** The same calls on the service and on the bare routes, from one load, in turns. */
export const run = (isQuick: boolean): Promise<BenchRow[]> =>
  withRuntime(async (runtime) => {
    const loader = openLoader();
    try {
      return await compareRoutes(runtime, loader, isQuick ? 3 : ROUNDS);
    } finally {
      loader.close();
    }
  });

type Post = (path: string, body: unknown) => Promise<Readonly<Record<string, unknown>>>;

/** Prepares what an organisation knows of the addresses before they are verified. */
const SCENES: Readonly<Record<string, (post: Post) => Promise<unknown>>> = {
  '': async () => undefined,
  ' with history': async (post) => {
    for (const email of EMAILS) {
      const { trace_id } = await post('verify', { email });
      await post('outcome', { trace_id, outcome: 'delivered' });
    }
  },
  ' with a rule': (post) => post('addresses/allowlist', { emails: EMAILS }),
};

/** A route, and what the organisation knows of the addresses. */
export const CASES = [
  { route: 'check', scene: '' },
  { route: 'verify', scene: '' },
  { route: 'verify', scene: ' with history' },
  { route: 'verify', scene: ' with a rule' },
] as const;
type Case = (typeof CASES)[number];

/** An organisation in a scene. */
export async function organisationWith(runtime: BenchRuntime, scene: string) {
  const organisation = await createOrganisation(runtime);
  const headers = { authorization: `Bearer ${organisation.key}`, 'content-type': 'application/json' };
  await SCENES[scene]?.(async (path, body) => {
    const url = `${runtime.urls.service}v1/${path}`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return answer.json();
  });
  return organisation;
}

async function compareRoutes(runtime: BenchRuntime, loader: Loader, rounds: number): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const each of CASES) {
    const { route, scene } = each;
    const { key, object } = await organisationWith(runtime, scene);
    let answered = 0;
    const apply: Apply = async (contestant, connections, seconds) => {
      const url = `${runtime.urls[contestant]}v1/${route}`;
      const cpuBefore = runtime.cpuMs();
      const result = await loader.apply({ url, key, connections, seconds });
      if (contestant === 'service') {
        answered += result.requests;
        // The service's outbox must not run in the other's turn.
        await object.flush(null);
      }
      return { ...result, cpuMs: (runtime.cpuMs() - cpuBefore) / result.requests };
    };
    rows.push(...(await compare(each, apply, rounds)));
    // An answer without the object is cheap, and not what is compared.
    const { calls } = (await object.usage()).usage;
    if (calls.check + calls.verify < answered) throw new Error('the object missed requests');
  }
  return rows;
}

async function compare({ route, scene }: Case, apply: Apply, rounds: number): Promise<BenchRow[]> {
  const turns = async (connections: number, seconds: number) => {
    const turn = (contestant: Contestant) => () => apply(contestant, connections, seconds);
    const results = await takeTurns({ service: turn('service'), bare: turn('bare') }, rounds * TURNS_A_ROUND);
    return (of: string, figure: keyof Turn, unit: string): BenchRow => {
      const byRound = (contestant: Contestant): number[] =>
        Array.from({ length: rounds }, (_, i) =>
          mean(results[contestant].slice(i * TURNS_A_ROUND, (i + 1) * TURNS_A_ROUND).map((result) => result[figure])),
        );
      return ratio(`/v1/${route}${scene}: ${of} / bare route`, byRound('service'), byRound('bare'), unit);
    };
  };
  for (const contestant of ['service', 'bare'] as const) await apply(contestant, CONNECTIONS, WARM_UP_S);

  const target = TARGETS[route];
  const many = await turns(CONNECTIONS, TURN_S);
  const one = await turns(1, TURN_S / 2);
  return [
    { ...many('rate', 'requestsPerSecond', `a second; ${CONNECTIONS} connections`), target: { atLeast: target.rate } },
    { ...many('CPU', 'cpuMs', 'ms a request'), target: { atMost: target.cpu } },
    many('p99 under load', 'p99Ms', 'ms'),
    { ...one('p50 alone', 'p50Ms', 'ms; one connection'), target: { atMost: target.p50 } },
    one('p99 alone', 'p99Ms', 'ms'),
  ];
}
