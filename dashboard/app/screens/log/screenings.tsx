import { Table } from '@mantine/core';
import { answerOf } from '../../api/client.ts';
import { formatDollars } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { label, reasonText } from '../../lib/vocabulary.ts';
import { Mark } from '../../parts/mark.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { ShowMore, usePages } from '../../parts/pages.tsx';
import { Time } from '../../parts/time.tsx';
import { filtersOf, type LogSearch, queryOf } from './search.ts';

const PAGE = 50;

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
            <Table.ScrollContainer minWidth={680} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
              <Table verticalSpacing={7} aria-label="Screenings">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>When</Table.Th>
                    <Table.Th>Address</Table.Th>
                    <Table.Th>Recommendation</Table.Th>
                    <Table.Th>Name</Table.Th>
                    <Table.Th>Why</Table.Th>
                    <Table.Th ta="right">Cost</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody className="numbers">
                  {rows.map(({ trace_id: trace, created_at: at, display, screening, cost_usd: cost }) => (
                    <Table.Tr key={trace}>
                      <Table.Td>
                        <Time at={at} />
                      </Table.Td>
                      <Table.Td>{display}</Table.Td>
                      <Table.Td>
                        <Mark term={screening.recommendation} />
                      </Table.Td>
                      <Table.Td>{label(screening.name_match)}</Table.Td>
                      <Table.Td>{screening.reasons.map(reasonText).join(' ')}</Table.Td>
                      <Table.Td ta="right">{formatDollars(cost)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            <ShowMore query={query} />
          </>
        );
      }}
    </Loaded>
  );
}
