import type { Clock } from '../kernel/clock.ts';
import type { Counters } from '../kernel/counters.ts';
import { LATE, within } from '../kernel/deadline.ts';
import type { Dependency } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { describeError, log } from '../kernel/log.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import type { OrganisationAdministration, OrganisationPort } from './port.ts';

/**
 * `overloaded`: too many calls at once, never sent again. `unreachable`: no answer, whether or not it did the work; or the object is
 * of another release, and this call is none of its own. `broken`: the object's own code failed, as it would again.
 */
export type ObjectFailure = 'overloaded' | 'unreachable' | 'broken';

export type OrganisationStub = OrganisationPort & OrganisationAdministration;

/** A longer wait serves nobody: the verification family then answers without the object, the other routes fail. */
const CALL_TIMEOUT_MS = 2_000;

export interface ObjectDeps<S = OrganisationStub> {
  /** A fresh stub for each try: one that has failed stays broken. */
  stub(id: Id<'org'>): S;
  readonly now: Clock;
  readonly counters: Counters;
}

/** Calls an organisation's object; a failure the runtime calls retryable is tried once more. Calls are safe to repeat. */
export async function callObject<T, S = OrganisationStub>(
  deps: ObjectDeps<S>,
  id: Id<'org'>,
  name: string,
  call: (stub: S) => Promise<T>,
  timeoutMs: number = CALL_TIMEOUT_MS,
): Promise<Result<T, ObjectFailure>> {
  for (let tries = 1; ; tries += 1) {
    const started = deps.now();
    try {
      const value = await within(call(deps.stub(id)), timeoutMs);
      if (value === LATE) throw new Error('the object did not answer in time');
      deps.counters.add('object_ms', deps.now() - started, name);
      return ok(value);
    } catch (error) {
      const failure = failureOf(error as RuntimeFlags);
      if (failure === 'unreachable' && (error as RuntimeFlags).retryable === true && tries === 1) continue;
      deps.counters.add('object_failed', 1, `${name}:${failure}`);
      const level = failure === 'broken' ? 'error' : 'warn';
      log(level, 'object_call_failed', { call: name, organisation: id, failure, ...describeError(error) });
      return err(failure);
    }
  }
}

/** What the runtime says of a failed call. `remote`: thrown by the object's own code. */
interface RuntimeFlags {
  readonly overloaded?: boolean;
  readonly retryable?: boolean;
  readonly remote?: boolean;
  readonly dependency?: unknown;
  readonly message?: string;
}

/** While a release is deployed: the object refuses what only a later release reads, or has no such call yet. */
const isBetweenReleases = ({ dependency, message = '' }: RuntimeFlags): boolean =>
  dependency === ('release' satisfies Dependency) || message.includes('does not implement the method');

function failureOf(flags: RuntimeFlags): ObjectFailure {
  if (flags.overloaded === true) return 'overloaded';
  if (isBetweenReleases(flags)) return 'unreachable';
  return flags.remote === true && flags.retryable !== true ? 'broken' : 'unreachable';
}
