import { Progress, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usageQuery } from '../../api/queries.ts';
import type { Usage } from '../../api/schema.ts';
import { formatCount, formatDollars, formatShare, plural } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { FigureCard } from '../../parts/figure-card.tsx';
import { Loaded } from '../../parts/notices.tsx';
import { Time } from '../../parts/time.tsx';
import { endsAt } from './pace.ts';

interface Allowance {
  readonly name: string;
  readonly used: number;
  /** Null: unlimited. */
  readonly limit: number | null;
  readonly format: (amount: number) => string;
  /** What follows once all is used. */
  readonly spent: string;
}

/** What a month has of each: a count or dollars. Only a budget may be of nothing: a count of 0 is unlimited. */
const allowancesOf = ({ quota, screening, budgets, calls }: Usage): readonly Allowance[] => [
  {
    name: 'Verifications',
    used: quota.used,
    limit: quota.unmetered ? null : quota.limit,
    format: formatCount,
    spent: 'Calls get 402 until next month',
  },
  {
    name: 'Screenings',
    used: screening.used ?? calls.screen,
    limit: screening.unmetered ? null : screening.quota,
    format: formatCount,
    spent: 'Screenings get 402 until next month',
  },
  {
    name: 'Provider spend',
    used: budgets.providers.used_usd,
    limit: budgets.providers.limit_usd,
    format: formatDollars,
    spent: 'No lookups until next month',
  },
];

/** Percent, from which on an allowance needs a look: the first mail goes out. */
const NEARLY = 80;

/** What is used of the month, and when it ends at this pace. */
export function Month() {
  const { id } = useOrganisation();
  const query = useQuery(usageQuery(useApi(), id));
  return (
    <section aria-label="This month">
      <Loaded query={query} lines={4}>
        {(usage) => (
          <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', sm: 'md' }} className="tiles">
            {allowancesOf(usage).map((allowance) => (
              <AllowanceCard key={allowance.name} allowance={allowance} period={usage.period} />
            ))}
            <FigureCard
              name="Decisions"
              value={formatCount(usage.calls.decide)}
              note={plural(usage.bulk.rows_this_month, '# address in lists', '# addresses in lists')}
            />
          </SimpleGrid>
        )}
      </Loaded>
    </section>
  );
}

interface AllowanceProps {
  readonly allowance: Allowance;
  readonly period: Usage['period'];
}

function AllowanceCard({ allowance, period }: AllowanceProps) {
  const { name, used, limit, format } = allowance;
  if (limit === null) return <FigureCard name={name} value={format(used)} note="This month, unlimited" />;
  // A budget of nothing is a choice, and never used up: an account that a person makes has no provider budget.
  if (limit <= 0) return <FigureCard name={name} value={format(used)} note="No budget: no lookups" />;
  const share = Math.min(1, used / limit);
  const isNearly = Math.round(share * 100) >= NEARLY;
  return (
    <FigureCard
      name={name}
      value={format(used)}
      isBad={isNearly}
      note={
        <>
          <Progress
            my={6}
            size="sm"
            value={share * 100}
            color={isNearly ? 'var(--mark-poor)' : 'var(--series)'}
            aria-label={`${name}: ${formatShare(share)} of ${format(limit)}`}
          />
          <Text span inherit>
            {formatShare(share)} of {format(limit)}
            {paceText(allowance, limit, period)}
          </Text>
        </>
      }
    />
  );
}

function paceText({ used, spent }: Allowance, limit: number, period: Usage['period']): ReactNode {
  if (used >= limit) return `. ${spent}`;
  const end = endsAt(period, used, limit, Date.now() / 1000);
  return (
    end !== null && (
      <>
        , used up <Time at={end} />
      </>
    )
  );
}
