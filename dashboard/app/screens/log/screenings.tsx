import { Table, Text } from '@mantine/core';
import { memo } from 'react';
import { answerOf } from '../../api/client.ts';
import type { ScreeningRow } from '../../api/schema.ts';
import { formatDollars } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { label, reasonText } from '../../lib/vocabulary.ts';
import { Mark } from '../../parts/mark.tsx';
import { Empty } from '../../parts/notices.tsx';
import { PagedRows } from '../../parts/paged-rows.tsx';
import { usePages } from '../../parts/pages.tsx';
import { Time } from '../../parts/time.tsx';
import { LinkedRow, RecordLink, type RecordRowProps, RecordTable } from './record-rows.tsx';
import { askedOf, type LogListProps, queryOf } from './search.ts';

const PAGE = 100;

const HEAD = (
  <>
    <Table.Th visibleFrom="md" className="when" w={104}>
      When
    </Table.Th>
    <Table.Th>Address</Table.Th>
    <Table.Th w={{ base: 134, sm: 148 }}>Recommendation</Table.Th>
    <Table.Th visibleFrom="lg" className="detail" w={110}>
      Name
    </Table.Th>
    <Table.Th visibleFrom="md" className="detail" w="28%">
      Why
    </Table.Th>
    <Table.Th ta="right" visibleFrom="md" className="detail" w={68}>
      Cost
    </Table.Th>
  </>
);

const Row = memo(function Row({
  row: { trace_id: id, created_at: time, display, screening, cost_usd: cost },
  at,
  measure,
  address,
  isOpen,
  onOpen,
}: RecordRowProps<ScreeningRow>) {
  return (
    <LinkedRow id={id} isOpen={isOpen} onOpen={onOpen} at={at} measure={measure}>
      <Table.Td visibleFrom="md" className="when">
        <Time at={time} />
      </Table.Td>
      <Table.Td>
        <RecordLink id={id} address={address}>
          {display}
        </RecordLink>
        <Text size="xs" c="dimmed" hiddenFrom="md">
          <Time at={time} />
        </Text>
      </Table.Td>
      <Table.Td>
        <Mark term={screening.recommendation} />
      </Table.Td>
      <Table.Td visibleFrom="lg" className="detail">
        {label(screening.name_match)}
      </Table.Td>
      <Table.Td visibleFrom="md" className="detail">
        {screening.reasons.map(reasonText).join(' ')}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="md" className="detail">
        {formatDollars(cost)}
      </Table.Td>
    </LinkedRow>
  );
});

/** The screenings that fit the filters. */
export const Screenings = memo(function Screenings({ search, opened, onOpen }: LogListProps) {
  const { id } = useOrganisation();
  const api = useApi();
  const filters = askedOf(search);
  const query = usePages({
    queryKey: [id, 'screenings', filters],
    load: (place) =>
      answerOf(
        api.GET('/v1/screenings', {
          params: { query: { ...queryOf(filters, Date.now() / 1000), limit: PAGE, ...place } },
        }),
      ),
  });
  return (
    <PagedRows
      query={query}
      rowsOf={({ screenings }) => screenings}
      filters={Object.keys(filters)}
      empty={<Empty title="No screenings yet">Calls to /v1/screen show here.</Empty>}
      lines={8}
    >
      {(rows) => (
        <RecordTable
          rows={rows}
          hasMore={query.hasNextPage}
          opened={opened}
          onOpen={onOpen}
          name="Screenings"
          head={HEAD}
          row={Row}
        />
      )}
    </PagedRows>
  );
});
