import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/stack/free-port.ts';
import type { Exchange } from './recorded-exchanges.ts';

/** What Prism says about one exchange. */
export interface Violation {
  readonly location: readonly string[];
  readonly message: string;
}

export interface Prism {
  /** Sends the exchange's request through the proxy, whose upstream gives the exchange's answer. */
  violations(exchange: Exchange): Promise<Violation[]>;
  stop(): Promise<void>;
}

/** Headers of the connection, not of the exchange. */
const OF_CONNECTION = new Set(['content-length', 'transfer-encoding', 'connection', 'host']);
const kept = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));

const NUMBER = 'x-exchange';
const ANSWER_LIMIT_MS = 10_000;
/** Prism reports violations in a response header, which may be long. */
const HEADER_BYTES = 1_048_576;
const HEADER_LIMIT = `--max-http-header-size=${HEADER_BYTES}`;

/**
 * Whether Prism can judge the exchange. It never answers a body that isn't the JSON it claims to be, crashes on a path that isn't
 * UTF-8, rewrites forms, and takes an empty file for none.
 */
export function isReadable({ path, headers, body }: Exchange): boolean {
  const type = headers['content-type'] ?? '';
  try {
    decodeURI(path);
    if (body !== null && type.includes('json')) JSON.parse(body);
  } catch {
    return false;
  }
  return !type.includes('urlencoded') && !(type === 'text/csv' && (body ?? '') === '');
}

/** Prism's validating proxy before a server that repeats recorded answers. `program`: its command line. */
export async function startPrism(program: string, document: string): Promise<Prism> {
  const waiting = new Map<string, Exchange>();
  const upstream = createServer({ maxHeaderSize: HEADER_BYTES }, (request, response) => {
    const exchange = waiting.get(String(request.headers[NUMBER]));
    request.resume();
    // A connection's leftovers must not reach the next request.
    response.shouldKeepAlive = false;
    response.writeHead(exchange?.status ?? 500, kept(exchange?.answerHeaders ?? {})).end(exchange?.answer);
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const port = await freePort();
  const words = ['proxy', document, upstreamUrl, '--errors', 'false', '--host', '127.0.0.1', '--port', String(port)];
  const proxy = spawn(process.execPath, [HEADER_LIMIT, program, ...words, '--verboseLevel', 'silent'], {
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  await listening(proxy, url);
  let sent = 0;

  return {
    async violations(exchange) {
      const number = String((sent += 1));
      waiting.set(number, exchange);
      const response = await fetch(`${url}${exchange.path}`, {
        method: exchange.method,
        headers: { ...kept(exchange.headers), [NUMBER]: number },
        body: exchange.body,
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      });
      await response.body?.cancel();
      waiting.delete(number);
      const said = response.headers.get('sl-violations') ?? '[]';
      // With too many violations, Prism reports only that.
      return said.startsWith('[') ? (JSON.parse(said) as Violation[]) : [{ location: ['response'], message: said }];
    },
    async stop() {
      proxy.kill();
      upstream.closeAllConnections();
      upstream.close();
      if (proxy.exitCode === null && proxy.signalCode === null) await once(proxy, 'exit');
    },
  };
}

async function listening(proxy: ChildProcess, url: string): Promise<void> {
  while (proxy.exitCode === null) {
    const answers = await fetch(url).then(
      (response) => response.body?.cancel().then(() => true) ?? true,
      () => false,
    );
    if (answers) return;
    await sleep(200);
  }
  throw new Error('Prism ended before it listened.');
}
