const SAMPLE_MS = 5;

interface HeapUsage {
  readonly usedSize: number;
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
  const listed = await fetch(`http://${inspector.host}/json`);
  const targets = (await listed.json()) as readonly { id: string; webSocketDebuggerUrl: string }[];
  const target = targets.find(({ id }) => id.endsWith(worker));
  if (target === undefined)
    throw new Error(`no inspector of ${worker} among ${targets.map(({ id }) => id).join(', ')}`);
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error('no inspector')), { once: true });
  });
  const waiting = new Map<number, (result: HeapUsage) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result: HeapUsage };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  let last = 0;
  const call = (method: string): Promise<HeapUsage> => {
    last += 1;
    const id = last;
    return new Promise((resolve) => {
      waiting.set(id, (result) => {
        waiting.delete(id);
        resolve(result);
      });
      socket.send(JSON.stringify({ id, method }));
    });
  };
  let most = 0;
  let unseenMs = 0;
  let isAsking = false;
  const sample = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    const askedAt = performance.now();
    const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await call('Runtime.getHeapUsage');
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
      socket.close();
    },
  };
}
