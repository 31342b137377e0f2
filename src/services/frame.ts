import type { RouteDeclaration } from '../contract/route.ts';
import { ROUTES } from '../contract/routes.ts';
import type { Role } from '../domain/access/key-format.ts';
import type { PolicyChange } from '../domain/policy/policy-records.ts';
import { DomainError } from '../kernel/errors.ts';
import { type IdPrefix, newId } from '../kernel/ids.ts';
import type { SignedBody } from '../kernel/signed-body.ts';
import type { Admission } from './admission.ts';
import type { Caller } from './caller.ts';
import type { Deps } from './deps.ts';
import type { StreamedBody } from './files.ts';
import { readInput } from './input.ts';
import { type OpenOperation, openOperation } from './operation-exchange.ts';
import type { AnyOpenVerb, AnyVerb, Context } from './verb.ts';

/** A JSON body as a door has read it. A fault is a value: whether the key may come in at all is settled first. */
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
  /** Reads the body of a route that declares one; of an upload what is wrong before its first byte. */
  readBody(route: RouteDeclaration): Promise<ReadBody>;
  readonly signed?: () => Promise<SignedBody>;
  readonly upload?: () => StreamedBody;
  /** `If-Match`, where the route is `versioned`. */
  readonly expected: PolicyChange['expected'];
  readonly defer: (work: Promise<unknown>) => void;
  /** Told as soon as the key's form and MAC are right: for headers, the log, and to take a charge back. */
  opened(operation: OpenOperation): void;
}

/** Printable ASCII without the space. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

const TRACE_PREFIX: Record<NonNullable<RouteDeclaration['meter']> | 'none', IdPrefix> = {
  verify: 'vr',
  check: 'ck',
  screen: 'sc',
  decide: 'dc',
  none: 'rq',
};

/** What an `Idempotency-Key` is kept with: the route's name in the contract. */
const ROUTE_NAMES = new Map<string, string>(
  Object.entries(ROUTES).map(([name, { method, path }]) => [`${method} ${path}`, name]),
);

/** A request whose key has the right form and MAC, and whose input its route's schemas have read. */
interface Opened {
  readonly operation: OpenOperation;
  readonly input: unknown;
}

/**
 * Reads key, body and input. What is wrong with a request is refused once key and role are settled (401, 403), and charges
 * nothing. `name`: what an `Idempotency-Key` is kept with.
 */
export async function open(deps: Deps, route: RouteDeclaration, incoming: Incoming, name: string): Promise<Opened> {
  const claims = deps.readKey(incoming.key);
  if (claims === null)
    throw new DomainError(
      'unauthorized',
      'The API key is missing, malformed or revoked: send `Authorization: Bearer <API_KEY>`.',
    );
  const startedAt = deps.now();
  const body = await incoming.readBody(route);
  const isOperator = route.access === 'operator';
  const idempotencyKey = route.idempotent === true ? incoming.idempotencyKey : undefined;
  const operation = openOperation(deps.objects, {
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
  incoming.opened(operation);
  const input = await faultyRefused(operation, async () => {
    if (body.fault !== null) throw body.fault;
    if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey))
      throw new DomainError('invalid_request', 'Idempotency-Key must be 1 to 128 visible ASCII characters.');
    return readInput(route, { params: incoming.params, query: incoming.query, body: body.value });
  });
  return { operation, input: { ...input, upload: incoming.upload?.(), expected: incoming.expected } };
}

/**
 * Serves a request, whichever door it came in by: one admission, then the verb. `route`: as the door shows it, where that is
 * another form of the verb's own.
 */
export async function serve(
  deps: Deps,
  verb: AnyVerb,
  incoming: Incoming,
  route: RouteDeclaration = verb.route,
): Promise<unknown> {
  const { operation, input } = await open(deps, route, incoming, nameOf(verb.route));
  const parsed = await faultyRefused(operation, async () => parse(deps, verb, operation, input));
  return runAdmitted(deps, verb, operation, parsed);
}

const nameOf = ({ method, path }: RouteDeclaration): string => ROUTE_NAMES.get(`${method} ${path}`) ?? path;

/** Settles key and role for a request that is refused for what it holds. */
async function faultyRefused<T>(operation: OpenOperation, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (fault) {
    if (fault instanceof DomainError) await operation.admitFaulty();
    throw fault;
  }
}

export const parse = (deps: Deps, { parse: read }: AnyVerb, caller: Caller, input: unknown): unknown =>
  read === undefined ? input : read(input as never, caller, deps);

/** Admits once, beside what the verb may begin, and runs it. */
export async function runAdmitted(
  deps: Deps,
  verb: AnyVerb,
  operation: Pick<OpenOperation, 'admit' | 'reserveEnrichment' | 'settle'> & Caller,
  parsed: unknown,
): Promise<unknown> {
  const { rules = null, ...wish } = verb.probe?.(parsed as never, operation, deps) ?? {};
  const begun = verb.begin?.(parsed as never, operation, deps);
  // Refused, nothing of it is wanted.
  begun?.catch(() => undefined);
  const admitted = await operation.admit(rules, wish);
  if (!admitted.reached && verb.route.meter === null) throw new Error('this is not served without the organisation');
  const context: Context<Admission> = {
    organisationId: operation.organisationId,
    mode: operation.mode,
    meter: operation.meter,
    startedAt: operation.startedAt,
    traceId: operation.traceId,
    defer: operation.defer,
    deps,
    admitted,
    reserveEnrichment: (totalMicros) => operation.reserveEnrichment(totalMicros),
    settle: (completion) => operation.settle(completion),
  };
  return verb.run(context as Context<never>, parsed as never, (await begun) as never);
}

/** Serves a request that needs no key. */
export async function serveOpen(deps: Deps, { route, answer }: AnyOpenVerb, incoming: Incoming): Promise<unknown> {
  const input = await readInput(route, { params: incoming.params, query: incoming.query, body: undefined });
  const signed = await incoming.signed?.();
  return answer(deps, { ...input, signed, token: incoming.key, expected: incoming.expected } as never);
}
