import { describe, expect, it } from 'vitest';
import {
  DOMAIN_LEVELS,
  type LevelRest,
  type Levels,
  LIST_LEVELS,
  type Said,
} from '../../../src/domain/verification/history.ts';
import { partOf } from '../../../src/domain/verification/history-codec.ts';
import { areAlike, areRestsAlike, keptPart } from '../../../src/domain/verification/level-sweep.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';

const KINDS = ['domain', 'list'] as const;
const AT = 20_000 * DAY_MS;
const filled = (width: number, value: number): number[] => Array.from({ length: width }, () => value);

describe('a part', () => {
  const SAID: Said = {
    domain: Array.from({ length: DOMAIN_LEVELS }, (_, at) => -at / 4),
    list: Array.from({ length: LIST_LEVELS }, (_, at) => -at / 2),
    counted: 'delivered',
    isReported: { domain: false, list: false },
  };
  const HALF_LIVES = { domain: 365 * DAY_MS, list: 120 * DAY_MS } as const;
  const off = (kind: 'domain' | 'list', by: number): Said => ({ ...SAID, [kind]: SAID[kind].with(0, by) });

  it('is none where its address says nothing, and what it says where it had none', () => {
    expect(keptPart(partOf(SAID, AT), null, AT)).toBeNull();
    expect(keptPart(null, SAID, AT)).toEqual(partOf(SAID, AT));
  });

  it.each(KINDS)(
    'stays the one it is up to .02 off at a level of its %s, either way, and is written anew beyond',
    (kind) => {
      const old = partOf(SAID, AT);
      for (const by of [0, 0.02, -0.02]) expect(keptPart(old, off(kind, by), AT)).toBe(old);
      for (const by of [0.021, -0.021, 3]) {
        const said = off(kind, by);
        expect(keptPart(old, said, AT)).toEqual(partOf(said, AT));
      }
    },
  );

  it('is written anew where its address is counted elsewhere', () => {
    for (const counted of ['refused', null] as const)
      expect(keptPart(partOf(SAID, AT), { ...SAID, counted }, AT)).toEqual(partOf({ ...SAID, counted }, AT));
  });

  it.each(KINDS)('is compared as it has faded: half of it is left of its %s after the half-life', (kind) => {
    const part = (fade: number): Said => ({
      ...SAID,
      domain: filled(DOMAIN_LEVELS, 0),
      list: filled(LIST_LEVELS, 0),
      [kind]: SAID[kind].map((value) => fade * value),
    });
    const [then, now] = [part(1), part(0.5)];
    const later = AT + HALF_LIVES[kind];
    const old = partOf(then, AT);
    expect(keptPart(old, now, later)).toBe(old);
    expect(keptPart(old, then, later)).toEqual(partOf(then, later));
  });
});

describe('levels that are kept', () => {
  const LEVELS: Levels = {
    values: Float32Array.from({ length: LIST_LEVELS }, (_, at) => -at),
    at: AT,
    isReported: true,
    stoppedOn: 20_000,
    refused: 3,
    delivered: 5,
  };
  const REST: LevelRest = { values: LEVELS.values, at: AT, refused: -3, delivered: 5 };
  const off = (by: number, at = 4): Pick<Levels, 'values'> => ({ values: LEVELS.values.with(at, -at + by) });
  const half = { values: LEVELS.values.map((value) => value / 2), at: AT + 120 * DAY_MS };

  it.each<[string, Partial<Levels>, boolean]>([
    ['the same', {}, true],
    ['one level off by less than .004, upwards', off(0.0039), true],
    ['one level off by less than .004, downwards', off(-0.0039), true],
    ['one level off by more, upwards', off(0.0041), false],
    ['one level off by more, downwards', off(-0.0041), false],
    ['moved by a report now', { isReported: false }, false],
    ['one more refused', { refused: 4 }, false],
    ['one less reached', { delivered: 4 }, false],
    ['stopped on an earlier day', { stoppedOn: 19_999 }, true],
    ['stopped on a later day', { stoppedOn: 20_001 }, false],
    ['never stopped', { stoppedOn: null }, true],
    ['half of them a half-life later', half, true],
    ['all of them a half-life later', { at: half.at }, false],
  ])('are left alone, or not, by what a sweep finds: %s', (_, change, isAlike) => {
    expect(areAlike('list', LEVELS, { ...LEVELS, ...change })).toBe(isAlike);
  });

  it('are written anew where only a sweep finds a day on which a signup was refused', () => {
    const never = { ...LEVELS, stoppedOn: null };
    expect([areAlike('list', never, LEVELS), areAlike('list', never, never)]).toEqual([false, true]);
  });

  it('are left alone where a level that counts for nothing is further down, and not where it begins to', () => {
    const low = (value: number): Levels => ({ ...LEVELS, values: LEVELS.values.with(4, value) });
    expect(areAlike('list', low(-50), low(-90))).toBe(true);
    expect(areAlike('list', low(-90), low(-50))).toBe(true);
    expect(areAlike('list', low(-39.9), low(-90))).toBe(false);
    expect(areAlike('list', low(-90), low(-39.9))).toBe(false);
  });

  it.each<[string, Partial<LevelRest>, boolean]>([
    ['the same', {}, true],
    ['one level off by less than .004, upwards', off(0.0039), true],
    ['one level off by less than .004, downwards', off(-0.0039), true],
    ['one level off by more, upwards', off(0.0041), false],
    ['one level off by more, downwards', off(-0.0041), false],
    ['one more refused', { refused: -2 }, false],
    ['one less reached', { delivered: 4 }, false],
    ['half of them a half-life later', half, true],
    ['all of them a half-life later', { at: half.at }, false],
  ])('beside the parts are left alone, or not, by what a sweep finds: %s', (_, change, isAlike) => {
    expect(areRestsAlike('list', REST, { ...REST, ...change })).toBe(isAlike);
  });
});
