import { Button, Center, Table, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerOf } from '../../api/client.ts';
import { formatDollars, formatEstimate } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { Mark } from '../../parts/mark.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Time } from '../../parts/time.tsx';
import { filtersOf, type LogSearch } from './search.ts';

interface TracesProps {
  readonly search: LogSearch;
  readonly isFiltered: boolean;
  readonly onOpen: (id: string | undefined, replace: boolean) => void;
}

export function Traces({ search, isFiltered, onOpen }: TracesProps) {
  const organisation = useOrganisation();
  const api = useApi();
  const filters = filtersOf(search);
  const query = useInfiniteQuery({
    queryKey: [organisation.id, 'traces', filters],
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/v1/traces', {
          params: { query: { ...(filters as object), limit: 50, ...(pageParam !== null && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  });
  const rows = query.data?.pages.flatMap(({ traces }) => traces) ?? [];
  /** With a record open, J and K lead to its neighbours. */
  const step = (by: 1 | -1) => {
    const at = rows.findIndex(({ trace_id: id }) => id === search.trace);
    const next = rows[at + by];
    if (at !== -1 && next !== undefined) onOpen(next.trace_id, true);
  };
  useHotkeys([
    ['j', () => step(1)],
    ['k', () => step(-1)],
  ]);
  return (
    <Loaded query={query} lines={8}>
      {() =>
        rows.length === 0 ? (
          <Empty title={isFiltered ? 'Nothing fits these filters' : 'Nothing was asked yet'}>
            {isFiltered
              ? 'Clear one of them.'
              : 'Try an address, or send the first call with an API key: it shows here at once.'}
          </Empty>
        ) : (
          <>
            <Table.ScrollContainer minWidth={760}>
              <Table highlightOnHover verticalSpacing={7}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>When</Table.Th>
                    <Table.Th>Address</Table.Th>
                    <Table.Th ta="right">Number</Table.Th>
                    <Table.Th>Recommendation</Table.Th>
                    <Table.Th>Type</Table.Th>
                    <Table.Th>Kind</Table.Th>
                    <Table.Th ta="right">Cost</Table.Th>
                    <Table.Th ta="right">Took</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody className="numbers">
                  {rows.map((row) => (
                    <Table.Tr
                      key={row.trace_id}
                      onClick={() => onOpen(row.trace_id, false)}
                      style={{ cursor: 'pointer' }}
                      {...(row.trace_id === search.trace && { bg: 'var(--mantine-color-blue-light)' })}
                    >
                      <Table.Td>
                        <Time at={row.created_at} />
                      </Table.Td>
                      <Table.Td maw={260}>
                        <Text
                          size="sm"
                          truncate
                          c="inherit"
                          renderRoot={(props) => (
                            <Link
                              to="."
                              search={(before: object) => ({ ...before, trace: row.trace_id }) as never}
                              onClick={(event) => event.stopPropagation()}
                              {...props}
                            />
                          )}
                        >
                          {row.display}
                        </Text>
                      </Table.Td>
                      <Table.Td ta="right">{formatEstimate(row.bounce_probability)}</Table.Td>
                      <Table.Td>
                        <Mark term={row.recommendation} />
                      </Table.Td>
                      <Table.Td>{row.email_type === null ? '' : label(row.email_type)}</Table.Td>
                      <Table.Td>{label(row.kind)}</Table.Td>
                      <Table.Td ta="right">{formatDollars(row.cost_usd)}</Table.Td>
                      <Table.Td ta="right">{row.latency_ms} ms</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            {query.hasNextPage && (
              <Center mt="md">
                <Button variant="default" onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
                  Show older
                </Button>
              </Center>
            )}
          </>
        )
      }
    </Loaded>
  );
}
