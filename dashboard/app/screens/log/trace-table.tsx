import { Box, Table, Text } from '@mantine/core';
import { memo } from 'react';
import type { TraceList } from '../../api/schema.ts';
import { formatDollars, formatEstimate } from '../../lib/format.ts';
import { label } from '../../lib/vocabulary.ts';
import { Mark } from '../../parts/mark.tsx';
import { Time } from '../../parts/time.tsx';
import { LinkedRow, RecordLink, type RecordRowProps, RecordTable, type RecordTableProps } from './record-rows.tsx';

/** Rows of the list say what a policy decided; those of a search don't. */
type ListedTrace = TraceList['traces'][number];

/** The rule or the default of the policy; without a policy, what the free checks found, or the number where it drops. Null: neither does. */
function decidedBy({ reason, recommendation }: ListedTrace, rule: string | undefined): string | null {
  if (rule !== undefined) return rule === 'default' ? 'Default' : `Rule ${rule}`;
  if (reason !== null) return label(reason);
  return recommendation === 'drop' ? 'By its number' : null;
}

/** Why a row shows no decision. */
const UNDECIDED: Readonly<Record<ListedTrace['kind'], string>> = {
  verify: 'No policy was asked',
  decide: 'The record says what the policy decided',
  bulk: 'The record says what the list’s policy decided, if it has one',
};

const HEAD = (
  <>
    <Table.Th visibleFrom="md" className="when" w={104}>
      When
    </Table.Th>
    <Table.Th>Address</Table.Th>
    <Table.Th ta="right" w={{ base: 104, sm: 80 }}>
      Number
    </Table.Th>
    <Table.Th visibleFrom="sm" w={148}>
      Recommendation
    </Table.Th>
    <Table.Th visibleFrom="md" className="detail" w={168}>
      Decision, why
    </Table.Th>
    <Table.Th visibleFrom="lg" className="detail" w={72}>
      Kind
    </Table.Th>
    <Table.Th visibleFrom="lg" className="detail" w={96}>
      Type
    </Table.Th>
    <Table.Th ta="right" visibleFrom="lg" className="detail" w={68}>
      Cost
    </Table.Th>
  </>
);

const Row = memo(function Row({ row, at, measure, address, isOpen, onOpen }: RecordRowProps<ListedTrace>) {
  const decided = 'policy_decision' in row ? row.policy_decision : null;
  const decision = decided?.decision ?? null;
  const why = decidedBy(row, decided?.rule_id);
  return (
    <LinkedRow id={row.trace_id} isOpen={isOpen} onOpen={onOpen} at={at} measure={measure}>
      <Table.Td visibleFrom="md" className="when">
        <Time at={row.created_at} />
      </Table.Td>
      <Table.Td>
        <RecordLink id={row.trace_id} address={address}>
          {row.display}
        </RecordLink>
        <Text size="xs" c="dimmed" hiddenFrom="md">
          <Time at={row.created_at} />, {label(row.kind).toLowerCase()}
          {decision !== null && `, decision: ${label(decision).toLowerCase()}`}
          {why !== null && ` (${why})`}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        {formatEstimate(row.bounce_probability)}
        <Box hiddenFrom="sm">
          <Mark term={row.recommendation} size="xs" />
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Mark term={row.recommendation} />
      </Table.Td>
      <Table.Td visibleFrom="md" className="detail">
        {decision === null ? (
          <Text size="sm" c="dimmed" title={UNDECIDED[row.kind]}>
            <span aria-hidden="true">–</span>
            <span className="visually-hidden">{UNDECIDED[row.kind]}</span>
          </Text>
        ) : (
          <Mark term={decision} />
        )}
        {why !== null && (
          <Text size="xs" c="dimmed" className="cut" title={why}>
            {why}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="lg" className="detail">
        {label(row.kind)}
      </Table.Td>
      <Table.Td visibleFrom="lg" className="detail">
        {row.email_type === null ? '' : label(row.email_type)}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="lg" className="detail">
        {formatDollars(row.cost_usd)}
      </Table.Td>
    </LinkedRow>
  );
});

/** Judgements, newest first. */
export const TraceTable = ({ rows, hasMore, opened, onOpen }: RecordTableProps<ListedTrace>) => (
  <RecordTable rows={rows} hasMore={hasMore} opened={opened} onOpen={onOpen} name="Judgements" head={HEAD} row={Row} />
);
