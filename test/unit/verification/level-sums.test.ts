import { describe, expect, it } from 'vitest';
import { LevelSums } from '../../../src/domain/verification/level-sums.ts';

/** More names than the array has room for at first. */
const NAMES = Array.from({ length: 40 }, (_, index) => `name-${index}`);

describe('sums by name', () => {
  it('add what is given, times its factor, each name apart', () => {
    const sums = new LevelSums(2);
    sums.add('one', [1, 2], 1);
    sums.add('other', [10, 20], 1);
    sums.add('one', [3, 5], 2);
    expect([sums.of('one'), sums.of('other')]).toEqual([
      [7, 12],
      [10, 20],
    ]);
    expect([...sums.names]).toEqual(['one', 'other']);
  });

  it('keep every sum when they outgrow their array', () => {
    const sums = new LevelSums(2);
    for (const [index, name] of NAMES.entries()) sums.add(name, [index, -index], 1);
    for (const name of NAMES) sums.add(name, [0.5, 0.25], 1);
    expect(NAMES.map((name) => sums.of(name))).toEqual(NAMES.map((_, index) => [index + 0.5, 0.25 - index]));
  });

  it('give a copy: what a caller does with it changes no sum', () => {
    const sums = new LevelSums(1);
    sums.add('one', [1], 1);
    sums.of('one')?.fill(9);
    expect(sums.of('one')).toEqual([1]);
  });

  it('count a value that is missing as 0', () => {
    const sums = new LevelSums(2);
    sums.add('one', [1], 1);
    expect(sums.of('one')).toEqual([1, 0]);
    expect(sums.without('one', [0.25])).toEqual([0.75, 0]);
  });

  it('leave one of those that were added out, and stay as they are', () => {
    const sums = new LevelSums(2);
    sums.add('one', [1, 2], 1);
    sums.add('one', [4, 8], 1);
    expect(sums.without('one', [1, 2])).toEqual([4, 8]);
    expect(sums.of('one')).toEqual([5, 10]);
  });

  it('have none of a name that was never added, nor of any once cleared', () => {
    const sums = new LevelSums(1);
    sums.add('one', [1], 1);
    expect([sums.has('one'), sums.has('other'), sums.of('other'), sums.without('other', [1])]).toEqual([
      true,
      false,
      null,
      null,
    ]);
    sums.clear();
    expect([sums.has('one'), sums.of('one'), [...sums.names]]).toEqual([false, null, []]);
    sums.add('one', [2], 1);
    expect(sums.of('one')).toEqual([2]);
  });
});
