import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestOrganisation, type TestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

const adopt = ({ object }: TestOrganisation, version: string | null, computedAt: number) =>
  object.adoptCalibration({ version, computedAt });

describe('the calibration in force', () => {
  it('is told with every admission once a fit was adopted, and after a restart', async () => {
    const organisation = await createTestOrganisation();
    expect(await organisation.admit()).not.toHaveProperty('calibration');
    await adopt(organisation, 'fit-1', 1);
    expect(await organisation.admit()).toMatchObject({ ok: true, calibration: 'fit-1' });
    organisation.evict();
    expect(await organisation.admit({ faulty: true })).toMatchObject({ calibration: 'fit-1' });
  });

  it.each([
    { when: 'told twice', later: [['fit-1', 5]], stands: 'fit-1' },
    { when: 'a later run finds another', later: [['fit-2', 6]], stands: 'fit-2' },
    { when: 'an older run comes late', later: [['fit-0', 4]], stands: 'fit-1' },
    { when: 'a later run falls back to the tables', later: [[null, 6]], stands: undefined },
    {
      when: 'an older run comes after the tables are back',
      later: [
        [null, 6],
        ['fit-0', 4],
      ],
      stands: undefined,
    },
  ] as const)('$when: the latest run stands', async ({ later, stands }) => {
    const organisation = await createTestOrganisation();
    await adopt(organisation, 'fit-1', 5);
    for (const [version, at] of later) await adopt(organisation, version, at);
    const admitted = await organisation.admit();
    expect('calibration' in admitted ? admitted.calibration : undefined).toBe(stands);
  });

  it('does not come to a deleted organisation', async () => {
    const organisation = await createTestOrganisation();
    await organisation.object.destroy();
    await adopt(organisation, 'fit-1', 1);
    expect(organisation.dump().calibration).toEqual([]);
  });
});
