import { inspect } from './inspector.ts';
import { CASES, organisationWith } from './http.ts';
import { openLoader } from './load.ts';
import type { BenchRow } from './measure.ts';
import { withRuntime } from './runtime.ts';

const CONNECTIONS = 16;
const WARM_UP_S = 3;
const SAMPLE_MICROS = 200;
const SAMPLED_S = 10;
const SHOWN = 45;

/** A sampled call tree, as V8 gives it. Line numbers are those of the bundle. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface Share {
  readonly name: string;
  selfMicros: number;
  totalMicros: number;
}

/** Time of each function, by name and line: its own, and with what it calls. A recursive call counts once. */
function sharesOf({ nodes, samples, timeDeltas }: Profile): Share[] {
  const own = new Map<number, number>();
  samples.forEach((id, i) => own.set(id, (own.get(id) ?? 0) + (timeDeltas[i] ?? 0)));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const shares = new Map<string, Share>();
  const walk = (id: number, open: ReadonlySet<string>): number => {
    const node = byId.get(id);
    if (node === undefined) return 0;
    const { functionName, lineNumber } = node.callFrame;
    const name = `${functionName || '(anonymous)'}:${lineNumber + 1}`;
    const within = new Set(open).add(name);
    const self = own.get(id) ?? 0;
    const total = (node.children ?? []).reduce((sum, child) => sum + walk(child, within), self);
    const share = shares.get(name) ?? { name, selfMicros: 0, totalMicros: 0 };
    shares.set(name, share);
    share.selfMicros += self;
    if (!open.has(name)) share.totalMicros += total;
    return total;
  };
  const root = nodes[0];
  if (root !== undefined) walk(root.id, new Set());
  return [...shares.values()];
}

/** Prints where the isolate's time goes while a route is called: by function, microseconds a request. */
export const run = (isQuick: boolean): Promise<BenchRow[]> =>
  withRuntime(async (runtime) => {
    const isolate = await inspect(await runtime.miniflare.getInspectorURL(), 'service');
    const loader = openLoader();
    try {
      await isolate.call('Profiler.enable');
      await isolate.call('Profiler.setSamplingInterval', { interval: SAMPLE_MICROS });
      for (const { route, scene } of CASES) {
        const { key } = await organisationWith(runtime, scene);
        const load = { url: `${runtime.urls.service}v1/${route}`, key, connections: CONNECTIONS };
        await loader.apply({ ...load, seconds: WARM_UP_S });
        await isolate.call('Profiler.start');
        const { requests } = await loader.apply({ ...load, seconds: isQuick ? 2 : SAMPLED_S });
        const { profile } = await isolate.call<{ profile: Profile }>('Profiler.stop');
        print(sharesOf(profile), requests, `${route}${scene}`);
      }
      return [];
    } finally {
      loader.close();
      isolate.close();
    }
  }, true);

function print(shares: readonly Share[], requests: number, route: string): void {
  const perRequest = (micros: number): string => (micros / requests).toFixed(1).padStart(8);
  const table = (title: string, key: 'selfMicros' | 'totalMicros'): void => {
    console.log(`\n/v1/${route}, ${requests} requests: ${title} (µs a request)`);
    for (const share of shares.toSorted((a, b) => b[key] - a[key]).slice(0, SHOWN))
      console.log(`${perRequest(share.selfMicros)} ${perRequest(share.totalMicros)}  ${share.name}`);
  };
  console.log('     own    with what it calls');
  table('own time', 'selfMicros');
  table('with what it calls', 'totalMicros');
}
