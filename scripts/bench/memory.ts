import type { HeapUsage } from './heap.ts';
import { type Inspected, inspect } from './inspector.ts';
import { createOrganisation } from './organisation.ts';
import { startRuntime } from './runtime.ts';

const MB = 2 ** 20;
const CONNECTIONS = 8;
const CLASSES_SHOWN = 15;

/** The mixed load: a call and how often it comes in turn. */
const CALLS: readonly {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly times: number;
  body?: (n: number) => object;
}[] = [
  { method: 'POST', path: '/v1/verify', times: 4, body: (n) => ({ email: `person${n}@business.test` }) },
  { method: 'POST', path: '/v1/check', times: 3, body: (n) => ({ email: `person${n}@d${n % 500}.test` }) },
  { method: 'POST', path: '/v1/screen', times: 1, body: (n) => ({ email: `ada${n}@gmail.com`, name: 'Ada Lovelace' }) },
  { method: 'POST', path: '/v1/decide', times: 1, body: (n) => ({ email: `person${n}@business.test` }) },
  { method: 'GET', path: '/v1/usage', times: 1 },
  { method: 'GET', path: '/v1/policies', times: 1 },
];
const TURN = CALLS.flatMap((call) => Array.from({ length: call.times }, () => call));

/** Bytes of the objects of each class in a heap. */
type Classes = ReadonlyMap<string, number>;

interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: string[]; readonly node_types: [string[], ...unknown[]] };
  };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
}

/**
 * As the developer tools group them: objects by their constructor, all else by its kind. V8 collects garbage before it.
 */
async function classesOf(heap: Inspected): Promise<Classes> {
  const chunks: string[] = [];
  heap.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(String(chunk)));
  await heap.call('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  const { snapshot, nodes, strings } = JSON.parse(chunks.join('')) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, name, size] = ['type', 'name', 'self_size'].map((field) => fields.indexOf(field)) as [
    number,
    number,
    number,
  ];
  const classes = new Map<string, number>();
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = types[0][nodes[at + type] ?? 0] ?? '?';
    const label =
      kind === 'object' || kind === 'closure' ? `${kind} ${strings[nodes[at + name] ?? 0] ?? ''}` : `(${kind})`;
    classes.set(label, (classes.get(label) ?? 0) + (nodes[at + size] ?? 0));
  }
  return classes;
}

const mb = (bytes: number): string => (bytes / MB).toFixed(1).padStart(8);

/**
 * Prints the memory of workerd and of the service's isolate while a mixed load goes on, and what of the heap has grown by
 * its end.
 */
export async function run(minutes: number, heapLimitMb: number | null, withClasses: boolean): Promise<void> {
  const runtime = await startRuntime({ inspected: true, heapLimitMb });
  const heap = await inspect(await runtime.miniflare.getInspectorURL(), 'service');
  try {
    const { key } = await createOrganisation(runtime);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    let sent = 0;
    let failed = 0;
    const callOnce = async (): Promise<void> => {
      const n = (sent += 1);
      const { method, path, body } = TURN[n % TURN.length] ?? { method: 'GET', path: '/health' };
      const url = new URL(path, runtime.urls.service);
      const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body(n)) }) });
      await response.arrayBuffer();
      if (!response.ok) failed += 1;
    };
    const loadUntil = (end: number): Promise<void[]> =>
      Promise.all(
        Array.from({ length: CONNECTIONS }, async () => {
          while (Date.now() < end) await callOnce();
        }),
      );
    const show = async (label: string): Promise<void> => {
      const {
        usedSize,
        totalSize,
        embedderHeapUsedSize = 0,
        backingStorageSize = 0,
      } = await heap.call<HeapUsage>('Runtime.getHeapUsage');
      const figures = [runtime.rssBytes(), totalSize, usedSize, embedderHeapUsedSize, backingStorageSize].map(mb);
      console.log(`${label.padEnd(16)} ${String(sent).padStart(9)} ${String(failed).padStart(7)} ${figures.join(' ')}`);
    };
    const collect = async (label: string): Promise<void> => {
      await heap.call('HeapProfiler.collectGarbage');
      await show(label);
    };
    console.log(`${''.padEnd(16)}  requests  failed      RSS     heap     used embedder  buffers   (MB)`);
    const start = Date.now();
    await show('started');
    // By then everything that is made once exists.
    await loadUntil(start + 10_000);
    await collect('warm, collected');
    const before = withClasses ? await classesOf(heap) : new Map<string, number>();
    for (let at = 0.5; at <= minutes; at += 0.5) {
      await loadUntil(start + at * 60_000 + 10_000);
      await show(`${at} min`);
    }
    await collect('collected');
    if (!withClasses) return;
    const after = await classesOf(heap);
    const grown = [...after].map(([label, bytes]) => ({ label, bytes, by: bytes - (before.get(label) ?? 0) }));
    console.log('\nwhat has grown since it was warm (MB)');
    for (const { label, bytes, by } of grown.toSorted((a, b) => b.by - a.by).slice(0, CLASSES_SHOWN)) {
      console.log(`${mb(by)} of ${mb(bytes)}  ${label}`);
    }
  } finally {
    heap.close();
    await runtime.stop();
  }
}
