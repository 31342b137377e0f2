import { Table, Text } from '@mantine/core';
import { memo } from 'react';
import { answerOf } from '../../api/client.ts';
import type { ScreeningRow } from '../../api/schema.ts';
import { formatDollars } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { label, reasonText } from '../../lib/vocabulary.ts';
import { LongTable, placed, type RowPlace } from '../../parts/long-table.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { ShowMore, usePages } from '../../parts/pages.tsx';
import { Time } from '../../parts/time.tsx';
import { filtersOf, type LogSearch, queryOf } from './search.ts';

const PAGE = 100;
const ROW_PX = 36;

const HEAD = (
  <>
    <Table.Th w={112}>When</Table.Th>
    <Table.Th w={190}>Address</Table.Th>
    <Table.Th w={160}>Recommendation</Table.Th>
    <Table.Th w={110}>Name</Table.Th>
    <Table.Th>Why</Table.Th>
    <Table.Th ta="right" w={80}>
      Cost
    </Table.Th>
  </>
);

const Row = memo(function Row({
  row: { created_at: time, display, screening, cost_usd: cost },
  at,
  measure,
}: RowPlace & { readonly row: ScreeningRow }) {
  return (
    <Table.Tr {...placed({ at, measure })}>
      <Table.Td>
        <Time at={time} />
      </Table.Td>
      <Table.Td>
        <Text size="sm" truncate>
          {display}
        </Text>
      </Table.Td>
      <Table.Td>
        <Mark term={screening.recommendation} />
      </Table.Td>
      <Table.Td>{label(screening.name_match)}</Table.Td>
      <Table.Td>{screening.reasons.map(reasonText).join(' ')}</Table.Td>
      <Table.Td ta="right">{formatDollars(cost)}</Table.Td>
    </Table.Tr>
  );
});

/** The screenings that fit the filters. */
export function Screenings({ search }: { readonly search: LogSearch }) {
  const { id } = useOrganisation();
  const api = useApi();
  const filters = filtersOf(search);
  const query = usePages({
    queryKey: [id, 'screenings', filters],
    load: (place) =>
      answerOf(
        api.GET('/v1/screenings', {
          params: { query: { ...queryOf(filters, Date.now() / 1000), limit: PAGE, ...place } },
        }),
      ),
  });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Loaded query={query} lines={8}>
      {(pages) => {
        const rows = pages.flatMap(({ screenings }) => screenings);
        if (rows.length === 0)
          return (
            <Empty title={isFiltered ? 'Nothing fits these filters' : 'Nothing was screened yet'}>
              {isFiltered ? 'Take one of them off.' : 'A call of /v1/screen with an address and a name shows here.'}
            </Empty>
          );
        return (
          <>
            <LongTable
              name="Screenings"
              rows={rows}
              hasMore={query.hasNextPage}
              keyOf={({ trace_id: trace }) => trace}
              head={HEAD}
              minWidth={920}
              rowHeight={ROW_PX}
              isPlain
            >
              {(row, { at, measure }) => <Row row={row} at={at} measure={measure} />}
            </LongTable>
            <ShowMore query={query} />
          </>
        );
      }}
    </Loaded>
  );
}
