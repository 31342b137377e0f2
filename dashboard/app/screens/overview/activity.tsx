import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { seriesQuery } from '../../api/queries.ts';
import type { UsageSeries } from '../../api/schema.ts';
import { StackedDays } from '../../charts/stacked-days.tsx';
import { daysOfSeries, rangeOf, sumOf } from '../../lib/days.ts';
import { formatCount, formatDollars, formatGrowth, formatPoints, formatShare, plural } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { Facts } from '../../parts/facts.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { changeOf } from './change.ts';

type By = 'recommendation' | 'decision';

/** Calls of the last 30 days, by recommendation or by decision. */
export function Activity() {
  const organisation = useOrganisation();
  const api = useApi();
  const navigate = useNavigate();
  const { by: asked } = useSearch({ strict: false }) as { by?: string };
  const by = asked === 'decision' ? 'decision' : 'recommendation';
  const query = useQuery(seriesQuery(api, organisation.id, by));
  return (
    <Section
      title="Last 30 days"
      action={
        <SegmentedControl
          aria-label="Split by"
          data={[
            { value: 'recommendation', label: 'Recommendations' },
            { value: 'decision', label: 'Decisions' },
          ]}
          value={by}
          onChange={(value) =>
            void navigate({ to: '.', search: { by: value === 'decision' ? value : undefined } as never })
          }
        />
      }
    >
      <Loaded query={query} lines={7}>
        {(answer) => <Chart answer={answer} by={by} />}
      </Loaded>
    </Section>
  );
}

function Chart({ answer, by }: { readonly answer: UsageSeries; readonly by: By }) {
  const navigate = useNavigate();
  const { id } = useOrganisation();
  const { days, series } = daysOfSeries(answer);
  const total = sumOf(series.flatMap(({ counts }) => counts));
  const cost = answer.series.reduce(
    (sum, { points }) => sum + points.reduce((one, point) => one + point.cost_usd, 0),
    0,
  );
  if (total === 0)
    return (
      <Empty title="No calls yet">
        {by === 'decision'
          ? 'Calls to /v1/decide and lists with a policy show here.'
          : 'Try an address, or create a key and call the API.'}
      </Empty>
    );
  return (
    <Stack>
      <AgainstBefore answer={answer} by={by} />
      <StackedDays
        caption={`${by === 'decision' ? plural(total, '# decision', '# decisions') : plural(total, '# verification', '# verifications')}, ${formatDollars(cost)} paid to providers. Days in UTC; click one to open its log.`}
        days={days}
        series={series}
        onChoose={(day) =>
          void navigate({
            to: '/$organisation/log',
            params: { organisation: id },
            search: { time: rangeOf(day, day) } as never,
          })
        }
      />
    </Stack>
  );
}

const DAY_S = 86_400;

/** Calls and shares beside those of the days before. */
function AgainstBefore({ answer, by }: { readonly answer: UsageSeries; readonly by: By }) {
  const { id } = useOrganisation();
  const before = useQuery(seriesQuery(useApi(), id, by, { to: answer.from - DAY_S }));
  const change = before.data === undefined ? null : changeOf(daysOfSeries(answer), daysOfSeries(before.data));
  if (change === null) return null;
  const { calls, shares } = change;
  return (
    <div>
      <Facts
        facts={[
          {
            name: by === 'decision' ? 'Decisions per day' : 'Verifications per day',
            value: <Changed now={formatCount(calls.now)} by={formatGrowth(calls.now, calls.before)} />,
          },
          ...shares.map((share) => ({
            name: label(share.term),
            value: <Changed now={formatShare(share.now)} by={formatPoints(share.now, share.before)} />,
          })),
        ]}
      />
      <Text size="xs" c="dimmed" mt={6}>
        Compared with the 30 days before.
      </Text>
    </div>
  );
}

const Changed = ({ now, by }: { readonly now: string; readonly by: string }) => (
  <>
    <b>{now}</b>{' '}
    <Text span size="xs" c="dimmed">
      {by}
    </Text>
  </>
);
