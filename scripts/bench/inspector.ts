export interface Inspected {
  call<T>(method: string, params?: object): Promise<T>;
  /** What a method returns beside its answer. */
  on(event: string, heard: (params: Record<string, unknown>) => void): void;
  close(): void;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
}

/** The inspector of a Worker's isolate. */
export async function inspect(inspector: URL, worker: string): Promise<Inspected> {
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
  const waiting = new Map<number, (result: unknown) => void>();
  const heard = new Map<string, (params: Record<string, unknown>) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, method = '', params = {}, result } = JSON.parse(String(data)) as Message;
    if (id === undefined) heard.get(method)?.(params);
    else waiting.get(id)?.(result);
  });
  let last = 0;
  return {
    call<T>(method: string, params: object = {}) {
      last += 1;
      const id = last;
      return new Promise<T>((resolve) => {
        waiting.set(id, (result) => {
          waiting.delete(id);
          resolve(result as T);
        });
        socket.send(JSON.stringify({ id, method, params }));
      });
    },
    on: (event, listener) => void heard.set(event, listener),
    close: () => socket.close(),
  };
}
