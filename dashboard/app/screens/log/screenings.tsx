import { Button, Center, Table } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { answerOf } from '../../api/client.ts';
import { formatDollars } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { label, reasonText } from '../../lib/vocabulary.ts';
import { Mark } from '../../parts/mark.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Time } from '../../parts/time.tsx';

export function Screenings() {
  const organisation = useOrganisation();
  const api = useApi();
  const query = useInfiniteQuery({
    queryKey: [organisation.id, 'screenings'],
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/v1/screenings', {
          params: { query: { limit: 50, ...(pageParam !== null && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  });
  const rows = query.data?.pages.flatMap(({ screenings }) => screenings) ?? [];
  return (
    <Loaded query={query} lines={8}>
      {() =>
        rows.length === 0 ? (
          <Empty title="Nothing was screened yet">A call of /v1/screen with an address and a name shows here.</Empty>
        ) : (
          <>
            <Table.ScrollContainer minWidth={680}>
              <Table verticalSpacing={7}>
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
                  {rows.map(({ trace_id: id, created_at: at, display, screening, cost_usd: cost }) => (
                    <Table.Tr key={id}>
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
