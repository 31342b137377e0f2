import { AsyncLocalStorage } from 'node:async_hooks';
import { serialize } from 'node:v8';

/**
 * Platform limits per invocation, per size of one value, or per batch, each with its page below developers.cloudflare.com.
 * Tests run within them: exceeding one throws as the platform does.
 */
export const LIMITS = {
  points: { most: 250, of: 'invocation', page: 'analytics/analytics-engine/limits' },
  subrequests: { most: 10_000, of: 'invocation', page: 'workers/platform/limits' },
  connections: { most: 6, of: 'batch', page: 'workers/platform/limits' },
  kvOperations: { most: 1_000, of: 'invocation', page: 'kv/platform/limits' },
  kvValueBytes: { most: 25 * 2 ** 20, of: 'size', page: 'kv/platform/limits' },
  queueBatchMessages: { most: 100, of: 'batch', page: 'queues/platform/limits' },
  queueBatchBytes: { most: 256_000, of: 'size', page: 'queues/platform/limits' },
  queueMessageBytes: { most: 128_000, of: 'size', page: 'queues/platform/limits' },
  rpcBytes: { most: 32 * 2 ** 20, of: 'size', page: 'workers/runtime-apis/rpc' },
  sqlStatementBytes: { most: 100_000, of: 'size', page: 'durable-objects/platform/limits' },
  sqlParameters: { most: 100, of: 'batch', page: 'durable-objects/platform/limits' },
  sqlValueBytes: { most: 2 * 2 ** 20, of: 'size', page: 'durable-objects/platform/limits' },
} as const;
export type Limit = keyof typeof LIMITS;

class PlatformLimitError extends Error {}

/** The highest use of each limit so far. */
export const mostUsed = new Map<Limit, number>();

interface Invocation {
  readonly used: Map<Limit, number>;
  /** Fetches that await their headers; `waiting`: those beyond the connection limit. */
  open: number;
  readonly waiting: (() => void)[];
}
const current = new AsyncLocalStorage<Invocation>();

/** Runs an invocation of its own; work in `waitUntil` counts towards it. */
export const invocation = <T>(work: () => T): T => current.run({ used: new Map(), open: 0, waiting: [] }, work);

/** Counts a use of a limit, or measures one size. Calls outside an invocation count for none. */
export function use(limit: Limit, amount = 1): void {
  const { most, of } = LIMITS[limit];
  const sums = of === 'invocation' ? current.getStore()?.used : new Map<Limit, number>();
  if (sums === undefined) return;
  const used = (sums.get(limit) ?? 0) + amount;
  sums.set(limit, used);
  mostUsed.set(limit, Math.max(mostUsed.get(limit) ?? 0, used));
  if (used > most) throw new PlatformLimitError(`${limit}: ${used} of ${most}`);
}

const bytesOf = (value: unknown): number => serialize(value).byteLength;

/** A value as RPC copies it. */
export function copied<T>(value: T): T {
  use('rpcBytes', bytesOf(value));
  return structuredClone(value);
}

/** A binding whose calls count as subrequests, plus what `count` adds. */
export function counted<T extends object>(binding: T, count: (...input: never[]) => void = () => undefined): T {
  return new Proxy(binding, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...input: never[]) => {
        use('subrequests');
        count(...input);
        return method.apply(target, input);
      };
    },
  });
}

/** A fetch. Beyond the connection limit it starts once another has its headers. */
export async function connected<T>(fetching: () => Promise<T>): Promise<T> {
  use('subrequests');
  const running = current.getStore();
  if (running === undefined) return fetching();
  if (running.open < LIMITS.connections.most) running.open += 1;
  else await new Promise<void>((resolve) => running.waiting.push(resolve));
  use('connections', running.open);
  try {
    return await fetching();
  } finally {
    const next = running.waiting.shift();
    if (next === undefined) running.open -= 1;
    else next();
  }
}

/** A queue's producer that checks the sizes of messages and batches. */
export const queue = <T extends object>(binding: T): T =>
  counted(binding, (sent: unknown) => {
    const messages = Array.isArray(sent) ? sent.map(({ body }: { body: unknown }) => body) : [sent];
    const sizes = messages.map((body) => Buffer.byteLength(JSON.stringify(body)) + 100);
    use('queueBatchMessages', messages.length);
    use(
      'queueBatchBytes',
      sizes.reduce((sum, size) => sum + size, 0),
    );
    for (const size of sizes) use('queueMessageBytes', size);
  });

/** KV: a read of many keys is one operation. */
export const keyValues = <T extends object>(binding: T): T =>
  counted(binding, (_key: unknown, value: unknown) => {
    use('kvOperations');
    if (typeof value === 'string' || value instanceof Uint8Array) use('kvValueBytes', Buffer.byteLength(value));
  });

/** A statement of a Durable Object's SQLite. */
export function statement(query: string, bindings: readonly unknown[]): void {
  use('sqlStatementBytes', Buffer.byteLength(query));
  use('sqlParameters', bindings.length);
  for (const value of bindings)
    if (typeof value === 'string') use('sqlValueBytes', Buffer.byteLength(value));
    else if (value instanceof ArrayBuffer || value instanceof Uint8Array) use('sqlValueBytes', value.byteLength);
}
