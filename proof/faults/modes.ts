import { setTimeout as sleep } from 'node:timers/promises';

/** A mark in every fault's text, which no answer of the service may show. */
export const WORDS = 'xyzzy-fault';

/** A dependency's misbehaviour. */
export const MODES = {
  down: 'can’t be reached',
  hanging: 'never answers',
  slow: 'answers after 1.2 s',
  erroring: 'answers that it failed',
  garbage: 'answers something else',
  truncated: 'answers half',
  huge: 'answers without end',
  'of another question': 'answers another question, well-formed',
  loses: 'takes what is written, keeps nothing, and finds nothing',
  overloaded: 'turns the call away',
  reset: 'does the work and is gone before the answer',
  evicted: 'is gone once, with its memory, and there again',
  'evicted later': 'the same, between the first call of a request and its second',
  older: 'is of the release before, and lacks the call',
} as const;
export type Mode = keyof typeof MODES;

const SLOW_MS = 1_200;
/** Beyond what any reader takes. */
const HUGE_BYTES = 48 * 2 ** 20;
const CHUNK = new Uint8Array(65_536).fill(0x20);

const HTTP_MODES = [
  'down',
  'hanging',
  'slow',
  'erroring',
  'garbage',
  'truncated',
  'huge',
  'of another question',
] as const;

/** The faults of each kind of dependency. Missing modes have no meaning there. */
export const MODES_OF = {
  http: HTTP_MODES,
  kv: ['down', 'hanging', 'slow', 'garbage', 'truncated', 'huge', 'of another question', 'loses'],
  r2: ['down', 'hanging', 'slow', 'garbage', 'truncated', 'of another question', 'loses'],
  // A queue's answer is empty; its messages have a table of their own.
  queue: ['down', 'hanging', 'slow', 'loses'],
  // The object is this service’s own code, of this release: its answers have the form that is expected.
  object: ['down', 'hanging', 'slow', 'overloaded', 'reset', 'evicted', 'evicted later'],
  ai: ['down', 'hanging', 'slow', 'garbage', 'truncated', 'huge', 'of another question'],
  // Likewise, but for the release before.
  entrypoint: ['down', 'hanging', 'slow', 'reset', 'older'],
} as const satisfies Readonly<Record<string, readonly Mode[]>>;
export type Kind = keyof typeof MODES_OF;

const never = (signal?: AbortSignal | null): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

interface Said {
  readonly question: string;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: ArrayBuffer;
}
/** The last healthy answers, by dependency, to answer other questions with. */
const said = new Map<string, Said[]>();
const KEPT = 20;

const responseOf = ({ status, headers }: Said, body: ArrayBuffer | ReadableStream<Uint8Array>): Response =>
  new Response(status === 204 || status === 304 ? null : body, { status, headers });

/** A healthy exchange; its answer is remembered. */
export async function exchanged(dependency: string, question: string, ask: () => Promise<Response>): Promise<Response> {
  const response = await ask();
  const headers = new Headers(response.headers);
  // The body comes decoded.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
  const answer: Said = { question, status: response.status, headers, bytes: await response.arrayBuffer() };
  said.set(dependency, [answer, ...(said.get(dependency) ?? [])].slice(0, KEPT));
  return responseOf(answer, answer.bytes);
}

function endless(): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= HUGE_BYTES) return controller.close();
      sent += CHUNK.length;
      controller.enqueue(CHUNK);
    },
  });
}

/** A server's response to a request in this mode. */
export async function faultyResponse(
  mode: Mode,
  dependency: string,
  question: string,
  ask: () => Promise<Response>,
  signal?: AbortSignal | null,
): Promise<Response> {
  switch (mode) {
    case 'hanging':
      return never(signal);
    case 'slow':
      await Promise.race([sleep(SLOW_MS), never(signal)]);
      return ask();
    case 'erroring':
      return Response.json({ message: WORDS, error: WORDS, code: 'XX000', severity: 'ERROR' }, { status: 500 });
    case 'garbage':
      return new Response(`<html><h1>${WORDS}</h1></html>`, { headers: { 'content-type': 'text/html' } });
    case 'truncated': {
      const response = await ask();
      const bytes = await response.arrayBuffer();
      return new Response(bytes.slice(0, Math.floor(bytes.byteLength / 2)), {
        status: response.status === 204 ? 200 : response.status,
        headers: { 'content-type': response.headers.get('content-type') ?? '' },
      });
    }
    case 'huge':
      return new Response(endless(), { headers: { 'content-type': 'application/json' } });
    case 'of another question': {
      const other = said.get(dependency)?.find((each) => each.question !== question);
      return other === undefined ? Response.json({}) : responseOf(other, other.bytes);
    }
    case 'down':
    case 'loses':
    case 'overloaded':
    case 'reset':
    case 'evicted':
    case 'evicted later':
    case 'older':
      throw new TypeError('fetch failed', { cause: new Error(`connect ECONNREFUSED ${WORDS}`) });
  }
}

type Call = (...given: unknown[]) => Promise<unknown>;

/** The runtime's words and flags. */
const runtimeError = (words: string, flags: object = {}): Error => Object.assign(new Error(`${words} ${WORDS}`), flags);

const halfOf = (text: string): string => text.slice(0, Math.floor(text.length / 2));

/** KV's response to a call. `others`: its values under other names. */
export async function faultyKv(mode: Mode, method: string, given: unknown[], call: Call, others: () => unknown) {
  if (mode === 'down') throw runtimeError(`KV ${method.toUpperCase()} failed: 503 Service Unavailable`);
  if (mode === 'hanging') return never();
  if (mode === 'slow') await sleep(SLOW_MS);
  if (mode === 'loses') return method === 'get' ? null : undefined;
  if (method !== 'get') return call(...given);
  const found = await call(...given);
  if (mode === 'garbage') return typeof found === 'object' && found !== null ? found : `<html>${WORDS}`;
  if (mode === 'truncated') return typeof found === 'string' ? halfOf(found) : found;
  if (mode === 'huge') return ' '.repeat(25 * 2 ** 20);
  if (mode === 'of another question') return typeof given[1] === 'string' ? found : (others() ?? '{}');
  return found;
}

interface Stored {
  readonly size: number;
  readonly body: ReadableStream<Uint8Array>;
  arrayBuffer(): Promise<ArrayBuffer>;
}
const storedOf = (bytes: Uint8Array<ArrayBuffer>): Stored => ({
  size: bytes.length,
  body: new Blob([bytes]).stream(),
  arrayBuffer: async () => bytes.slice().buffer,
});

/** R2's response to a call. */
export async function faultyBucket(mode: Mode, method: string, given: unknown[], call: Call): Promise<unknown> {
  if (mode === 'down')
    throw new Error(`${method}: ${WORDS}: We encountered an internal error. Please try again. (10001)`);
  if (mode === 'hanging') return never();
  if (mode === 'slow') await sleep(SLOW_MS);
  if (mode === 'loses' && method === 'get') return null;
  if (mode === 'loses' && method === 'list') return { objects: [], delimitedPrefixes: [], truncated: false };
  if (mode === 'loses' && method !== 'createMultipartUpload') return undefined;
  const answer = await call(...given);
  if (method !== 'get' || answer === null) return answer;
  const found = new Uint8Array(await (answer as Stored).arrayBuffer());
  if (mode === 'garbage')
    return storedOf(
      new Uint8Array(new TextEncoder().encode(`<html>${WORDS}`.padEnd(found.length).slice(0, found.length))),
    );
  if (mode === 'truncated') return storedOf(found.slice(0, Math.floor(found.length / 2)));
  // What another object has at these bytes.
  if (mode === 'of another question') return storedOf(found.slice().reverse());
  return storedOf(found);
}

/** A queue's treatment of a message. */
export async function faultyQueue(mode: Mode, given: unknown[], call: Call): Promise<unknown> {
  if (mode === 'down') throw runtimeError('Queue sendBatch failed: Internal Server Error');
  if (mode === 'hanging') return never();
  if (mode === 'loses') return undefined;
  if (mode === 'slow') await sleep(SLOW_MS);
  return call(...given);
}

/** The runtime's treatment of a call to an object. `nth`: the call's number within the case, from 1. */
export async function faultyObject(mode: Mode, nth: number, call: () => Promise<unknown>, evict: () => void) {
  if (mode === 'down') throw runtimeError('Network connection lost.');
  if (mode === 'hanging') return never();
  if (mode === 'overloaded')
    throw runtimeError('Durable Object is overloaded. Too many requests queued.', { overloaded: true });
  if (mode === 'slow') await sleep(SLOW_MS);
  if (mode === 'reset') {
    await call();
    throw runtimeError('Durable Object reset because its code was updated.', { retryable: true });
  }
  if ((mode === 'evicted' && nth === 1) || (mode === 'evicted later' && nth === 2)) {
    evict();
    throw runtimeError('The Durable Object’s connection was closed by its eviction.', { retryable: true });
  }
  return call();
}

/** Workers AI's response to a question. */
export async function faultyAi(mode: Mode, answer: { readonly response: object }, signal: AbortSignal) {
  if (mode === 'down') throw runtimeError('InferenceUpstreamError: 3040: Capacity temporarily exceeded');
  if (mode === 'hanging') return never(signal);
  if (mode === 'slow') await sleep(SLOW_MS);
  if (mode === 'garbage') return { text: WORDS };
  if (mode === 'truncated') return { response: halfOf(JSON.stringify(answer.response)) };
  if (mode === 'huge') return { response: ' '.repeat(2 ** 20) };
  if (mode === 'of another question') return { response: { sentiment: 'positive' } };
  return answer;
}

/** A service binding's response to a call. */
export async function faultyEntrypoint(mode: Mode, name: string, call: () => Promise<unknown>): Promise<unknown> {
  if (mode === 'down') throw runtimeError('Network connection lost.');
  if (mode === 'hanging') return never();
  if (mode === 'older') throw new TypeError(`The RPC receiver does not implement the method "${name}".`);
  if (mode === 'slow') await sleep(SLOW_MS);
  const answer = await call();
  if (mode === 'reset') throw runtimeError('Network connection lost.');
  return answer;
}
