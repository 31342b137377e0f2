import { inspect } from './inspector.ts';

const SAMPLE_MS = 5;

export interface HeapUsage {
  readonly usedSize: number;
  readonly totalSize: number;
  readonly embedderHeapUsedSize?: number;
  readonly backingStorageSize?: number;
}

export interface WatchedHeap {
  restart(): void;
  /** The most that was seen since the last `restart`, in bytes. */
  most(): number;
  /** The longest that nothing was seen in the same time, in milliseconds: an isolate answers between its turns. */
  unseenMs(): number;
  stop(): void;
}

/**
 * Watches the memory of a Worker's isolate through its inspector: JS heap, what the embedder keeps on it, and the bytes of
 * its buffers, every 5 ms.
 */
export async function watchHeap(inspector: URL, worker: string): Promise<WatchedHeap> {
  const inspected = await inspect(inspector, worker);
  let most = 0;
  let unseenMs = 0;
  let isAsking = false;
  const sample = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    const askedAt = performance.now();
    const {
      usedSize,
      embedderHeapUsedSize = 0,
      backingStorageSize = 0,
    } = await inspected.call<HeapUsage>('Runtime.getHeapUsage');
    isAsking = false;
    unseenMs = Math.max(unseenMs, performance.now() - askedAt);
    most = Math.max(most, usedSize + embedderHeapUsedSize + backingStorageSize);
  };
  const timer = setInterval(() => void sample(), SAMPLE_MS);
  return {
    restart() {
      most = 0;
      unseenMs = 0;
    },
    most: () => most,
    unseenMs: () => unseenMs,
    stop() {
      clearInterval(timer);
      inspected.close();
    },
  };
}
