import { Anchor, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerOf } from '../../api/client.ts';
import type { PolicyDocument } from '../../api/schema.ts';
import { formatCount, formatShare } from '../../lib/format.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { Mark } from '../../parts/mark.tsx';
import { ErrorNotice } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';

const WINDOW_DAYS = 30;

/** What the document would have decided about the signups of the last month. */
export function Simulation({
  slug,
  document,
  isReadable,
}: {
  slug: string;
  document: PolicyDocument;
  isReadable: boolean;
}) {
  const organisation = useOrganisation();
  const api = useApi();
  const run = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/v1/policies/{slug}/simulate', {
          params: { path: { slug } },
          body: { policy: document as unknown as Record<string, unknown>, window_days: WINDOW_DAYS },
        }),
      ),
  });
  if (!roleAllows(organisation.role, 'member')) return null;
  const { data } = run;
  const changed = data?.changed.reduce((sum, { count }) => sum + count, 0) ?? 0;
  return (
    <Section
      title="What it would have changed"
      note={`Decisions of the last ${WINDOW_DAYS} days, made again by the document above, saved or not.`}
      action={
        <Button variant="default" onClick={() => run.mutate()} loading={run.isPending} disabled={!isReadable}>
          Simulate
        </Button>
      }
    >
      <Stack aria-live="polite">
        {run.error !== null && <ErrorNotice error={run.error} />}
        {data !== undefined && (
          <>
            <Text size="sm" className="numbers">
              {data.traces === 0
                ? 'There are no decisions to make again yet.'
                : `It would have changed ${formatCount(changed)} of ${formatCount(data.traces)} decisions (${formatShare(changed / data.traces)}).`}
              {data.undetermined > 0 &&
                ` ${formatCount(data.undetermined)} read what is not kept, and can’t be made again.`}
              {!data.complete && ' There were more than could be read.'}
            </Text>
            {data.changed.length > 0 && (
              <Table verticalSpacing={6} maw={520}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Was</Table.Th>
                    <Table.Th>Would be</Table.Th>
                    <Table.Th ta="right">Decisions</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody className="numbers">
                  {data.changed.map(({ from, to, count }) => (
                    <Table.Tr key={`${from} ${to}`}>
                      <Table.Td>
                        <Mark term={from} />
                      </Table.Td>
                      <Table.Td>
                        <Mark term={to} />
                      </Table.Td>
                      <Table.Td ta="right">{formatCount(count)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            )}
            {data.sample_trace_ids.length > 0 && (
              <Group gap="xs">
                <Text size="sm">Some of them:</Text>
                {data.sample_trace_ids.slice(0, 10).map((id, at) => (
                  <Anchor
                    key={id}
                    size="sm"
                    renderRoot={(props) => (
                      <Link
                        to="/$organisation/log"
                        params={{ organisation: organisation.id }}
                        search={{ trace: id } as never}
                        {...props}
                      />
                    )}
                  >
                    {at + 1}
                  </Anchor>
                ))}
              </Group>
            )}
          </>
        )}
      </Stack>
    </Section>
  );
}
