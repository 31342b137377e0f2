import { Alert, Box, Button, Code, Group, List, SimpleGrid, Stack, Text, Table } from '@mantine/core';
import { useQuery, queryOptions } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useMemo } from 'react';
import type { ServiceStatus, DirectoryEntry, Operations } from '../../api/operations.ts';
import { callAuth } from '../../api/session.ts';
import { useFilters } from '../../lib/filters.ts';
import { formatAgo, formatCount, formatNumber, formatRow, formatDollars, formatShare } from '../../lib/format.ts';
import { fieldLabel, label } from '../../lib/vocabulary.ts';
import { FigureCard } from '../../parts/figure-card.tsx';
import { Head, type HeadCells } from '../../parts/head.tsx';
import { Icon } from '../../parts/icons.tsx';
import { ListSearch, NothingFits } from '../../parts/list-filters.tsx';
import { LongTable, placed, type RowPlace } from '../../parts/long-table.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { ScrollTable } from '../../parts/scroll-table.tsx';
import { Dimmed, Small, Strong } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';

/** Read-only status of the service for its operators. */
export default function Operator() {
  const query = useQuery(operationsQuery);
  return (
    <Box component="main" maw={1200} mx="auto" p={{ base: 'md', sm: 'xl' }}>
      <Page
        title="Operator"
        description="Service health across all organisations."
        action={
          <Group gap="xs">
            <Button variant="default" onClick={() => void query.refetch()} loading={query.isFetching}>
              Refresh
            </Button>
            <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
              Go to the dashboard
            </Button>
          </Group>
        }
      >
        <Loaded query={query} lines={12}>
          {({ status, directory }) => (
            <Stack gap="lg">
              <Dimmed>
                Updated <Time at={query.dataUpdatedAt / 1000} />
              </Dimmed>
              <Faults status={status} />
              <Totals status={status} />
              <Organisations status={status} directory={directory} />
              <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
                <Providers providers={status.providers} />
                <DeadLetters letters={status.dead_letters} />
              </SimpleGrid>
              <Nights steps={status.cron} />
            </Stack>
          )}
        </Loaded>
      </Page>
    </Box>
  );
}

/** Problems of the service, and missing parts of this page. */
function Faults({ status: { settings, unread } }: { readonly status: ServiceStatus }) {
  return (
    <>
      {settings.length > 0 && (
        <Alert color="red" variant="light" title="Invalid settings">
          <List size="sm">
            {settings.map(({ setting, problem, off }) => (
              <List.Item key={`${setting} ${problem}`}>
                <Code>{setting}</Code> {problem}: {off}.
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {unread.length > 0 && (
        <Alert color="yellow" variant="light" title="Some data couldn’t be read">
          {unread.join('; ')}.
        </Alert>
      )}
    </>
  );
}

function Totals({ status: { totals } }: { readonly status: ServiceStatus }) {
  const { outbox_age_s: age } = totals;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      <FigureCard
        name="Organisations"
        value={formatCount(totals.organisations)}
        note={unreachableText(totals.unreachable)}
      />
      <FigureCard
        name="Outbox rows"
        value={formatCount(totals.outbox_rows)}
        note={age === null ? 'none waiting' : `the oldest: ${formatAgo(age)}`}
        isBad={(age ?? 0) > OLD_S}
      />
      <FigureCard
        name="Rejected rows"
        value={formatCount(totals.outbox_dead)}
        note="by Postgres, ever"
        isBad={totals.outbox_dead > 0}
      />
      <FigureCard name="Erasures open" value={formatCount(totals.erasures)} note="addresses to forget" />
      <FigureCard
        name="Failed jobs"
        value={formatCount(totals.jobs_failed)}
        note="on our side, ever"
        isBad={totals.jobs_failed > 0}
      />
      <FigureCard
        name="Dead letters"
        value={formatCount(totals.dead_letters)}
        note="in 14 days"
        isBad={totals.dead_letters > 0}
      />
    </SimpleGrid>
  );
}

/** Age from which an outbox row means that Postgres is out of reach. */
const OLD_S = 300;

const unreachableText = (count: number): string =>
  count === 0 ? 'all answered' : `${formatCount(count)} did not answer`;

function DeadLetters({ letters }: { readonly letters: ServiceStatus['dead_letters'] }) {
  return (
    <Section title="Dead letters" note="Messages that failed in the last 14 days. Most are retried automatically.">
      {letters.length === 0 ? (
        <Empty title="No dead letters">All messages were processed.</Empty>
      ) : (
        <Stack gap="md">
          {letters.map(({ queue, count, newest_age_s: age, newest }) => (
            <div key={queue}>
              <Group justify="space-between" gap="xs">
                <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {queue}
                </Text>
                <Text size="sm" className="numbers">
                  {formatCount(count)}, the newest {formatAgo(age)}
                </Text>
              </Group>
              <Code block mt={4} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {newest}
              </Code>
            </div>
          ))}
        </Stack>
      )}
    </Section>
  );
}

type CronStep = ServiceStatus['cron'][number];

/** Age from which a nightly step has missed a run. */
const MISSED_S = 27 * 3_600;

const fieldsOf = (report: unknown): readonly (readonly [string, unknown])[] => Object.entries(Object(report) as object);

/** What failed in a step; null if nothing. */
function faultOf({ report, age_s: age }: CronStep): string | null {
  const { failed } = Object(report) as { readonly failed?: unknown };
  if (typeof failed === 'string') return failed === 'unfinished' ? 'Not finished' : 'Failed';
  if (typeof failed === 'number' && failed > 0) return `Failed for ${failed}`;
  return age > MISSED_S ? 'Late' : null;
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : formatRow(value.map(valueText));
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Last run and report of each nightly step. */
const Nights = ({ steps }: { readonly steps: readonly CronStep[] }) => (
  <Section title="Nightly runs" note="Last run of each step.">
    {steps.length === 0 ? (
      <Empty title="No night yet">The first nightly run begins at 03:17 UTC.</Empty>
    ) : (
      <ScrollTable minWidth={520} isPlain fz="sm" verticalSpacing="xs">
        <Head cells={['Step', 'State', 'Ended', 'Report']} />
        <Table.Tbody className="numbers">
          {steps.map((step) => {
            const fault = faultOf(step);
            return (
              <Table.Tr key={step.step}>
                <Table.Td fw={500} style={{ whiteSpace: 'nowrap' }}>
                  {label(step.step)}
                </Table.Td>
                <Table.Td>
                  <Group gap={4} wrap="nowrap">
                    <Text component="span" lh={0} c={`var(--mark-${fault === null ? 'good' : 'poor'})`}>
                      <Icon name={fault === null ? 'check' : 'warning'} size={15} />
                    </Text>
                    {fault ?? 'Done'}
                  </Group>
                </Table.Td>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatAgo(step.age_s)}</Table.Td>
                <Table.Td>
                  <Small style={{ overflowWrap: 'anywhere' }}>
                    {fieldsOf(step.report)
                      .map(([name, value]) => `${fieldLabel(name)}: ${valueText(value)}`)
                      .join(' · ')}
                  </Small>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </ScrollTable>
    )}
  </Section>
);

type Counted = ServiceStatus['organisations'][number];

interface Row {
  readonly id: string;
  readonly entry: DirectoryEntry | undefined;
  /** Undefined if its object did not answer. */
  readonly counted: Counted | undefined;
}

const ROW_PX = 58;

const HEAD: HeadCells = [
  'Organisation',
  ['Created', { w: 110 }],
  ['Quota a month', { w: 100, ta: 'right' }],
  ['Vendors, this month', { w: 130, ta: 'right' }],
  ['Outbox', { w: 100, ta: 'right' }],
  ['Rejected', { w: 90, ta: 'right' }],
  ['Erasures', { w: 90, ta: 'right' }],
  ['Failed jobs', { w: 90, ta: 'right' }],
];

/** Sort weight: problems first. */
const weightOf = ({ counted }: Row): number =>
  counted === undefined
    ? Number.POSITIVE_INFINITY
    : counted.outbox_dead + counted.jobs_failed + (counted.outbox_age_s ?? 0) + counted.erasures;

/** Organisations of the status, with names if the directory could be read. */
function rowsOf({ organisations, unreachable }: ServiceStatus, directory: readonly DirectoryEntry[] | null): Row[] {
  const entries = new Map(directory?.map((entry) => [entry.id, entry]));
  return [
    ...unreachable.map((id) => ({ id, entry: entries.get(id), counted: undefined })),
    ...organisations.map((counted) => ({ id: counted.id, entry: entries.get(counted.id), counted })),
  ].toSorted((one, other) => weightOf(other) - weightOf(one));
}

function Organisations({
  status,
  directory,
}: {
  readonly status: ServiceStatus;
  readonly directory: readonly DirectoryEntry[] | null;
}) {
  const [{ q = '' }] = useFilters();
  const wanted = q.toLowerCase();
  const all = useMemo(() => rowsOf(status, directory), [status, directory]);
  const rows = all.filter(
    ({ id, entry }) => wanted === '' || id.includes(wanted) || entry?.name.toLowerCase().includes(wanted) === true,
  );
  return (
    <Section
      title="Organisations"
      note="Problems first, then newest."
      action={<ListSearch title="Search organisations" placeholder="Name or id" />}
    >
      {all.length === 0 ? (
        <Empty title="No organisation yet">The first one is made by `npm run operator -- org create`.</Empty>
      ) : rows.length === 0 ? (
        <NothingFits names={['q']} />
      ) : (
        <LongTable
          name="Organisations"
          rows={rows}
          hasMore={false}
          keyOf={({ id }) => id}
          head={HEAD}
          minWidth={1000}
          rowHeight={ROW_PX}
          isPlain
        >
          {(row, { at, measure }) => <OrganisationRow row={row} at={at} measure={measure} />}
        </LongTable>
      )}
    </Section>
  );
}

const OrganisationRow = memo(function OrganisationRow({
  row: { id, entry, counted },
  at,
  measure,
}: RowPlace & { readonly row: Row }) {
  return (
    <Table.Tr {...placed({ at, measure })}>
      <Table.Td>
        <Strong truncate>{entry?.name ?? 'Unknown name'}</Strong>
        <Code fz="xs">{id}</Code>
      </Table.Td>
      <Table.Td>{entry !== undefined && <Time at={entry.created_at} />}</Table.Td>
      <Table.Td ta="right">{entry === undefined ? '' : quotaText(entry.verification_quota)}</Table.Td>
      {counted === undefined ? (
        <Table.Td colSpan={5} c="var(--mark-poor)">
          No response
        </Table.Td>
      ) : (
        <>
          <Table.Td ta="right">
            {formatDollars(counted.provider_spend_usd)}
            {typeof entry?.provider_budget_usd === 'number' && (
              <Small span> of {formatDollars(entry.provider_budget_usd)}</Small>
            )}
          </Table.Td>
          <Table.Td ta="right">
            {formatCount(counted.outbox_rows)}
            {counted.outbox_age_s !== null && <Small span> {formatAgo(counted.outbox_age_s)}</Small>}
          </Table.Td>
          <Table.Td ta="right">{formatCount(counted.outbox_dead)}</Table.Td>
          <Table.Td ta="right">{formatCount(counted.erasures)}</Table.Td>
          <Table.Td ta="right">{formatCount(counted.jobs_failed)}</Table.Td>
        </>
      )}
    </Table.Tr>
  );
});

const quotaText = (quota: number): string => (quota <= 0 ? 'Unmetered' : formatCount(quota));

/** Error rate that gets a warning. */
const HIGH_RATE = 0.05;

const Providers = ({ providers }: { readonly providers: ServiceStatus['providers'] }) => (
  <Section title="Providers" note="All calls of the last 24 hours.">
    {providers.length === 0 ? (
      <Empty title="No provider was asked">Calls to providers show here.</Empty>
    ) : (
      <ScrollTable minWidth={380} isPlain fz="sm" verticalSpacing="xs" className="numbers">
        <Head
          cells={[
            'Provider',
            ['Calls', { ta: 'right' }],
            ['Failed', { ta: 'right' }],
            ['Mean', { ta: 'right' }],
            ['Slowest', { ta: 'right' }],
          ]}
        />
        <Table.Tbody>
          {providers.map(({ provider, calls, error_rate: rate, mean_ms: mean, max_ms: most }) => (
            <Table.Tr key={provider}>
              <Table.Td fw={500}>{label(provider)}</Table.Td>
              <Table.Td ta="right">{formatCount(calls)}</Table.Td>
              <Table.Td ta="right">
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  {rate >= HIGH_RATE && (
                    <Text component="span" lh={0} c="var(--mark-poor)">
                      <Icon name="warning" size={15} />
                      <span className="visually-hidden">high:</span>
                    </Text>
                  )}
                  {formatShare(rate)}
                </Group>
              </Table.Td>
              <Table.Td ta="right">{mean === null ? '' : `${formatCount(mean)} ms`}</Table.Td>
              <Table.Td ta="right">{most === null ? '' : `${formatCount(most)} ms`}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
    )}
  </Section>
);

/** Asks every organisation's object, so it is refetched only on request. */
const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: () => callAuth<Operations>('GET', '/operations'),
  staleTime: 60_000,
  refetchOnWindowFocus: false,
});
