import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type AlertsChange, alertMail, reachedAlerts } from '../../../src/domain/metering/organisation-settings.ts';
import { DEFAULT_LIMITS, emptyUsage, type Limits, type Usage } from '../../../src/domain/metering/usage.ts';
import { type Id, newId } from '../../../src/kernel/ids.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { createTestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

const usage = (change: Partial<Usage>): Usage => ({ ...emptyUsage('2026-11'), ...change });
const calls = (verify: number, screen = 0) => ({ ...emptyUsage('2026-11').calls, verify, screen });
const LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  verificationQuota: 100,
  screeningAllowance: 10,
  providerBudgetMicros: 1_000,
};

describe('the shares of a month', () => {
  it.each<[used: string, used: Usage, limits: Limits, reached: string[]]>([
    ['nothing', usage({}), LIMITS, []],
    ['79 of 100', usage({ calls: calls(79) }), LIMITS, []],
    ['80 of 100', usage({ calls: calls(80) }), LIMITS, ['verifications 80']],
    ['all, and more', usage({ calls: calls(130) }), LIMITS, ['verifications 100', 'verifications 80']],
    ['screenings', usage({ calls: calls(0, 9) }), LIMITS, ['screenings 80']],
    ['a budget', usage({ spendMicros: 800, providerMicros: 800 }), LIMITS, ['providers 80']],
    ['enrichment', usage({ enrichmentMicros: 25_000_000 }), LIMITS, ['enrichment 100', 'enrichment 80']],
    ['what is not bounded', usage({ calls: calls(999) }), { ...LIMITS, verificationQuota: 0 }, []],
    ['a budget of none', usage({ enrichmentMicros: 5 }), { ...LIMITS, enrichmentBudgetMicros: 0 }, []],
  ])('%s', (_, used, limits, reached) => {
    expect(reachedAlerts(used, limits).map(({ of, share }) => `${of} ${share}`)).toEqual(reached);
  });

  it('have numbers, and a subject of one line', () => {
    const used = usage({ spendMicros: 0, providerMicros: 820 });
    const { subject, text } = alertMail({ month: '2026-11', of: 'providers', share: 80 }, used, LIMITS, 'A\nB');
    expect(subject).toBe('80 % of the provider budget is used: A B');
    expect(text).toContain('$0.00 of $0.00');
  });
});

describe('an organisation', () => {
  const mails: string[] = [];
  const receivers: string[] = [];
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
    stubNeon();
    mails.length = 0;
    receivers.length = 0;
    vi.spyOn(console, 'info').mockImplementation((line: string) => {
      const { event, subject, to } = JSON.parse(line);
      if (event !== 'mail' || /admin/.test(subject)) return;
      mails.push(subject);
      receivers.push(to);
    });
  });

  async function metered(verificationQuota: number, roles: readonly ('admin' | 'viewer')[]) {
    const organisation = await createTestOrganisation({ verificationQuota });
    const people: Id<'u'>[] = [];
    for (const [place, role] of roles.entries()) {
      const userId = newId('u', START_MS + place);
      people.push(userId);
      const person = {
        userId,
        email: `${'abc'[place]}@acme.example`,
        name: null,
        createdAt: START_MS,
        createdBy: 'operator' as const,
      };
      await organisation.object.putMember({ member: { ...person, role }, actor: 'operator' });
    }
    let id = 0;
    const spend = async (count: number) => {
      for (let i = 0; i < count; i += 1) {
        id += 1;
        await organisation.authorize({ operationId: `vr_${id}`, traceId: `vr_${id}` });
        await organisation.commit(`vr_${id}`);
      }
      for (let i = 0; i < 3; i += 1) {
        vi.setSystemTime(Date.now() + 400_000);
        await organisation.object.tick();
      }
    };
    const set = (alerts: AlertsChange) => organisation.object.changeOrganisation({ actor: 'operator', alerts });
    return { ...organisation, people, spend, set };
  }

  it('alerts its admins at 80 and at 100 %, each once a month', async () => {
    const { spend } = await metered(10, ['admin', 'viewer', 'admin']);
    await spend(7);
    expect(mails).toEqual([]);
    await spend(1);
    await spend(1);
    const eighty = '80 % of the verification quota is used: Acme';
    expect(mails).toEqual([eighty, eighty]);
    await spend(1);
    await spend(0);
    expect(mails.slice(2)).toEqual(Array(2).fill('100 % of the verification quota is used: Acme'));
    vi.setSystemTime(Date.UTC(2026, 11, 2));
    await spend(8);
    expect(mails.slice(4)).toEqual([eighty, eighty]);
  });

  it('gets only the last alert when it uses all at once', async () => {
    const { spend } = await metered(2, ['admin']);
    await spend(2);
    expect(mails).toEqual(['100 % of the verification quota is used: Acme']);
  });

  const off = (share: 80 | 100) => ({ alerts: [{ of: 'verifications', share, enabled: false } as const] });

  it('gets the other alert alone when it has switched one off', async () => {
    const { spend, set } = await metered(10, ['admin']);
    await set(off(80));
    await spend(9);
    expect(mails).toEqual([]);
    await spend(1);
    expect(mails).toEqual(['100 % of the verification quota is used: Acme']);
  });

  it('is alerted at 80 % when it has switched off the last one, though all is used', async () => {
    const { spend, set } = await metered(2, ['admin']);
    await set(off(100));
    await spend(2);
    expect(mails).toEqual(['80 % of the verification quota is used: Acme']);
  });

  it('alerts the members that it chose; every admin, once those have left', async () => {
    const { spend, set, object, people } = await metered(10, ['admin', 'viewer', 'admin']);
    const chosen = people[1] as Id<'u'>;
    await set({ recipients: [chosen] });
    await spend(8);
    expect(receivers).toEqual(['b•••@acme.example']);
    await object.removeMember({ userId: chosen, actor: 'operator' });
    await spend(2);
    expect(receivers.slice(1)).toEqual(['a•••@acme.example', 'c•••@acme.example']);
  });

  it('without an admin sends nothing, and continues', async () => {
    const { spend, object } = await metered(2, ['viewer']);
    await spend(2);
    expect(mails).toEqual([]);
    expect((await object.status())?.usage.calls.verify).toBe(2);
  });
});
