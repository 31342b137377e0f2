import type { RouteDeclaration } from '../contract/route.ts';
import type { Role } from '../domain/access/keys.ts';
import type { PersonClaims } from '../domain/access/member-records.ts';
import { DomainError } from '../kernel/errors.ts';
import { type IdPrefix, newId } from '../kernel/ids.ts';
import type { ServiceDeps } from './deps.ts';
import { BAD_KEY, type KeyCaller, type ObjectExchange, openExchange } from './object-exchange.ts';
import type { AnyVerb, ReadInput } from './verb.ts';

/** A request whose key has the right form and MAC, with its input. */
export interface Received {
  readonly caller: KeyCaller | PersonClaims;
  readonly startedAt: number;
  readonly idempotencyKey: string | undefined;
  /** The raw body, which an `Idempotency-Key` stands for. */
  readonly text: string;
  readonly defer: (work: Promise<unknown>) => void;
}

/** The caller by the key's form and MAC, without I/O: the object has the last word. Throws a refusal. */
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

/** Opens a request's exchange with its organisation's object. `name`: the route's in the contract. */
export function open(
  deps: Pick<ServiceDeps, 'objects' | 'newDomains' | 'refuseKey'>,
  name: string,
  { access, rate, meter, live, fresh, idempotent }: RouteDeclaration,
  { caller, startedAt, idempotencyKey, text, defer }: Received,
): ObjectExchange {
  const isPerson = !('key' in caller);
  const isOperator = access === 'operator';
  // The stored hash includes the key, and a person has none.
  const isKept = idempotencyKey !== undefined && idempotent === true && !isPerson;
  return openExchange(deps, {
    caller,
    traceId: newId(TRACE_PREFIX[meter ?? 'none'], startedAt),
    startedAt,
    needs: {
      role: isOperator ? 'admin' : (access as Role),
      operator: isOperator,
      rate,
      meter,
      live: live === true,
      fresh: fresh === true,
    },
    // The verification family continues while the object is unreachable; only the object knows what a person may do.
    servesUnreached: !isPerson && meter !== null,
    idempotency: isKept ? { key: idempotencyKey, route: name, body: text } : null,
    defer,
  });
}

/**
 * Prepares a request; the returned function authorizes and runs the verb. An invalid request is refused after key and
 * role are checked (401, 403), and charges nothing.
 */
export async function prepare(
  deps: ServiceDeps,
  verb: AnyVerb,
  exchange: ObjectExchange,
  input: ReadInput | DomainError,
): Promise<() => Promise<unknown>> {
  try {
    if (input instanceof DomainError) throw input;
    if (exchange.idempotencyKey !== null && !IDEMPOTENCY_KEY.test(exchange.idempotencyKey))
      throw new DomainError('invalid_request', 'Idempotency-Key must be 1 to 128 visible ASCII characters.');
    return verb.prepare(input, exchange, deps);
  } catch (fault) {
    if (fault instanceof DomainError) await exchange.checkKeyAndRole();
    throw fault;
  }
}
