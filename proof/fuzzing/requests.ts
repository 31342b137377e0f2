import fc from 'fast-check';
import { EVENTS } from '../../test/support/mail-services.ts';
import type { ApiDocument, Operation } from './document.ts';
import { broken, hostile, rawBodies, valuesOf } from './values.ts';

/** How far a request differs from a valid one. */
export const MODES = ['valid', 'broken value', 'broken body', 'broken place'] as const;
export type Mode = (typeof MODES)[number];

export interface FuzzRequest {
  readonly operation: Operation;
  readonly mode: Mode;
  /** Names a key of the stack; `none` and `forged` are no keys. */
  readonly role: string;
  /** Fills a path's parameter: which of the ids that are known, or a text. */
  readonly params: Readonly<Record<string, { readonly known: number } | { readonly text: string }>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

const ROLES = ['viewer', 'member', 'admin', 'test', 'operator'] as const;
/** The modes that get furthest are the most frequent. */
const roleFor = ({ path }: Operation): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(path.startsWith('/operator/') ? 'operator' : 'admin') },
    { weight: 3, arbitrary: fc.constantFrom(...ROLES) },
    { weight: 1, arbitrary: fc.constantFrom('none', 'forged') },
  );

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
/** A header takes these characters and no others. */
const asHeader = (value: unknown): string =>
  asText(value)
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 2_000);

const CSV_ROWS = [
  'email\nada@business.test\n',
  'Name;Mail\n"a;b";ada@gmail.com\r\n',
  '"unclosed\n',
  '\ufeffemail\n=1+1\n',
  'a,b\n1',
  '\0\n',
  '',
];

/** Webhooks as mail services send them. */
const WEBHOOKS = Object.values(EVENTS).flatMap((events) => Object.values(events).map(({ event }) => event));

function bodyOf(document: ApiDocument, { body, path }: Operation, mode: Mode): fc.Arbitrary<FuzzRequest['body']> {
  if (body === null) return fc.constant(null);
  if (mode === 'broken body') return rawBodies;
  if (body.type === 'text/csv')
    return fc.oneof(fc.constantFrom(...CSV_ROWS), fc.string({ unit: 'binary', maxLength: 300 }));
  const examples = path.startsWith('/integrations/')
    ? fc.constantFrom<unknown>(...WEBHOOKS)
    : fc.constant(body.example ?? {});
  const valid = fc.oneof(valuesOf(document, body.schema), examples);
  const chosen = mode === 'broken value' ? valid.chain(broken) : valid;
  return chosen.map((value) => JSON.stringify(value) ?? '');
}

const HEADERS = [
  'if-match',
  'idempotency-key',
  'content-type',
  'accept',
  'content-encoding',
  'x-http-method-override',
] as const;

/** Requests of one operation, in one mode. */
function requestsOf(document: ApiDocument, operation: Operation, mode: Mode): fc.Arbitrary<FuzzRequest> {
  const isBroken = mode === 'broken place';
  const inPlace = (place: 'path' | 'query') => operation.parameters.filter((each) => each.in === place);
  const known = fc.nat({ max: 1_000_000 }).map((at) => ({ known: at }));
  const text = hostile.map((value) => ({ text: asText(value).slice(0, 300) || 'x' }));
  const params = fc.record(
    Object.fromEntries(inPlace('path').map(({ name }) => [name, isBroken ? fc.oneof(known, text) : known])),
  );
  const pairs = inPlace('query').map(({ name, schema }) =>
    fc.option(
      (isBroken ? fc.oneof(valuesOf(document, schema), hostile) : valuesOf(document, schema)).map(
        (value) => [name, asText(value)] as const,
      ),
    ),
  );
  const twice = isBroken ? fc.boolean() : fc.constant(false);
  const query = fc.tuple(fc.tuple(...pairs), twice).map(([all, isTwice]) => {
    const sent = all.filter((each) => each !== null);
    return isTwice ? [...sent, ...sent] : sent;
  });
  const ordinary = operation.body === null ? {} : { 'content-type': operation.body.type };
  const headers = isBroken
    ? fc.dictionary(fc.constantFrom(...HEADERS), hostile.map(asHeader)).map((odd) => Object.assign({}, ordinary, odd))
    : fc.constant(ordinary);
  return fc.record({
    operation: fc.constant(operation),
    mode: fc.constant(mode),
    role: roleFor(operation),
    params,
    query,
    headers,
    body: bodyOf(document, operation, mode),
  });
}

/** This many requests, evenly over operations and modes, deterministic in the seed. */
export function* requests(document: ApiDocument, count: number, seed: number): Generator<FuzzRequest> {
  const kinds = document.operations.flatMap((operation) => MODES.map((mode) => requestsOf(document, operation, mode)));
  const each = Math.ceil(count / kinds.length);
  const sampled = kinds.map((kind, place) => fc.sample(kind, { numRuns: each, seed: seed + place }));
  for (let run = 0, left = count; run < each; run += 1) {
    for (const kind of sampled) {
      const request = kind[run];
      if (request !== undefined && left > 0) yield request;
      left -= 1;
    }
  }
}
