import type { RouteDeclaration } from '../contract/route.ts';
import type { Role } from '../domain/access/keys.ts';
import type { PersonClaims } from '../domain/access/member-records.ts';
import { DomainError } from '../kernel/errors.ts';
import { type IdPrefix, newId } from '../kernel/ids.ts';
import type { ServiceDeps } from './deps.ts';
import { BAD_KEY, type KeyCaller, type ObjectExchange, openExchange } from './object-exchange.ts';
import type { AnyVerb, ReadInput } from './verb.ts';

/** A request whose key has the right form and MAC, with what came with it. */
export interface Received {
  readonly caller: KeyCaller | PersonClaims;
  /** Service time of its arrival. */
  readonly startedAt: number;
  readonly idempotencyKey: string | undefined;
  /** The body as it came, which an `Idempotency-Key` stands for. */
  readonly text: string;
  /** A fault is a value: key and role are checked before it is refused. */
  readonly input: ReadInput | DomainError;
  readonly defer: (work: Promise<unknown>) => void;
  /** The entrance needs the exchange for headers, for the log and to take a charge back. */
  opened(exchange: ObjectExchange): void;
}

/** The caller by the key's form and MAC, without I/O: the object has the last word on it. Throws a refusal. */
export function callerOf(deps: Pick<ServiceDeps, 'readKey'>, key: string): KeyCaller {
  const caller = deps.readKey(key);
  if (caller === null) throw new DomainError('unauthorized', BAD_KEY);
  return caller;
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

/**
 * Opens a request's exchange with its organisation's object. A faulty request is refused once its key and role are checked
 * (401, 403), and charges nothing. What it gives back authorises the request and runs the verb. `name`: what an
 * `Idempotency-Key` is kept with, the route's name in the contract.
 */
export async function open(
  deps: ServiceDeps,
  name: string,
  verb: AnyVerb,
  { caller, startedAt, input, text, ...received }: Received,
): Promise<() => Promise<unknown>> {
  const { route } = verb;
  const isPerson = !('key' in caller);
  const isOperator = route.access === 'operator';
  // What is kept under it is hashed with the key, and a person has none.
  const idempotencyKey = route.idempotent === true && !isPerson ? received.idempotencyKey : undefined;
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
    // The verification family goes on while the object is out of reach; only the object knows what a person may do.
    servesUnreached: !isPerson && route.meter !== null,
    idempotency: idempotencyKey === undefined ? null : { key: idempotencyKey, route: name, body: text },
    defer: received.defer,
  });
  received.opened(exchange);
  try {
    if (input instanceof DomainError) throw input;
    if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey))
      throw new DomainError('invalid_request', 'Idempotency-Key must be 1 to 128 visible ASCII characters.');
    return verb.prepare(input, exchange, deps);
  } catch (fault) {
    if (fault instanceof DomainError) await exchange.checkKeyAndRole();
    throw fault;
  }
}
