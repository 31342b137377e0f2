import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { answerOf } from '../../api/client.ts';
import type { UsageSeries } from '../../api/schema.ts';
import { StackedDays } from '../../charts/stacked-days.tsx';
import { formatCount, formatDollars } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';

const DAY_S = 86_400;
/** From the best to the worst: so the bars are stacked. */
const ORDER = ['send', 'hold', 'challenge', 'drop', 'allow', 'allow_with_flow', 'review', 'challenge', 'deny'];

/** Calls of the last 30 days, by recommendation or by decision. */
export function Activity() {
  const organisation = useOrganisation();
  const api = useApi();
  const navigate = useNavigate();
  const { by: asked } = useSearch({ strict: false }) as { by?: string };
  const by = asked === 'decision' ? 'decision' : 'recommendation';
  const query = useQuery({
    queryKey: [organisation.id, 'series', by],
    queryFn: () => answerOf(api.GET('/v1/usage/series', { params: { query: { by } } })),
  });
  return (
    <Section
      title="The last 30 days"
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
        {(series) => <Chart series={series} by={by} />}
      </Loaded>
    </Section>
  );
}

function Chart({ series: { from, to, series }, by }: { readonly series: UsageSeries; readonly by: string }) {
  const days = Array.from({ length: Math.max(0, Math.round((to - from) / DAY_S)) }, (_, at) => from + at * DAY_S);
  const named = series.filter(({ value }) => value !== null && value !== '');
  const all = named
    .map(({ value, points }) => {
      const counts = new Map(points.map(({ at, calls }) => [at, calls]));
      return { term: value ?? '', counts: days.map((day) => counts.get(day) ?? 0) };
    })
    .toSorted((a, b) => ORDER.indexOf(a.term) - ORDER.indexOf(b.term));
  const total = all.reduce((sum, { counts }) => sum + counts.reduce((one, count) => one + count, 0), 0);
  const cost = series.reduce((sum, { points }) => sum + points.reduce((one, point) => one + point.cost_usd, 0), 0);
  if (total === 0)
    return (
      <Empty title="No call yet">
        {by === 'decision' ? 'Calls of /v1/decide show here.' : 'Try an address, or make a key and call the API.'}
      </Empty>
    );
  return (
    <StackedDays
      caption={`${formatCount(total)} calls, ${formatDollars(cost)} for providers. Days in UTC; today is not over.`}
      days={days}
      series={all}
      isLastOpen
    />
  );
}
