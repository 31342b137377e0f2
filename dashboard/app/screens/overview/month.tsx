import { Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/client.ts';
import type { Usage } from '../../api/schema.ts';
import { formatCount, formatDollars, formatShare } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { endsAt } from './pace.ts';

/** What is used of the month, and when it ends at this pace. */
export function Month() {
  const organisation = useOrganisation();
  const api = useApi();
  const query = useQuery({ queryKey: [organisation.id, 'usage'], queryFn: () => answerOf(api.GET('/v1/usage')) });
  return (
    <Section title="This month">
      <Loaded query={query} lines={6}>
        {(usage) => (
          <Stack>
            <Quota
              name="Verifications"
              period={usage.period}
              used={usage.quota.used}
              limit={usage.quota.unmetered ? null : usage.quota.limit}
            />
            <Quota
              name="Screenings"
              period={usage.period}
              used={usage.screening.used ?? usage.calls.screen}
              limit={usage.screening.unmetered ? null : usage.screening.quota}
            />
            <Facts
              facts={[
                { name: 'Providers cost', value: formatDollars(usage.provider_spend_usd) },
                { name: 'Decisions', value: formatCount(usage.calls.decide) },
                { name: 'Free checks', value: formatCount(usage.calls.check) },
                { name: 'Rows of lists', value: formatCount(usage.bulk.rows_this_month) },
              ]}
            />
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

interface QuotaProps {
  readonly name: string;
  readonly period: Usage['period'];
  readonly used: number;
  /** Null: unmetered. */
  readonly limit: number | null;
}

function Quota({ name, period, used, limit }: QuotaProps) {
  const share = limit === null || limit <= 0 ? 0 : Math.min(1, used / limit);
  const end = limit === null ? null : endsAt(period, used, limit, Date.now() / 1000);
  return (
    <div>
      <Text size="sm" className="numbers">
        <b>{name}</b>: {formatCount(used)}
        {limit === null ? ', unmetered' : ` of ${formatCount(limit)} (${formatShare(share)})`}
      </Text>
      {limit !== null && (
        <Progress mt={4} value={share * 100} color={share >= 0.8 ? 'red' : 'blue'} aria-label={`${name} used`} />
      )}
      {limit !== null && (
        <Text size="xs" c="dimmed" mt={2}>
          {used >= limit ? (
            'Spent: calls are refused with 402 until the month ends.'
          ) : end === null ? (
            'At this pace it lasts the month.'
          ) : (
            <>
              At this pace it ends <Time at={end} />.
            </>
          )}
        </Text>
      )}
    </div>
  );
}
