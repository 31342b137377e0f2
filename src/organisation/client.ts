import { type Clock, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import type { Counters } from '../kernel/counters.ts';
import { LATE, within } from '../kernel/deadline.ts';
import { type Dependency, DependencyError, DomainError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { describeError, log } from '../kernel/log.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { type ObjectPort, type OrganisationStub, PORT_VERSION } from './ports.ts';

type Method = keyof ObjectPort;
type AnyMethod = (...sent: never[]) => Promise<unknown>;

/**
 * The version that a method’s input carries; null: the method takes plain values. A new form of it is a new method, or one more argument
 * that the release before may leave unread.
 */
type VersionOf<M extends Method> = Parameters<ObjectPort[M]> extends [{ readonly v: infer V }] ? V : null;

/** What a caller gives to a method: all but the version. */
type Sent<F extends AnyMethod> =
  Parameters<F> extends [infer Call extends { readonly v: number }] ? [call: Omit<Call, 'v'>] : Parameters<F>;

/** An object's methods for a caller who can do without the answer. */
type Calls<S> = {
  readonly [M in keyof S]: S[M] extends AnyMethod
    ? (...sent: Sent<S[M]>) => Promise<Result<Awaited<ReturnType<S[M]>>, ObjectFailure>>
    : never;
};

/** An object's methods for a caller who needs the answer. */
type Asks<S> = {
  readonly [M in keyof S]: S[M] extends AnyMethod ? (...sent: Sent<S[M]>) => Promise<Awaited<ReturnType<S[M]>>> : never;
};

/** After this time verifications answer without the object and the other routes fail. */
export const CALL_TIMEOUT_MS = 2 * SECOND_MS;
/** The object itself stops waiting after 2 s. */
const FLUSH_MS = 3 * SECOND_MS;
/** Up to a thousand rules, a hundred traces or large documents, perhaps behind others: its sender waits longer than a signup. */
const LARGE_MS = 10 * SECOND_MS;
/** An operator waits longer still: a rebuild moves all of an organisation's data. */
const OPERATOR_MS = 20 * SECOND_MS;
/** A tick writes the outbox out, which takes long after an outage. */
const TICK_MS = MINUTE_MS;

const v = PORT_VERSION;

/** How long the caller of each method waits for the answer, and the version that the call carries. */
const CALLS: { readonly [M in Method]: { readonly timeoutMs: number; readonly v: VersionOf<M> } } = {
  admit: { timeoutMs: CALL_TIMEOUT_MS, v },
  finish: { timeoutMs: CALL_TIMEOUT_MS, v },
  reverse: { timeoutMs: CALL_TIMEOUT_MS, v: null },
  usage: { timeoutMs: CALL_TIMEOUT_MS, v: null },
  reserveEnrichment: { timeoutMs: CALL_TIMEOUT_MS, v },
  reserveProviders: { timeoutMs: CALL_TIMEOUT_MS, v },
  addRules: { timeoutMs: LARGE_MS, v },
  removeRules: { timeoutMs: LARGE_MS, v },
  listRules: { timeoutMs: LARGE_MS, v },
  putPolicy: { timeoutMs: LARGE_MS, v },
  // A decision waits for its policy.
  readPolicy: { timeoutMs: CALL_TIMEOUT_MS, v },
  listPolicies: { timeoutMs: LARGE_MS, v },
  putLosses: { timeoutMs: CALL_TIMEOUT_MS, v },
  readLosses: { timeoutMs: CALL_TIMEOUT_MS, v },
  flush: { timeoutMs: FLUSH_MS, v: null },
  create: { timeoutMs: OPERATOR_MS, v: null },
  configure: { timeoutMs: OPERATOR_MS, v: null },
  settings: { timeoutMs: OPERATOR_MS, v: null },
  insertKey: { timeoutMs: OPERATOR_MS, v: null },
  revokeKey: { timeoutMs: OPERATOR_MS, v: null },
  listKeys: { timeoutMs: OPERATOR_MS, v: null },
  // A status asks every object: one that is out of reach must not hold it up.
  status: { timeoutMs: CALL_TIMEOUT_MS, v: null },
  forget: { timeoutMs: OPERATOR_MS, v: null },
  eraseLater: { timeoutMs: CALL_TIMEOUT_MS, v: null },
  erased: { timeoutMs: CALL_TIMEOUT_MS, v: null },
  addressKept: { timeoutMs: OPERATOR_MS, v },
  adoptCalibration: { timeoutMs: CALL_TIMEOUT_MS, v },
  trimHistory: { timeoutMs: OPERATOR_MS, v },
  sampleHistory: { timeoutMs: OPERATOR_MS, v },
  restoreHistory: { timeoutMs: OPERATOR_MS, v },
  restoreAudit: { timeoutMs: OPERATOR_MS, v },
  restorePolicies: { timeoutMs: OPERATOR_MS, v: null },
  rebuild: { timeoutMs: OPERATOR_MS, v: null },
  destroy: { timeoutMs: OPERATOR_MS, v: null },
  tick: { timeoutMs: TICK_MS, v: null },
  memberOf: { timeoutMs: CALL_TIMEOUT_MS, v },
  listMembers: { timeoutMs: LARGE_MS, v },
  putMember: { timeoutMs: LARGE_MS, v },
  changeMember: { timeoutMs: LARGE_MS, v },
  removeMember: { timeoutMs: LARGE_MS, v },
  dropPerson: { timeoutMs: LARGE_MS, v },
  listInvitations: { timeoutMs: LARGE_MS, v },
  invite: { timeoutMs: LARGE_MS, v },
  withdrawInvitation: { timeoutMs: LARGE_MS, v },
  acceptInvitation: { timeoutMs: LARGE_MS, v },
  pageKeys: { timeoutMs: LARGE_MS, v },
  findKey: { timeoutMs: LARGE_MS, v },
  createKey: { timeoutMs: LARGE_MS, v },
  changeKey: { timeoutMs: LARGE_MS, v },
  rotateKey: { timeoutMs: LARGE_MS, v },
  endKey: { timeoutMs: LARGE_MS, v },
  changeOrganisation: { timeoutMs: LARGE_MS, v },
  listAudit: { timeoutMs: LARGE_MS, v },
  noteAudit: { timeoutMs: LARGE_MS, v },
  createJob: { timeoutMs: LARGE_MS, v },
  findJob: { timeoutMs: LARGE_MS, v },
  listJobs: { timeoutMs: LARGE_MS, v },
  moveJob: { timeoutMs: LARGE_MS, v },
  noteSample: { timeoutMs: CALL_TIMEOUT_MS, v },
  claimRange: { timeoutMs: LARGE_MS, v },
  renewRange: { timeoutMs: LARGE_MS, v },
  finishRange: { timeoutMs: LARGE_MS, v },
  failRange: { timeoutMs: LARGE_MS, v },
  matchRules: { timeoutMs: LARGE_MS, v },
  listResults: { timeoutMs: LARGE_MS, v },
  restoreJobs: { timeoutMs: OPERATOR_MS, v },
  noteOrganisations: { timeoutMs: CALL_TIMEOUT_MS, v: null },
  dropOrganisation: { timeoutMs: CALL_TIMEOUT_MS, v: null },
  listOrganisations: { timeoutMs: CALL_TIMEOUT_MS, v: null },
  noteWork: { timeoutMs: CALL_TIMEOUT_MS, v: null },
  listAtWork: { timeoutMs: CALL_TIMEOUT_MS, v: null },
  endWork: { timeoutMs: CALL_TIMEOUT_MS, v: null },
  addCounters: { timeoutMs: CALL_TIMEOUT_MS, v: null },
  addDeadLetters: { timeoutMs: CALL_TIMEOUT_MS, v: null },
  readOperations: { timeoutMs: CALL_TIMEOUT_MS, v: null },
};

/**
 * `overloaded`: too many calls at once; the call is not sent again. `unreachable`: no answer, whether or not the object
 * did the work, or an object of another release that lacks the call. `broken`: the object's own code failed, and would
 * fail again.
 */
export type ObjectFailure = 'overloaded' | 'unreachable' | 'broken';

export interface ObjectDeps<S = OrganisationStub> {
  /** A fresh stub for each try, because a stub that has failed stays broken. */
  stub(id: Id<'org'>): S;
  readonly now: Clock;
  readonly counters: Counters;
}

/** A stub as the runtime has it: any method, any values. */
type AnyStub = Readonly<Record<Method, (...sent: readonly unknown[]) => Promise<unknown>>>;

/** The methods of an organisation's object; a failure is a value. */
export const callObject = <S>(deps: ObjectDeps<S>, id: Id<'org'>): Calls<S> =>
  methods((method, input) => send(deps, id, method, input));

/** The methods of an organisation's object, where an answer needs it. Throws each kind of failure as its own error. */
export const askObject = <S>(deps: ObjectDeps<S>, id: Id<'org'>): Asks<S> =>
  methods(async (method, input) => {
    const answer = await send(deps, id, method, input);
    if (!answer.ok) throw objectError(answer.error);
    return answer.value;
  });

/** An object with every method. Its type is derived from the port, so that an editor finds the method behind a call. */
const methods = <T>(run: (method: Method, input: readonly unknown[]) => Promise<unknown>): T =>
  new Proxy(Object.create(null), {
    get:
      (_, method) =>
      (...input: readonly unknown[]) =>
        run(method as Method, input),
  }) as T;

/**
 * Calls a method. After a failure that the runtime calls retryable it tries once more within the same time, which is safe
 * because every call may be repeated.
 */
async function send(
  deps: ObjectDeps<unknown>,
  id: Id<'org'>,
  method: Method,
  input: readonly unknown[],
): Promise<Result<unknown, ObjectFailure>> {
  const { timeoutMs, v: version } = CALLS[method];
  const sent: readonly unknown[] = version === null ? input : [{ ...(input[0] as object), v: version }];
  const until = deps.now() + timeoutMs;
  for (let tries = 1; ; tries += 1) {
    const started = deps.now();
    try {
      const stub = deps.stub(id) as AnyStub;
      const value = await within(stub[method](...sent), until - started);
      if (value === LATE) throw new Error('the object did not answer in time');
      deps.counters.add('object_ms', deps.now() - started, method);
      return ok(value);
    } catch (error) {
      const failure = failureOf(error as RuntimeFlags);
      const mayPass = failure === 'unreachable' && (error as RuntimeFlags).retryable === true;
      if (mayPass && tries === 1) continue;
      deps.counters.add('object_failed', 1, `${method}:${failure}`);
      const level = failure === 'broken' ? 'error' : 'warn';
      log(level, 'object_call_failed', { call: method, organisation: id, failure, ...describeError(error) });
      return err(failure);
    }
  }
}

/** The runtime's flags on a failed call. `remote`: the object's own code threw. */
interface RuntimeFlags {
  readonly overloaded?: boolean;
  readonly retryable?: boolean;
  readonly remote?: boolean;
  readonly dependency?: unknown;
  readonly message?: string;
}

const hasNoSuchMethod = ({ message = '' }: RuntimeFlags): boolean => message.includes('does not implement the method');

/** During a deployment the object may refuse what only a later release reads, or lack the call. */
const isBetweenReleases = (flags: RuntimeFlags): boolean =>
  flags.dependency === ('release' satisfies Dependency) || hasNoSuchMethod(flags);

function failureOf(flags: RuntimeFlags): ObjectFailure {
  if (flags.overloaded === true) return 'overloaded';
  if (isBetweenReleases(flags)) return 'unreachable';
  return flags.remote === true && flags.retryable !== true ? 'broken' : 'unreachable';
}

/** `overloaded` is the caller's limit, `unreachable` an outage, `broken` our bug. */
export function objectError(failure: ObjectFailure): Error {
  if (failure === 'overloaded')
    return new DomainError('rate_limited', 'Too many requests at once.', { retryAfterS: 1 });
  const words = `the organisation's object is ${failure}`;
  return failure === 'unreachable' ? new DependencyError('object', words) : new Error(words);
}
