import { Progress, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usageQuery } from '../../api/queries.ts';
import type { Usage } from '../../api/schema.ts';
import { formatCount, formatDollars, formatForm, formatShare } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { FigureCard } from '../../parts/figure-card.tsx';
import { Loaded } from '../../parts/notices.tsx';
import { Time } from '../../parts/time.tsx';
import { endsAt } from './pace.ts';

/** From here on an allowance needs a look: the first mail goes out. */
const NEARLY = 0.8;

/** What is used of the month, and when it ends at this pace. */
export function Month() {
  const { id } = useOrganisation();
  const query = useQuery(usageQuery(useApi(), id));
  return (
    <section aria-label="This month">
      <Loaded query={query} lines={4}>
        {(usage) => {
          const { quota, screening, budgets, calls, bulk, period } = usage;
          return (
            <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', sm: 'lg' }}>
              <Allowance
                name="Verifications this month"
                period={period}
                used={quota.used}
                limit={quota.unmetered ? null : quota.limit}
                format={formatCount}
                spent="Calls are refused (402) until the month ends."
              />
              <Allowance
                name="Screenings this month"
                period={period}
                used={screening.used ?? calls.screen}
                limit={screening.unmetered ? null : screening.quota}
                format={formatCount}
                spent="Screenings are refused (402) until the month ends."
              />
              <Allowance
                name="Paid to providers"
                period={period}
                used={budgets.providers.used_usd}
                limit={budgets.providers.limit_usd}
                format={formatDollars}
                spent="No provider is asked until the month ends."
              />
              <FigureCard
                name="Decisions this month"
                value={formatCount(calls.decide)}
                note={`${formatForm(calls.check, { one: '# free check', other: '# free checks' })}, ${formatForm(bulk.rows_this_month, { one: '# row of lists', other: '# rows of lists' })}`}
              />
            </SimpleGrid>
          );
        }}
      </Loaded>
    </section>
  );
}

interface AllowanceProps {
  readonly name: string;
  readonly period: Usage['period'];
  readonly used: number;
  /** Null: unlimited. */
  readonly limit: number | null;
  readonly format: (amount: number) => string;
  /** What follows once all is used. */
  readonly spent: string;
}

function Allowance({ name, period, used, limit, format, spent }: AllowanceProps) {
  if (limit === null) return <FigureCard name={name} value={format(used)} note="Unlimited." />;
  const share = limit <= 0 ? 1 : Math.min(1, used / limit);
  const note = (text: ReactNode) => (
    <>
      <Progress
        my={6}
        value={share * 100}
        color={share >= NEARLY ? 'orange.8' : 'var(--series)'}
        aria-label={`${name}: ${formatShare(share)} of ${format(limit)}`}
      />
      <Text span size="xs">
        {formatShare(share)} of {format(limit)}, {format(Math.max(0, limit - used))} left. {text}
      </Text>
    </>
  );
  return (
    <FigureCard
      name={name}
      value={format(used)}
      isBad={share >= NEARLY}
      note={note(paceText(period, used, limit, spent))}
    />
  );
}

function paceText(period: Usage['period'], used: number, limit: number, spent: string): ReactNode {
  if (used >= limit) return spent;
  const end = endsAt(period, used, limit, Date.now() / 1000);
  if (end === null) return 'At this pace it lasts the month.';
  return (
    <>
      At this pace it ends <Time at={end} />.
    </>
  );
}
