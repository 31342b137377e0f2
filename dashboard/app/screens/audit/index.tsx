import { Box, Group, Table, Text } from '@mantine/core';
import { memo } from 'react';
import { answerOf } from '../../api/client.ts';
import type { AuditLog } from '../../api/schema.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { AdminOnly } from '../../parts/admin-only.tsx';
import { LongTable, placed, type RowPlace } from '../../parts/long-table.tsx';
import { Maker } from '../../parts/maker.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { ShowMore, usePages } from '../../parts/pages.tsx';
import { Time } from '../../parts/time.tsx';

type Entry = AuditLog['entries'][number];

/** `key.created` as `Key created`. */
const actionName = (action: string): string => label(action.replace('.', '_'));

const hasName = (target: string): boolean => target.startsWith('key_') || target.startsWith('u_');

function Target({ target, summary }: Pick<Entry, 'target' | 'summary'>) {
  const isOfAll = target.startsWith('org_');
  return (
    <>
      {hasName(target) ? <Maker id={target} /> : !isOfAll && <Text size="sm">{target}</Text>}
      {summary !== '' && (
        <Text size="xs" c="dimmed">
          {summary}
        </Text>
      )}
    </>
  );
}

const ROW_PX = 52;

const HEAD = (
  <>
    <Table.Th w={120} visibleFrom="md">
      When
    </Table.Th>
    <Table.Th w={170} visibleFrom="md">
      Who
    </Table.Th>
    <Table.Th>What</Table.Th>
    <Table.Th visibleFrom="md">Of</Table.Th>
  </>
);

/** On a phone, one cell has all of it. */
const Row = memo(function Row({
  entry: { at: time, actor, action, target, summary },
  at,
  measure,
}: RowPlace & { readonly entry: Entry }) {
  return (
    <Table.Tr {...placed({ at, measure })}>
      <Table.Td style={{ whiteSpace: 'nowrap' }} visibleFrom="md">
        <Time at={time} />
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Maker id={actor} />
      </Table.Td>
      <Table.Td>
        <Text size="sm" fw={500}>
          {actionName(action)}
        </Text>
        <Box hiddenFrom="md" style={{ overflowWrap: 'anywhere' }}>
          <Target target={target} summary={summary} />
          <Group gap={4} fz="xs" c="dimmed">
            <Maker id={actor} /> · <Time at={time} />
          </Group>
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="md" style={{ overflowWrap: 'anywhere' }}>
        <Target target={target} summary={summary} />
      </Table.Td>
    </Table.Tr>
  );
});

function Log() {
  const api = useApi();
  const { id } = useOrganisation();
  const query = usePages({
    queryKey: [id, 'audit'],
    load: (place) => answerOf(api.GET('/v1/audit', { params: { query: place } })),
  });
  const entries = query.data?.flatMap((page) => page.entries) ?? [];
  return (
    <Section>
      <Loaded query={query} lines={8}>
        {() =>
          entries.length === 0 ? (
            <Empty title="Nothing was changed yet">
              Changes of keys, people, policies, rules and settings show here.
            </Empty>
          ) : (
            <>
              <LongTable
                name="Audit log"
                rows={entries}
                hasMore={query.hasNextPage}
                keyOf={({ id: entry }) => entry}
                head={HEAD}
                minWidth={270}
                rowHeight={ROW_PX}
              >
                {(entry, { at, measure }) => <Row entry={entry} at={at} measure={measure} />}
              </LongTable>
              <ShowMore query={query} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

/** Who changed what. */
export default function Audit() {
  return (
    <Page
      title="Audit"
      description="Who changed what in the last 400 days. Nothing here can be edited, and it holds no secret."
    >
      <AdminOnly>
        <Log />
      </AdminOnly>
    </Page>
  );
}
