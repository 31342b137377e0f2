import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll } from 'vitest';

/** Serves an app on a local port until the file's tests end; returns its URL. `after` is called after each request. */
export async function onPort(
  request: (path: string, init: RequestInit) => Promise<Response>,
  after: (path: string) => Promise<void> = async () => undefined,
): Promise<string> {
  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '/' } = incoming;
    const headers = Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    );
    const body = method === 'GET' ? null : (Readable.toWeb(incoming) as unknown as ReadableStream);
    const answer = await request(url, { method, headers, body, duplex: 'half' } as RequestInit);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.flushHeaders();
    try {
      for await (const chunk of answer.body ?? []) response.write(chunk);
      response.end();
    } catch {
      response.destroy();
    }
    await after(url);
  }
  const server = createServer((incoming, response) => void serve(incoming, response));
  return listening(server);
}

/** Opens a server on a local port until the file's tests end; returns its URL. */
export async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
