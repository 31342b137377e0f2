import { Code, Table, Text } from '@mantine/core';
import { memo, useMemo } from 'react';
import type { DirectoryEntry, ServiceStatus } from '../../api/operations.ts';
import { useFilters } from '../../lib/filters.ts';
import { formatAgo, formatCount, formatDollars } from '../../lib/format.ts';
import { ListSearch, NothingFits } from '../../parts/list-filters.tsx';
import { LongTable, placed, type RowPlace } from '../../parts/long-table.tsx';
import { Empty } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';

type Counted = ServiceStatus['organisations'][number];

interface Row {
  readonly id: string;
  readonly entry: DirectoryEntry | undefined;
  /** Undefined: its object gave no answer. */
  readonly counted: Counted | undefined;
}

const ROW_PX = 58;

const HEAD = (
  <>
    <Table.Th>Organisation</Table.Th>
    <Table.Th w={110}>Created</Table.Th>
    <Table.Th w={100} ta="right">
      Quota a month
    </Table.Th>
    <Table.Th w={130} ta="right">
      Vendors, this month
    </Table.Th>
    <Table.Th w={100} ta="right">
      Outbox
    </Table.Th>
    <Table.Th w={90} ta="right">
      Rejected
    </Table.Th>
    <Table.Th w={90} ta="right">
      Erasures
    </Table.Th>
    <Table.Th w={90} ta="right">
      Failed jobs
    </Table.Th>
  </>
);

/** What calls for a look stands first. */
const weightOf = ({ counted }: Row): number =>
  counted === undefined
    ? Number.POSITIVE_INFINITY
    : counted.outbox_dead + counted.jobs_failed + (counted.outbox_age_s ?? 0) + counted.erasures;

/** The organisations of the status, with their names where the directory could be read. */
function rowsOf({ organisations, unreachable }: ServiceStatus, directory: readonly DirectoryEntry[] | null): Row[] {
  const entries = new Map(directory?.map((entry) => [entry.id, entry]));
  return [
    ...unreachable.map((id) => ({ id, entry: entries.get(id), counted: undefined })),
    ...organisations.map((counted) => ({ id: counted.id, entry: entries.get(counted.id), counted })),
  ].toSorted((one, other) => weightOf(other) - weightOf(one));
}

/** Every organisation, those with trouble first. */
export function Organisations({
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
        <Text size="sm" fw={500} truncate>
          {entry?.name ?? 'Unknown name'}
        </Text>
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
              <Text span size="xs" c="dimmed">
                {' '}
                of {formatDollars(entry.provider_budget_usd)}
              </Text>
            )}
          </Table.Td>
          <Table.Td ta="right">
            {formatCount(counted.outbox_rows)}
            {counted.outbox_age_s !== null && (
              <Text span size="xs" c="dimmed">
                {' '}
                {formatAgo(counted.outbox_age_s)}
              </Text>
            )}
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
