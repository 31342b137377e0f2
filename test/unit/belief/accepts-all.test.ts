import { describe, expect, it } from 'vitest';
import {
  type AcceptsAllFlag,
  endOfFlag,
  flagInForce,
  sawAcceptsAll,
  seenAgainAs,
} from '../../../src/domain/belief/accepts-all.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';

const WEEK_MS = 7 * DAY_MS;

/** The flag after these observations, each of an organisation that saw the domain accept everything. */
const seen = (...observations: readonly [organisation: string, at: number][]): AcceptsAllFlag =>
  observations.reduce<AcceptsAllFlag | null>(
    (flag, [organisation, at]) => sawAcceptsAll(flag, organisation, true, at),
    null,
  ) ?? { weeks: [] };

describe('the flag of a domain', () => {
  it('is none where none is stored, and none once all its weeks are over', () => {
    const flag = seen(['a', 0]);
    expect(flagInForce(null, 0)).toBeNull();
    expect(flagInForce(flag, endOfFlag(flag))).toBeNull();
  });

  it('is kept until the newest of its weeks is over, and no longer', () => {
    const flag = seen(['a', 0], ['b', WEEK_MS]);
    const end = endOfFlag(flag);
    expect(end).toBe(endOfFlag(seen(['b', WEEK_MS])));
    expect(flagInForce(flag, end - 1)?.weeks).toEqual(seen(['b', WEEK_MS]).weeks);
    expect(flagInForce(flag, end)).toBeNull();
  });

  it('notes who saw it in the week of the observation alone', () => {
    const [before] = seen(['a', 0]).weeks;
    const { weeks } = seen(['a', 0], ['a', WEEK_MS], ['b', WEEK_MS]);
    expect(weeks[0]).toEqual(before);
    expect(weeks[1]?.seen_by).toEqual(['a', 'b']);
  });
});

describe('an organisation whose hash for a domain has changed', () => {
  const flag: AcceptsAllFlag = { weeks: [{ week: 1, accepts_all: true, seen_by: ['old', 'other'] }] };
  const seenBy = (of: AcceptsAllFlag) => of.weeks.map((week) => week.seen_by);

  it('counts once, by its hash now', () => {
    expect(seenBy(seenAgainAs(flag, ['old'], 'new'))).toEqual([['new', 'other']]);
    expect(seenBy(seenAgainAs(flag, ['old', 'other'], 'new'))).toEqual([['new']]);
  });

  it('leaves the flag as it is where none has', () => expect(seenAgainAs(flag, [], 'new')).toBe(flag));
});
