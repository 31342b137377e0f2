import { describe, expect, it } from 'vitest';
import { pause, within } from '../../src/kernel/clock.ts';
import { VirtualTime } from '../support/virtual-time.ts';

describe('virtual time', () => {
  it('passes from timer to timer, in their order, in no time at all', async () => {
    const time = new VirtualTime();
    const seen: [string, number][] = [];
    const note = (name: string) => seen.push([name, time.now()]);
    await time.run(async () => {
      const slow = pause(3_600_000).then(() => note('an hour'));
      const first = pause(10).then(() => note('first'));
      const second = pause(10).then(() => note('second'));
      expect(await within(pause(50), 20)).toBeTypeOf('symbol');
      note('late');
      expect(
        await within(
          pause(5).then(() => 'in time'),
          20,
        ),
      ).toBe('in time');
      note('in time');
      await Promise.all([slow, first, second]);
    });
    expect(seen).toEqual([
      ['first', 10],
      ['second', 10],
      ['late', 20],
      ['in time', 25],
      ['an hour', 3_600_000],
    ]);
  });

  it('leaves the real timers as they were, also after a failure', async () => {
    const { setTimeout: before } = globalThis;
    await expect(new VirtualTime().run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(globalThis.setTimeout).toBe(before);
  });

  it('does not wait for what can not come', async () => {
    await expect(new VirtualTime().run(() => new Promise(() => undefined))).rejects.toThrow('waits for nothing');
  });
});
