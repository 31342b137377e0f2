import type { RouteDeclaration } from '../contract/route.ts';
import type { Role } from '../domain/access/key-format.ts';
import type { PolicyChange } from '../domain/policy/policy-records.ts';
import { DomainError } from '../kernel/errors.ts';
import { type IdPrefix, newId } from '../kernel/ids.ts';
import type { SignedBody } from '../kernel/signed-body.ts';
import type { Admission } from './admission.ts';
import type { Caller } from './caller.ts';
import type { Deps } from './deps.ts';
import type { StreamedBody } from './files.ts';
import { type RawInput, readInput } from './input.ts';
import { BAD_KEY, type ObjectExchange, openExchange } from './object-exchange.ts';
import type { AnyOpenVerb, AnyVerb, Context } from './verb.ts';

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
  readonly idempotencyKey: string | undefined;
  readonly params: unknown;
  readonly query: unknown;
  /** Reads the body of a route that declares one; of an upload only what is wrong before its first byte. */
  readBody(route: RouteDeclaration): Promise<ReadBody>;
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

/** What came with a request, as its route's schemas have read it. */
interface ReadInput extends RawInput {
  readonly upload: StreamedBody | undefined;
  readonly expected: PolicyChange['expected'];
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

/** A request whose key has the right form and MAC, and whose input is read. */
interface Opened<P> {
  readonly exchange: ObjectExchange;
  readonly parsed: P;
}

/**
 * Reads the key and all that came with it. A faulty request is refused once its key and role are checked (401, 403), and
 * charges nothing. `name`: what an `Idempotency-Key` is kept with, the route's name in the contract.
 */
export async function open<P>(
  deps: Deps,
  name: string,
  route: RouteDeclaration,
  incoming: Incoming,
  parseInput: (input: ReadInput, caller: Caller) => P,
): Promise<Opened<P>> {
  const claims = deps.readKey(incoming.key);
  if (claims === null) throw new DomainError('unauthorized', BAD_KEY);
  const startedAt = deps.now();
  const body = await incoming.readBody(route);
  const isOperator = route.access === 'operator';
  const idempotencyKey = route.idempotent === true ? incoming.idempotencyKey : undefined;
  const exchange = openExchange(deps.objects, {
    claims,
    key: incoming.key,
    traceId: newId(TRACE_PREFIX[route.meter ?? 'none'], startedAt),
    startedAt,
    needs: {
      role: isOperator ? 'admin' : (route.access as Role),
      operator: isOperator,
      rate: route.rate,
      meter: route.meter,
      live: route.live === true,
    },
    servesUnreached: route.meter !== null,
    idempotency: idempotencyKey === undefined ? null : { key: idempotencyKey, route: name, body: body.text },
    defer: incoming.defer,
    beside: (deadlineMs) => deps.freshLists(deadlineMs),
  });
  incoming.opened(exchange);
  try {
    if (body.fault !== null) throw body.fault;
    if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey))
      throw new DomainError('invalid_request', 'Idempotency-Key must be 1 to 128 visible ASCII characters.');
    const input = await readInput(route, { params: incoming.params, query: incoming.query, body: body.value });
    const upload = incoming.upload?.();
    return { exchange, parsed: parseInput({ ...input, upload, expected: incoming.expected }, exchange) };
  } catch (fault) {
    if (fault instanceof DomainError) await exchange.checkKeyAndRole();
    throw fault;
  }
}

/**
 * Serves a request of any door: authorises it once, then runs the verb. `route`: the verb's route in the form in which the door
 * offers it.
 */
export async function serve(
  deps: Deps,
  name: string,
  verb: AnyVerb,
  incoming: Incoming,
  route: RouteDeclaration = verb.route,
): Promise<unknown> {
  const { exchange, parsed } = await open(deps, name, route, incoming, (input, caller) =>
    parse(deps, verb, caller, input),
  );
  return authorizeAndRun(deps, verb, exchange, parsed);
}

export const parse = (deps: Deps, { parse: read }: AnyVerb, caller: Caller, input: unknown): unknown =>
  read === undefined ? input : read(input as never, caller, deps);

/** Authorises while the verb begins what needs no permission, then runs it. */
export async function authorizeAndRun(
  deps: Deps,
  verb: AnyVerb,
  exchange: Pick<ObjectExchange, 'authorize' | 'reserveEnrichment' | 'commit'> & Caller,
  parsed: unknown,
): Promise<unknown> {
  const { rules = null, ...wish } = verb.probe?.(parsed as never, exchange, deps) ?? {};
  const begun = verb.begin?.(parsed as never, exchange, deps);
  // After a refusal its failure does not matter.
  begun?.catch(() => undefined);
  const admitted = await exchange.authorize(rules, wish);
  if (!admitted.reached && verb.route.meter === null) throw new Error('this is not served without the organisation');
  const context: Context<Admission> = {
    organisationId: exchange.organisationId,
    mode: exchange.mode,
    meter: exchange.meter,
    startedAt: exchange.startedAt,
    traceId: exchange.traceId,
    defer: exchange.defer,
    deps,
    admitted,
    reserveEnrichment: (totalMicros) => exchange.reserveEnrichment(totalMicros),
    commit: (completion) => exchange.commit(completion),
  };
  return verb.run(context as Context<never>, parsed as never, (await begun) as never);
}

/** Serves a request that needs no key. */
export async function serveOpen(deps: Deps, { route, answer }: AnyOpenVerb, incoming: Incoming): Promise<unknown> {
  const input = await readInput(route, { params: incoming.params, query: incoming.query, body: undefined });
  const signed = await incoming.signed?.();
  return answer(deps, { ...input, signed, token: incoming.key, expected: incoming.expected } as never);
}
