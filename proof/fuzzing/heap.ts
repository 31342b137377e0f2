import type { Inspected } from '../../scripts/bench/inspector.ts';

/** The live objects of one class. */
interface Held {
  readonly count: number;
  readonly bytes: number;
}

/** The isolate's heap after a garbage collection. */
export interface HeapAtRest {
  readonly bytes: number;
  /** By class: of objects their constructor, of all else V8's own word for its kind. */
  readonly classes: ReadonlyMap<string, Held>;
}

interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: string[]; readonly node_types: [string[], ...unknown[]] };
  };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
}

/** Names of one kind are many: they are counted as one class. */
const OBJECTS = new Set(['object', 'native']);
const NAME_CHARS_MAX = 60;

/** Pure. */
function heapOf({ snapshot: { meta }, nodes, strings }: Snapshot): HeapAtRest {
  const [type, name, size] = ['type', 'name', 'self_size'].map((field) => meta.node_fields.indexOf(field));
  if (type === undefined || name === undefined || size === undefined) throw new Error('a snapshot of another form');
  const classes = new Map<string, Held>();
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += meta.node_fields.length) {
    const kind = meta.node_types[0][nodes[at + type] ?? 0] ?? '';
    const named = OBJECTS.has(kind) ? (strings[nodes[at + name] ?? 0] ?? '') : `(${kind})`;
    const key = named.slice(0, NAME_CHARS_MAX);
    const own = nodes[at + size] ?? 0;
    const { count, bytes: before } = classes.get(key) ?? { count: 0, bytes: 0 };
    classes.set(key, { count: count + 1, bytes: before + own });
    bytes += own;
  }
  return { bytes, classes };
}

/** A snapshot, before which the runtime collects what is no longer held. */
export async function heapAtRest(inspected: Inspected): Promise<HeapAtRest> {
  const chunks: string[] = [];
  inspected.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void chunks.push(String(chunk)));
  await inspected.call('HeapProfiler.collectGarbage');
  await inspected.call('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  return heapOf(JSON.parse(chunks.join('')) as Snapshot);
}

interface Growth {
  readonly name: string;
  readonly before: Held;
  readonly after: Held;
}

/** The classes that grew most, the largest growth first. Pure. */
export function grown(before: HeapAtRest, after: HeapAtRest, most: number): Growth[] {
  const none = { count: 0, bytes: 0 };
  return [...after.classes]
    .map(([name, held]): Growth => ({ name, before: before.classes.get(name) ?? none, after: held }))
    .filter(({ before: was, after: is }) => is.bytes > was.bytes)
    .sort((one, other) => other.after.bytes - other.before.bytes - (one.after.bytes - one.before.bytes))
    .slice(0, most);
}
