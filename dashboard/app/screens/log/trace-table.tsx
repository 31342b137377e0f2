import { Box, Table, Text } from '@mantine/core';
import { memo } from 'react';
import type { TraceRow } from '../../api/schema.ts';
import { formatDollars, formatEstimate } from '../../lib/format.ts';
import { label } from '../../lib/vocabulary.ts';
import { Mark } from '../../parts/mark.tsx';
import { Time } from '../../parts/time.tsx';
import { LinkedRow, RecordLink, type RecordRowProps, RecordTable, type RecordTableProps } from './record-rows.tsx';

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
    <Table.Th visibleFrom="md" className="detail" w={96}>
      Type
    </Table.Th>
    <Table.Th visibleFrom="md" className="detail" w={72}>
      Kind
    </Table.Th>
    <Table.Th ta="right" visibleFrom="md" className="detail" w={68}>
      Cost
    </Table.Th>
    <Table.Th ta="right" visibleFrom="md" className="detail" w={80}>
      Took
    </Table.Th>
  </>
);

const Row = memo(function Row({ row, at, measure, address, isOpen, onOpen }: RecordRowProps<TraceRow>) {
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
          <Time at={row.created_at} />
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
        {row.email_type === null ? '' : label(row.email_type)}
      </Table.Td>
      <Table.Td visibleFrom="md" className="detail">
        {label(row.kind)}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="md" className="detail">
        {formatDollars(row.cost_usd)}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="md" className="detail">
        {`${row.latency_ms}\u00a0ms`}
      </Table.Td>
    </LinkedRow>
  );
});

/** Judgements, newest first. */
export const TraceTable = ({ rows, hasMore, opened, onOpen }: RecordTableProps<TraceRow>) => (
  <RecordTable rows={rows} hasMore={hasMore} opened={opened} onOpen={onOpen} name="Judgements" head={HEAD} row={Row} />
);
