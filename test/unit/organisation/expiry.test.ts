import { beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { createTestOrganisation, type TestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  stubNeon();
});

/** Lets the clock run to `endMs`, with every alarm that is set on the way. */
async function passTo({ object, storage }: TestOrganisation, endMs: number): Promise<void> {
  for (let alarms = 0; alarms < 200; alarms += 1) {
    const at = storage.alarmAt();
    if (at === null || at > endMs) break;
    vi.setSystemTime(Math.max(at, Date.now()));
    await object.tick();
  }
  vi.setSystemTime(endMs);
}

const operations = ({ storage }: TestOrganisation): unknown[] =>
  storage.sql.exec('select key from operation').toArray();

describe('the operations of a busy organisation', () => {
  // Some 3,000 verifications within half a minute is what the default rate lets through.
  it('forgets as fast as it was filled: a burst’s operations are gone soon after their hour', async () => {
    const organisation = await createTestOrganisation();
    for (let i = 0; i < 3_000; i += 1) await organisation.authorize({ operationId: `vr_${i}` });
    await passTo(organisation, START_MS + HOUR_MS + 30 * SECOND_MS);
    expect(operations(organisation)).toHaveLength(0);
  });

  it('takes back what was never finished, and nothing of the next month', async () => {
    const organisation = await createTestOrganisation();
    vi.setSystemTime(Date.UTC(2026, 10, 30, 23, 30));
    await organisation.authorize({ operationId: 'vr_november' });
    vi.setSystemTime(Date.UTC(2026, 11, 1, 0, 15));
    await organisation.authorize({ operationId: 'vr_december' });
    await organisation.authorize({ operationId: 'vr_finished' });
    await organisation.commit('vr_finished');
    await passTo(organisation, Date.UTC(2026, 11, 1, 0, 40));
    expect((await organisation.usage()).calls.verify).toBe(2);
    await passTo(organisation, Date.UTC(2026, 11, 1, 2, 0));
    expect((await organisation.usage()).calls.verify).toBe(1);
  });
});
