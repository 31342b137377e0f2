import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
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
        budgets: { providers: { used_usd: 0, limit_usd: null }, enrichment: { used_usd: 0, limit_usd: 0 } },
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
  const tile = await screen.findByText('Decisions', { selector: '.tile *' });
  expect(tile.parentElement?.textContent).toBe('Decisions5,076662 addresses in lists');
  await screen.findByText(/^5,186 decisions, \$0\.00 paid to providers\./);
});

const monthOf = (used: number) => ({
  period: { from: FROM, to: FROM + 30 * DAY_S },
  calls: { verify: 0, check: 0, screen: 0, decide: 0, bulk: 0 },
  quota: { limit: 10_000, used, remaining: 10_000 - used, unmetered: false },
  screening: { used: 0, quota: null, unmetered: true },
  // As of an account that a person has made: it has no provider budget.
  budgets: { providers: { used_usd: 0, limit_usd: 0 }, enrichment: { used_usd: 0, limit_usd: 0 } },
  bulk: { jobs_this_month: 0, rows_this_month: 0 },
});

it.each([
  [7_949, false],
  [7_951, true],
])('an allowance of 10,000 with %i used is warned of by the share that is shown', async (used, isWarned) => {
  await openPage('overview', 'viewer', ({ path }) => (path === '/v1/usage' ? monthOf(used) : undefined));
  const tile = (await screen.findByText('Verifications')).closest('.tile');
  expect(tile?.textContent?.includes('needs a look')).toBe(isWarned);
});

it('a provider budget of $0 is said on its card, without an alarm', async () => {
  await openPage('overview', 'viewer', ({ path }) => (path === '/v1/usage' ? monthOf(10) : undefined));
  const card = (await screen.findByText('Provider spend')).closest('.tile');
  expect(card?.textContent).toBe('Provider spend$0.00No budget: no lookups');
  expect(card?.querySelector('[role="progressbar"], svg')).toBeNull();
});

it('verifications that lacked a provider stand apart, with their share', async () => {
  const trace = { recommendation: 'hold', display: 'a', bounce_probability: 0.2, created_at: FROM };
  const traces = [1, 2].map((n) => ({ ...trace, trace_id: `vr_${n}`, degraded: n === 1 }));
  await openPage('overview', 'viewer', ({ path }) => (path === '/v1/traces' ? { traces, cursor: null } : undefined));
  expect(await screen.findByText('Degraded, 50% of the last 2')).toBeDefined();
});
