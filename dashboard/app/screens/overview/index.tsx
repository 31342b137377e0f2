import { SegmentedControl, Stack, Text, Group, SimpleGrid, Progress, Box, Title } from '@mantine/core';
import { useQuery, useQueries } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf } from '../../api/client.ts';
import { seriesQuery, usageQuery } from '../../api/queries.ts';
import type { UsageSeries, Usage, TraceList } from '../../api/schema.ts';
import { StackedDays } from '../../charts/stacked-days.tsx';
import { type Allowance, allowancesOf } from '../../lib/allowances.ts';
import {
  formatCount,
  formatDollars,
  formatGrowth,
  formatPoints,
  formatShare,
  plural,
  formatEstimate,
} from '../../lib/format.ts';
import { useOrganisation, roleAllows } from '../../lib/organisation.ts';
import { daysOfSeries, rangeOf, sumOf } from '../../lib/period.ts';
import { label } from '../../lib/vocabulary.ts';
import { Facts } from '../../parts/facts.tsx';
import { FigureCard } from '../../parts/figure-card.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { ScreenLink } from '../../parts/screen-link.tsx';
import { Dimmed, Small } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { calibrationQuery } from '../learning/metric.ts';
import { changeOf, endsAt } from './figures.ts';

/** The account at a glance. Each panel loads and fails by itself. */
export default function Overview() {
  return (
    <Page title="Overview">
      <Checklist />
      <Month />
      <Activity />
      <Recent />
    </Page>
  );
}

type By = 'recommendation' | 'decision';

function Activity() {
  const organisation = useOrganisation();
  const navigate = useNavigate();
  const { by: asked } = useSearch({ strict: false }) as { by?: string };
  const by = asked === 'decision' ? 'decision' : 'recommendation';
  const query = useQuery(seriesQuery(organisation.id, by));
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

function AgainstBefore({ answer, by }: { readonly answer: UsageSeries; readonly by: By }) {
  const { id } = useOrganisation();
  const before = useQuery(seriesQuery(id, by, { to: answer.from - DAY_S }));
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
      <Small mt={6}>Compared with the 30 days before.</Small>
    </div>
  );
}

const Changed = ({ now, by }: { readonly now: string; readonly by: string }) => (
  <>
    <b>{now}</b> <Small span>{by}</Small>
  </>
);

/** First steps, from the account's data. Hidden once all are done. */
function Checklist() {
  const organisation = useOrganisation();
  const { api } = organisation;
  const isAdmin = roleAllows(organisation.role, 'admin');
  const { id } = organisation;
  const [usage, policy, calibration, keys, connections] = useQueries({
    queries: [
      usageQuery(id),
      {
        queryKey: [id, 'policy', 'default'],
        queryFn: () => answerOf(api.GET('/v1/policies/{slug}', { params: { path: { slug: 'default' } } })),
      },
      calibrationQuery(id),
      {
        queryKey: [id, 'keys'],
        queryFn: () => answerOf(api.GET('/v1/keys', { params: { query: { limit: 200 } } })),
        enabled: isAdmin,
      },
      { queryKey: [id, 'connections', 'any'], queryFn: () => answerOf(api.GET('/v1/connections')), enabled: isAdmin },
    ],
  });
  const calls = usage.data?.calls;
  const steps = [
    ...(isAdmin
      ? [
          {
            title: 'Create key for your server',
            to: 'keys' as const,
            isDone: keys.data?.keys.some(({ origin, revoked_at: revoked }) => origin === 'manual' && revoked === null),
          },
        ]
      : []),
    {
      title: 'Check a first address',
      to: 'try' as const,
      isDone: calls && calls.verify + calls.decide + calls.check + calls.screen + calls.bulk > 0,
    },
    { title: 'Set up your policy', to: 'policy' as const, isDone: policy.data && policy.data.policy.version > 1 },
    ...(isAdmin
      ? [
          {
            title: 'Connect your mail service',
            to: 'connections' as const,
            isDone: connections.data && connections.data.connections.length > 0,
          },
        ]
      : []),
    {
      title: 'Report outcomes to improve accuracy',
      to: 'learning' as const,
      isDone: calibration.data?.state === 'fitted',
    },
  ];
  const isKnown = steps.every(({ isDone }) => isDone !== undefined);
  const open = steps.filter(({ isDone }) => isDone !== true).length;
  if (!isKnown || open === 0) return null;
  return (
    <Section title="Get started" note={`${steps.length - open} of ${steps.length} done`}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="xs">
        {steps.map(({ title, to, isDone }) => (
          <Group key={to} gap="sm" wrap="nowrap">
            <Text component="span" lh={0} c={isDone === true ? 'var(--mark-good)' : 'dimmed'}>
              <Icon name={isDone === true ? 'check' : 'plus'} />
            </Text>
            {isDone === true ? <Dimmed>{title} (done)</Dimmed> : <ScreenLink to={to}>{title}</ScreenLink>}
          </Group>
        ))}
      </SimpleGrid>
    </Section>
  );
}

const SPENT: Readonly<Partial<Record<Allowance['of'], string>>> = {
  verifications: 'Calls get 402 until next month',
  screenings: 'Screenings get 402 until next month',
  providers: 'No lookups until next month',
};

/** Percent of an allowance at which the first mail goes out. */
const NEARLY = 80;

/** Usage of this month and its forecast. */
function Month() {
  const { id } = useOrganisation();
  const query = useQuery(usageQuery(id));
  return (
    <section aria-label="This month">
      <Loaded query={query} lines={4}>
        {(usage) => (
          <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', sm: 'md' }} className="tiles">
            {allowancesOf(usage).map(
              (allowance) =>
                allowance.of in SPENT && (
                  <AllowanceCard key={allowance.name} allowance={allowance} period={usage.period} />
                ),
            )}
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

function AllowanceCard({ allowance, period }: { readonly allowance: Allowance; readonly period: Usage['period'] }) {
  const { name, used, limit, format } = allowance;
  if (limit === null) return <FigureCard name={name} value={format(used)} note="This month, unlimited" />;
  // A budget of 0 is a choice and never "used up": self-made accounts start with none.
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

function paceText({ used, of }: Allowance, limit: number, period: Usage['period']): ReactNode {
  if (used >= limit) return `. ${SPENT[of]}`;
  const end = endsAt(period, used, limit, Date.now() / 1000);
  return (
    end !== null && (
      <>
        , used up <Time at={end} />
      </>
    )
  );
}

const SHOWN = 6;
const READ = 200;

type Row = TraceList['traces'][number];

function Lines({ title, traces }: { readonly title: string; readonly traces: readonly Row[] }) {
  return (
    <Stack gap={6}>
      <Title order={3} size="h6">
        {title}
      </Title>
      {traces.slice(0, SHOWN).map((trace) => (
        <Line key={trace.trace_id} trace={trace} />
      ))}
    </Stack>
  );
}

function Line({ trace }: { readonly trace: Row }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <ScreenLink to="log" search={{ trace: trace.trace_id }} truncate>
        {trace.display}
      </ScreenLink>
      <Group gap="sm" wrap="nowrap">
        <Text size="sm" className="numbers" w={56} ta="right">
          {formatEstimate(trace.bounce_probability)}
        </Text>
        <Box w={100}>
          <Mark term={trace.recommendation} />
        </Box>
        <Small w={80} visibleFrom="sm">
          <Time at={trace.created_at} />
        </Small>
      </Group>
    </Group>
  );
}

/** The newest verifications, and those without an answer of the provider asked. */
function Recent() {
  const { api, id } = useOrganisation();
  const query = useQuery({
    queryKey: [id, 'traces', 'newest'],
    queryFn: () => answerOf(api.GET('/v1/traces', { params: { query: { limit: READ } } })),
  });
  return (
    <Section title="Recent">
      <Loaded query={query} lines={6}>
        {({ traces }) => {
          if (traces.length === 0) return <Empty title="Nothing yet">Verifications show here as they happen.</Empty>;
          const degraded = traces.filter((trace) => trace.degraded);
          return (
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
              <Lines title="Newest" traces={traces} />
              {degraded.length === 0 ? (
                <Dimmed>No provider failures in the last {formatCount(traces.length)} verifications.</Dimmed>
              ) : (
                <Lines
                  title={`Degraded, ${formatShare(degraded.length / traces.length)} of the last ${formatCount(traces.length)}`}
                  traces={degraded}
                />
              )}
            </SimpleGrid>
          );
        }}
      </Loaded>
    </Section>
  );
}
