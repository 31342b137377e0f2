import { expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { AtWork } from '../../../src/organisation/timers.ts';

/** Takes alarms as the time they are set and their delay. Returns the times at which a note is made. */
async function notes(alarms: readonly (readonly [at: number, afterMs: number])[], isNoted = true): Promise<number[]> {
  let now = 0;
  const noted: number[] = [];
  const atWork = new AtWork(
    () => now,
    async () => {
      noted.push(now);
      return isNoted;
    },
  );
  for (const [at, afterMs] of alarms) {
    now = at;
    atWork.dueAt(now + afterMs);
    await Promise.resolve();
  }
  return noted;
}

const MINUTES = Array.from({ length: 40 }, (_, minute) => [minute * MINUTE_MS, SECOND_MS] as const);

it.each([
  ['work that goes on is noted every 15 minutes', MINUTES, true, [0, 15, 30]],
  ['a note that could not be made is made a minute later', MINUTES.slice(0, 3), false, [0, 1, 2]],
  ['what is due the next day is left to its alarm and the night', [[0, DAY_MS] as const], true, []],
])('%s', async (_, alarms, isNoted, minutes) => {
  expect(await notes(alarms, isNoted)).toEqual(minutes.map((minute) => minute * MINUTE_MS));
});
