import type { RouteDeclaration } from '../contract/route.ts';
import type { Role } from '../domain/access/key-format.ts';
import type { PersonClaims } from '../domain/access/member-records.ts';
import type { PolicyChange } from '../domain/policy/policy-records.ts';
import { DomainError } from '../kernel/errors.ts';
import { type IdPrefix, newId } from '../kernel/ids.ts';
import type { SignedBody } from '../kernel/signed-body.ts';
import type { ServiceDeps } from './deps.ts';
import type { StreamedBody } from './files.ts';
import { type RawInput, type ReadInput, readInput } from './input.ts';
import { BAD_KEY, type KeyCaller, type ObjectExchange, openExchange } from './object-exchange.ts';
import type { AnyOpenVerb, AnyVerb } from './verb.ts';

/** A JSON body as a door has read it. Its fault is a value: key and role are checked before it is refused. */
export interface ReadBody {
  readonly text: string;
  readonly value: unknown;
  readonly fault: DomainError | null;
}

/** A request as its door hands it over. */
export interface Incoming {
  /** What the caller sent as its key, or as the bootstrap token. */
  readonly key: string;
  /** Who asks at the dashboard's door, without a key. */
  readonly person?: PersonClaims;
  readonly idempotencyKey: string | undefined;
  readonly params: unknown;
  readonly query: unknown;
  /** Reads the body of a route that declares one; of an upload only what is wrong before its first byte. */
  readBody(): Promise<ReadBody>;
  readonly signed?: () => Promise<SignedBody>;
  readonly upload?: () => StreamedBody;
  /** `If-Match`, where the route is `versioned`. */
  readonly expected: PolicyChange['expected'];
  readonly defer: (work: Promise<unknown>) => void;
  /**
   * Called once the key's form and MAC are right: the door needs the exchange for headers, for the log and to take a charge
   * back.
   */
  opened(exchange: ObjectExchange): void;
}

/** Visible ASCII. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

const TRACE_PREFIX: Record<NonNullable<RouteDeclaration['meter']> | 'none', IdPrefix> = {
  verify: 'vr',
  check: 'ck',
  screen: 'sc',
  decide: 'dc',
  none: 'rq',
};

/** How a door has a verb's input sent, where that is not as the verb's route declares it. Role and meter stay the verb's. */
export interface Form {
  /** Reads the input. */
  readonly sentAs: RouteDeclaration;
  /** Makes what was read into the input of the verb's route. */
  readonly toInput: (read: RawInput) => RawInput;
}

/** A request whose key has the right form and MAC, and whose input is read. */
export interface Opened {
  readonly input: ReadInput;
  /** Authorises the request and runs its verb. */
  readonly run: () => Promise<unknown>;
}

/**
 * Reads the key and all that came with it. A faulty request is refused once its key and role are checked (401, 403), and
 * charges nothing. `name`: what an `Idempotency-Key` is kept with, the route's name in the contract.
 */
export async function open(
  deps: ServiceDeps,
  name: string,
  verb: AnyVerb,
  incoming: Incoming,
  { sentAs, toInput }: Form = { sentAs: verb.route, toInput: (read) => read },
): Promise<Opened> {
  const { route } = verb;
  const { person } = incoming;
  const caller: KeyCaller | PersonClaims | null = person ?? deps.readKey(incoming.key);
  if (caller === null) throw new DomainError('unauthorized', BAD_KEY);
  const startedAt = deps.now();
  const body = await incoming.readBody();
  const isOperator = route.access === 'operator';
  // What is kept under it is hashed with the key, and a person has none.
  const idempotencyKey = route.idempotent === true && person === undefined ? incoming.idempotencyKey : undefined;
  const exchange = openExchange(deps, {
    caller,
    traceId: newId(TRACE_PREFIX[route.meter ?? 'none'], startedAt),
    startedAt,
    needs: {
      role: isOperator ? 'admin' : (route.access as Role),
      operator: isOperator,
      rate: route.rate,
      meter: route.meter,
      live: route.live === true,
      fresh: route.fresh === true,
    },
    // Only the object knows what a person may do.
    servesUnreached: person === undefined && route.meter !== null,
    idempotency: idempotencyKey === undefined ? null : { key: idempotencyKey, route: name, body: body.text },
    defer: incoming.defer,
    beside: (deadlineMs) => deps.freshLists(deadlineMs),
  });
  incoming.opened(exchange);
  try {
    if (body.fault !== null) throw body.fault;
    if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey))
      throw new DomainError('invalid_request', 'Idempotency-Key must be 1 to 128 visible ASCII characters.');
    const read = toInput(await readInput(sentAs, { params: incoming.params, query: incoming.query, body: body.value }));
    const { expected } = incoming;
    const input = { ...read, upload: incoming.upload?.(), expected, signed: undefined };
    return { input, run: verb.prepare(input, exchange, deps) };
  } catch (fault) {
    if (fault instanceof DomainError) await exchange.checkKeyAndRole();
    throw fault;
  }
}

/** Serves a request that needs no key. */
export async function serveOpen(deps: ServiceDeps, verb: AnyOpenVerb, incoming: Incoming): Promise<unknown> {
  const { params, query, expected, key: token } = incoming;
  const read = await readInput(verb.route, { params, query, body: undefined });
  const signed = await incoming.signed?.();
  return verb.answer(deps, { ...read, signed, token, expected, upload: undefined });
}
