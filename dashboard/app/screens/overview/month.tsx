import { Progress, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usageQuery } from '../../api/queries.ts';
import type { Usage } from '../../api/schema.ts';
import { formatCount, formatSentences, formatShare, plural } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { FigureCard } from '../../parts/figure-card.tsx';
import { Loaded } from '../../parts/notices.tsx';
import { Time } from '../../parts/time.tsx';
import { type Allowance, allowancesOf, isNearlyUsed, usedShare } from './allowances.ts';
import { endsAt } from './pace.ts';

/** What is used of the month, and when it ends at this pace. */
export function Month() {
  const { id } = useOrganisation();
  const query = useQuery(usageQuery(useApi(), id));
  return (
    <section aria-label="This month">
      <Loaded query={query} lines={4}>
        {(usage) => {
          const { calls, bulk, period } = usage;
          return (
            <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', sm: 'lg' }}>
              {allowancesOf(usage).map((allowance) => (
                <AllowanceCard key={allowance.name} allowance={allowance} period={period} />
              ))}
              <FigureCard
                name="Calls of decide this month"
                value={formatCount(calls.decide)}
                note={formatSentences(
                  'Decisions about rows of lists are not counted here.',
                  plural(
                    calls.check,
                    '# free check (/v1/check) was made beside them.',
                    '# free checks (/v1/check) were made beside them.',
                  ),
                  plural(bulk.rows_this_month, 'Lists had # different address.', 'Lists had # different addresses.'),
                )}
              />
            </SimpleGrid>
          );
        }}
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
  if (limit === null) return <FigureCard name={name} value={format(used)} note="Unlimited." />;
  if (limit <= 0)
    return <FigureCard name={name} value={format(used)} note="The budget is $0, so no provider is asked." />;
  const share = usedShare(used, limit);
  const isNearly = isNearlyUsed(share);
  const note = (text: ReactNode) => (
    <>
      <Progress
        my={6}
        value={share * 100}
        color={isNearly ? 'orange.8' : 'var(--series)'}
        aria-label={`${name}: ${formatShare(share)} of ${format(limit)}`}
      />
      <Text span size="xs">
        {formatShare(share)} of {format(limit)}, {format(Math.max(0, limit - used))} left. {text}
      </Text>
    </>
  );
  return (
    <FigureCard name={name} value={format(used)} isBad={isNearly} note={note(paceText(allowance, limit, period))} />
  );
}

function paceText({ used, spent }: Allowance, limit: number, period: Usage['period']): ReactNode {
  if (used >= limit) return spent;
  const end = endsAt(period, used, limit, Date.now() / 1000);
  // That it lasts would contradict the mark of an allowance that needs a look.
  if (end === null)
    return isNearlyUsed(usedShare(used, limit)) ? 'It is nearly used.' : 'At this pace it lasts the month.';
  return (
    <>
      At this pace it ends <Time at={end} />.
    </>
  );
}
