import type { Observation } from '../domain/belief/facts.ts';
import { pause } from '../kernel/clock.ts';
import type { ObjectCore } from './core.ts';
import type { HistorySlice, TrimmedHistory } from './authorization.ts';
import { dropRehashes } from './sql/rehash.ts';

/** Observations stored at once: some 30 ms of the object's thread. */
const OBSERVATIONS_AT_ONCE = 100;
/** Names of a rotation that is over, dropped with each slice of a night's pass. */
const REHASHES_AT_ONCE = 5_000;
/** Steps in one run of a timer: about half a second of CPU time. */
const STEPS_AT_ONCE = 100;

/**
 * Long work in steps, between which requests are served. `step` returns true at the end. `mayGoOn` receives the number
 * of steps done. Returns whether all was done.
 */
async function inSteps(step: () => boolean, mayGoOn: (steps: number) => boolean): Promise<boolean> {
  for (let steps = 0; mayGoOn(steps); steps += 1) {
    if (step()) return true;
    await pause(0);
  }
  return false;
}

/** The recompute timer. Continues in another alarm after so many steps, because an alarm's CPU time is limited. */
export async function recompute(core: ObjectCore): Promise<() => number | null> {
  const step = (): boolean => core.transact(() => core.history.recomputeOn(core.now()));
  const isWhole = await inSteps(step, (steps) => steps < STEPS_AT_ONCE && !core.isDeleted);
  return () => (isWhole ? null : core.now());
}

/** Recomputes all groups in steps after this call. */
export function recomputeSoon(core: ObjectCore): void {
  if (core.history.isChanged) core.timers.advance('recompute', core.now() + 1);
}

export function trimHistory(core: ObjectCore, slice: HistorySlice): TrimmedHistory {
  const trimmed = core.transact(() => {
    if (!core.services.isRotating) dropRehashes(core.sql, REHASHES_AT_ONCE);
    return core.history.trim(slice, core.now());
  });
  if (trimmed.next === null) recomputeSoon(core);
  return trimmed;
}

/** Idempotent by slice: a page that failed midway comes again. */
export async function restoreHistory(core: ObjectCore, observations: readonly Observation[]): Promise<null> {
  let from = 0;
  const step = (): boolean => {
    core.requireRestorable();
    const slice = observations.slice(from, from + OBSERVATIONS_AT_ONCE);
    from += slice.length;
    if (slice.length > 0) core.transact(() => core.learn(slice));
    return from >= observations.length;
  };
  await inSteps(step, () => true);
  return null;
}
