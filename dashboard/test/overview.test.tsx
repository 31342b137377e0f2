import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage } from './open-page.tsx';

const DAY_S = 86_400;
const FROM = 1_789_948_800;

it('the tile of decisions and the chart of decisions each say what they count', async () => {
  await openPage('overview?by=decision', 'viewer', ({ path }) => {
    if (path === '/v1/usage')
      return {
        period: { from: FROM, to: FROM + 30 * DAY_S },
        calls: { verify: 0, check: 2, screen: 0, decide: 5_076, bulk: 662 },
        quota: { limit: null, used: 5_738, remaining: null, unmetered: true },
        screening: { used: 0, quota: null, unmetered: true },
        budgets: { providers: { used_usd: 0, limit_usd: null } },
        bulk: { jobs_this_month: 3, rows_this_month: 662 },
      };
    if (path === '/v1/usage/series')
      return {
        from: FROM,
        to: FROM + 30 * DAY_S,
        interval: 'day',
        series: [{ value: 'allow', points: [{ at: FROM, calls: 5_186, cost_usd: 0 }] }],
      };
    return undefined;
  });
  const tile = await screen.findByText('Calls of decide this month');
  expect(tile.parentElement?.textContent).toContain(
    '5,076Decisions about rows of lists are not counted here. 2 free checks (/v1/check) were made beside them. Lists had 662 different addresses.',
  );
  await screen.findByText(/^5,186 decisions, of calls of decide and of lists with a policy\./);
});

const monthOf = (used: number) => ({
  period: { from: FROM, to: FROM + 30 * DAY_S },
  calls: { verify: 0, check: 0, screen: 0, decide: 0, bulk: 0 },
  quota: { limit: 10_000, used, remaining: 10_000 - used, unmetered: false },
  screening: { used: 0, quota: null, unmetered: true },
  // As of an account that a person has made: it has no provider budget.
  budgets: { providers: { used_usd: 0, limit_usd: 0 } },
  bulk: { jobs_this_month: 0, rows_this_month: 0 },
});

describe('an allowance', () => {
  it.each([
    [7_949, false, 'Nothing needs a look.'],
    [7_951, true, 'Needs a look: Verifications this month: 80% used.'],
  ])('of 10,000 with %i used is warned of by the share that is shown', async (used, isWarned, line) => {
    await openPage('overview', 'viewer', ({ path }) => {
      if (path === '/v1/usage') return monthOf(used);
      return path === '/v1/traces' ? { traces: [], cursor: null } : undefined;
    });
    const tile = await screen.findByText('Verifications this month');
    const text = tile.parentElement?.textContent ?? '';
    expect(text.includes('needs a look')).toBe(isWarned);
    expect(text.includes('it lasts the month')).toBe(!isWarned);
    await screen.findByText((shown) => shown.replaceAll('\u00a0', ' ') === line);
  });
});

it('a provider budget of $0 is said on its card, without an alarm there either', async () => {
  await openPage('overview', 'viewer', ({ path }) => {
    if (path === '/v1/usage') return monthOf(10);
    return path === '/v1/traces' ? { traces: [], cursor: null } : undefined;
  });
  const card = (await screen.findByText('Paid to providers')).parentElement;
  expect(card?.textContent).toBe('Paid to providers$0.00The budget is $0, so no provider is asked.');
  expect(card?.querySelector('[role="progressbar"], svg')).toBeNull();
  await screen.findByText('Nothing needs a look.');
});

it('the line at the top names calls that lacked a provider', async () => {
  const trace = { trace_id: 'vr_1', degraded: true, recommendation: 'hold', display: 'a', bounce_probability: 0.2 };
  await openPage('overview', 'viewer', ({ path }) => {
    if (path === '/v1/usage') return monthOf(10);
    return path === '/v1/traces'
      ? {
          traces: [1, 2].map((n) => ({ ...trace, trace_id: `vr_${n}`, degraded: n === 1, created_at: FROM })),
          cursor: null,
        }
      : undefined;
  });
  expect(await screen.findByText('Needs a look: Degraded: 1 of the newest 2 judgements.')).toBeDefined();
});
