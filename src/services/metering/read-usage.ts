import { ROUTES } from '../../contract/routes.ts';
import {
  monthBounds,
  monthBudgets,
  screeningQuota,
  vendorSpendUsd,
  verificationQuota,
} from '../../domain/metering/usage.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { askObject } from '../../organisation/api.ts';
import { verb } from '../verb.ts';

export const readUsage = verb({
  route: ROUTES.usage,
  run: async ({ deps, organisationId }) => {
    const { usage, limits } = await askObject(deps.objects, organisationId).usage();
    const { fromMs, toMs } = monthBounds(usage.month);
    const { used, limit, unmetered } = screeningQuota(usage, limits);
    return {
      period: { from: epochSeconds(fromMs), to: epochSeconds(toMs) },
      calls: { ...usage.calls },
      provider_spend_usd: vendorSpendUsd(usage),
      quota: verificationQuota(usage, limits),
      screening: { used, quota: limit, unmetered, period: 'utc_month' as const },
      budgets: monthBudgets(usage, limits),
      bulk: { jobs_this_month: usage.bulkJobs, rows_this_month: usage.calls.bulk },
    };
  },
});
