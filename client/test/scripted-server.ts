import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ErrorCode } from '../../src/contract/error.ts';

/** A request as it arrived. */
export interface Seen {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Answers a request, or doesn't. */
export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

export const json =
  (value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  };

export const refused = (status: number, code: ErrorCode, headers: Readonly<Record<string, string>> = {}): Reply =>
  json({ error: { code, message: `it was ${code}`, trace_id: 'rq_1' } }, status, headers);

export const bytes =
  (body: Uint8Array | string, status = 200, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

export const silence: Reply = () => undefined;

/** Headers and the beginning of a body, then nothing. */
export const silenceInBody: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"email":');
};

export const hangUp: Reply = (response) => {
  response.destroy();
};

/** Ends the connection before the announced length is reached. */
export const cutOff: Reply = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"email":', () => response.destroy());
};

/** The same in a body of chunks, which announces no length. */
export const cutOffChunks: Reply = (response) => {
  response.writeHead(200).write('{"email":', () => response.destroy());
};

/** A body that never ends. */
export const endless: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = ' '.repeat(1 << 20);
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pour);
  pour();
};

/** What no HTTP server says. */
export const noHttp: Reply = (response) => {
  response.socket?.end('\u0000\u0001 not http at all\r\n\r\n');
};

export interface ScriptedServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly seen: readonly Seen[];
}

/** Answers request after request by the script; the last line of it goes on for ever. */
export async function scriptedServer(...script: readonly [Reply, ...Reply[]]): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      seen.push({ method, path, headers, body: Buffer.concat(parts) });
      (script[seen.length - 1] ?? script.at(-1))?.(response, request);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** A port that is closed. */
export async function deadUrl(): Promise<string> {
  await using server = await scriptedServer(silence);
  return server.baseUrl;
}
