import type { DurableObject } from 'cloudflare:workers';
import { type Clock, LATE, MINUTE_MS, SECOND_MS, within } from '../kernel/clock.ts';
import { DependencyError, DomainError, err, ok, type Result } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { type Counters, describeError, log } from '../kernel/log.ts';
import type { OrganisationObject } from './object.ts';
import type { OperatorsObject } from './operators-object.ts';
import type { PendingRehashes } from './rehash.ts';

/** The calls of an object: the public methods of its class. `callRehashed` stands before another one. */
type Rpc<T> = Omit<T, keyof DurableObject | 'callRehashed'>;
export type OrganisationRpc = Rpc<OrganisationObject>;
export type OperatorsRpc = Rpc<OperatorsObject>;

type Method = keyof OrganisationRpc | keyof OperatorsRpc;
type AnyMethod = (...sent: never[]) => Promise<unknown>;
type AnswerOf<F> = F extends AnyMethod ? Awaited<ReturnType<F>> : never;
type SentTo<F> = F extends AnyMethod ? Parameters<F> : never;

/** Calls whose failure is a value. */
type Calls<S> = { readonly [M in keyof S]: (...sent: SentTo<S[M]>) => Promise<Result<AnswerOf<S[M]>, ObjectFailure>> };
/** Calls whose failure throws. */
type Asks<S> = { readonly [M in keyof S]: (...sent: SentTo<S[M]>) => Promise<AnswerOf<S[M]>> };

/** After this time verifications answer without the object and other routes fail. */
export const CALL_TIMEOUT_MS = 2 * SECOND_MS;
/** The object itself stops waiting after 2 s. */
const FLUSH_MS = 3 * SECOND_MS;
/** Up to a thousand rules, a hundred traces or large documents, perhaps queued behind others. */
const LARGE_MS = 10 * SECOND_MS;
/** A rebuild moves all of an organisation's data. */
const OPERATOR_MS = 20 * SECOND_MS;
/** A tick writes the outbox, which takes long after an outage. */
const TICK_MS = MINUTE_MS;

/** How long a caller waits for a method, if not `LARGE_MS`. Each on the path of a verification is listed. */
const TIMEOUTS: { readonly [M in Method]?: number } = {
  authorize: CALL_TIMEOUT_MS,
  verify: CALL_TIMEOUT_MS,
  decide: CALL_TIMEOUT_MS,
  commit: CALL_TIMEOUT_MS,
  reverse: CALL_TIMEOUT_MS,
  endAnalysis: CALL_TIMEOUT_MS,
  usage: CALL_TIMEOUT_MS,
  reserve: CALL_TIMEOUT_MS,
  readPolicy: CALL_TIMEOUT_MS,
  putLosses: CALL_TIMEOUT_MS,
  readLosses: CALL_TIMEOUT_MS,
  flush: FLUSH_MS,
  create: OPERATOR_MS,
  configure: OPERATOR_MS,
  settings: OPERATOR_MS,
  insertKey: OPERATOR_MS,
  revokeKey: OPERATOR_MS,
  listKeys: OPERATOR_MS,
  // A status asks every object: an unreachable one must not hold it up.
  status: CALL_TIMEOUT_MS,
  forget: OPERATOR_MS,
  eraseLater: CALL_TIMEOUT_MS,
  erased: CALL_TIMEOUT_MS,
  addressKept: OPERATOR_MS,
  trimHistory: OPERATOR_MS,
  recomputeHistory: CALL_TIMEOUT_MS,
  restoreHistory: OPERATOR_MS,
  restoreAudit: OPERATOR_MS,
  restorePolicies: OPERATOR_MS,
  restoreLosses: OPERATOR_MS,
  rebuild: OPERATOR_MS,
  destroy: OPERATOR_MS,
  tick: TICK_MS,
  memberOf: CALL_TIMEOUT_MS,
  noteSample: CALL_TIMEOUT_MS,
  restoreJobs: OPERATOR_MS,
  noteOrganisations: CALL_TIMEOUT_MS,
  dropOrganisation: CALL_TIMEOUT_MS,
  listOrganisations: CALL_TIMEOUT_MS,
  noteWork: CALL_TIMEOUT_MS,
  listAtWork: CALL_TIMEOUT_MS,
  endWork: CALL_TIMEOUT_MS,
  addCounters: CALL_TIMEOUT_MS,
  addDeadLetters: CALL_TIMEOUT_MS,
  readOperations: CALL_TIMEOUT_MS,
};

/**
 * `overloaded`: too many calls at once; not retried. `unreachable`: no answer, whether or not the work was done, or an
 * object that lacks the call during a deployment. `failed`: the object's own code threw, and would again.
 */
export type ObjectFailure = 'overloaded' | 'unreachable' | 'failed';

interface CallDeps {
  readonly now: Clock;
  readonly counters: Counters;
}
export interface ObjectDeps<S = OrganisationRpc> extends CallDeps {
  /** A fresh stub for each try, because a failed stub stays broken. */
  stub(id: Id<'org'>): S;
  /** Set while `HASH_SECRET` is rotated. */
  readonly pendingRehashes?: PendingRehashes | null;
}
export interface OperatorsDeps extends CallDeps {
  /** Fresh for each try, too. */
  operators(): OperatorsRpc;
}

/** An organisation's object; a failure is a value. */
export const callObject = <S>(deps: ObjectDeps<S>, id: Id<'org'>): Calls<S> =>
  methods((method, sent) => send(deps, () => deps.stub(id), id, method, sent, deps.pendingRehashes));

/** An organisation's object, where an answer needs it. Throws a distinct error for each kind of failure. */
export const askObject = <S>(deps: ObjectDeps<S>, id: Id<'org'>): Asks<S> =>
  methods(async (method, sent) =>
    answerOf(await send(deps, () => deps.stub(id), id, method, sent, deps.pendingRehashes)),
  );

/** The operators' object; a failure is a value. */
export const callOperators = (deps: OperatorsDeps): Calls<OperatorsRpc> =>
  methods((method, sent) => send(deps, () => deps.operators(), 'operators', method, sent));
export const askOperators = (deps: OperatorsDeps): Asks<OperatorsRpc> =>
  methods(async (method, sent) => answerOf(await send(deps, () => deps.operators(), 'operators', method, sent)));

/** An object with every method, since a runtime's stub has no list of them. */
const methods = <T>(run: (method: Method, sent: readonly unknown[]) => Promise<unknown>): T =>
  new Proxy(Object.create(null), {
    get:
      (_, method) =>
      (...sent: readonly unknown[]) =>
        run(method as Method, sent),
  }) as T;

function answerOf(sent: Result<unknown, ObjectFailure>): unknown {
  if (!sent.ok) throw objectError(sent.error);
  return sent.value;
}

/** Retries once, within the same time, if the runtime calls the failure retryable: every call may be repeated. */
async function send(
  deps: CallDeps,
  stub: () => unknown,
  of: string,
  method: Method,
  sent: readonly unknown[],
  pending: PendingRehashes | null = null,
): Promise<Result<unknown, ObjectFailure>> {
  const until = deps.now() + (TIMEOUTS[method] ?? LARGE_MS);
  for (let tries = 1; ; tries += 1) {
    const started = deps.now();
    try {
      const to = stub() as Readonly<
        Record<Method | 'callRehashed', (...given: readonly unknown[]) => Promise<unknown>>
      >;
      const rehashes = pending?.of(of) ?? [];
      const asked = rehashes.length === 0 ? to[method](...sent) : to.callRehashed(rehashes, method, sent);
      const value = await within(asked, until - started);
      if (value === LATE) throw new Error('the object did not answer in time');
      pending?.confirm(of, rehashes);
      deps.counters.add('object_ms', deps.now() - started, method);
      return ok(value);
    } catch (error) {
      const failure = failureOf(error as RuntimeFlags);
      const mayPass = failure === 'unreachable' && (error as RuntimeFlags).retryable === true;
      if (mayPass && tries === 1) continue;
      deps.counters.add('object_failed', 1, `${method}:${failure}`);
      const level = failure === 'failed' ? 'error' : 'warn';
      log(level, 'object_call_failed', { call: method, organisation: of, failure, ...describeError(error) });
      return err(failure);
    }
  }
}

/** The runtime's flags on a failed call. `remote`: the object's own code threw. */
interface RuntimeFlags {
  readonly overloaded?: boolean;
  readonly retryable?: boolean;
  readonly remote?: boolean;
  readonly message?: string;
}

function failureOf({ overloaded, remote, retryable, message = '' }: RuntimeFlags): ObjectFailure {
  if (overloaded === true) return 'overloaded';
  // During a deployment an object may lack the call.
  if (message.includes('does not implement the method')) return 'unreachable';
  return remote === true && retryable !== true ? 'failed' : 'unreachable';
}

/** `overloaded` is the caller's limit, `unreachable` an outage, `failed` our bug. */
export function objectError(failure: ObjectFailure): Error {
  if (failure === 'overloaded')
    return new DomainError('rate_limited', 'Too many requests at once.', { retryAfterS: 1 });
  const words = failure === 'failed' ? "the organisation's object failed" : `the organisation's object is ${failure}`;
  return failure === 'unreachable' ? new DependencyError('object', words) : new Error(words);
}
