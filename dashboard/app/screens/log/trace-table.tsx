import { Table, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, memo } from 'react';
import type { TraceRow } from '../../api/schema.ts';
import { formatDollars, formatEstimate } from '../../lib/format.ts';
import { label } from '../../lib/vocabulary.ts';
import { LongTable, placed, type RowPlace } from '../../parts/long-table.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Time } from '../../parts/time.tsx';

export type OpenTrace = (id: string | undefined, replace: boolean) => void;

/** The element that leads to a record: the focus comes back to it. */
export const rowOf = (traceId: string): string => `row-${traceId}`;

/** The longest head fits a phone in small print alone. */
const PHONE_SMALL = { base: 'xs', sm: 'sm' } as const;
const ROW_PX = 38;

const HEAD = (
  <>
    <Table.Th visibleFrom="md" className="when" w={116}>
      When
    </Table.Th>
    <Table.Th>Address</Table.Th>
    <Table.Th ta="right" w={{ base: 72, sm: 90 }} fz={PHONE_SMALL}>
      Number
    </Table.Th>
    <Table.Th w={{ base: 128, sm: 148 }} fz={PHONE_SMALL}>
      Recommendation
    </Table.Th>
    <Table.Th visibleFrom="md" className="detail" w={104}>
      Type
    </Table.Th>
    <Table.Th visibleFrom="md" className="detail" w={84}>
      Kind
    </Table.Th>
    <Table.Th ta="right" visibleFrom="md" className="detail" w={84}>
      Cost
    </Table.Th>
    <Table.Th ta="right" visibleFrom="md" className="detail" w={84}>
      Took
    </Table.Th>
  </>
);

/** Stands for a record's id in the address that leads to it. */
const ANY_ID = 'one';

/** Opened here: not in another tab or window. */
const isPlain = ({ button, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey;

interface TraceTableProps {
  readonly rows: readonly TraceRow[];
  readonly hasMore: boolean;
  /** The record that is open. */
  readonly opened: string | undefined;
  /** The same function from one drawing to the next. */
  readonly onOpen: OpenTrace;
}

/** Judgements, newest first. A row opens its record; J and K lead to its neighbours. */
export function TraceTable({ rows, hasMore, opened, onOpen }: TraceTableProps) {
  const current = opened === undefined ? -1 : rows.findIndex(({ trace_id: id }) => id === opened);
  const step = (by: 1 | -1) => {
    const next = rows[current + by];
    if (current !== -1 && next !== undefined) onOpen(next.trace_id, true);
  };
  useHotkeys([
    ['j', () => step(1)],
    ['k', () => step(-1)],
  ]);
  const router = useRouter();
  const { href: address } = router.buildLocation({ to: '.', search: (before) => ({ ...before, trace: ANY_ID }) });
  return (
    <LongTable
      name="Judgements"
      rows={rows}
      hasMore={hasMore}
      keyOf={({ trace_id: id }) => id}
      head={HEAD}
      minWidth={280}
      rowHeight={ROW_PX}
      horizontalSpacing={6}
      current={current}
    >
      {(row, { at, measure }) => (
        <Row row={row} at={at} measure={measure} address={address} isOpen={row.trace_id === opened} onOpen={onOpen} />
      )}
    </LongTable>
  );
}

interface RowProps extends RowPlace {
  readonly row: TraceRow;
  /** Of the record with `ANY_ID`. */
  readonly address: string;
  readonly isOpen: boolean;
  readonly onOpen: OpenTrace;
}

const Row = memo(function Row({ row, at, measure, address, isOpen, onOpen }: RowProps) {
  return (
    <Table.Tr
      {...placed({ at, measure })}
      className="row-link"
      onClick={() => onOpen(row.trace_id, false)}
      {...(isOpen && { 'aria-current': true })}
    >
      <Table.Td visibleFrom="md" className="when">
        <Time at={row.created_at} />
      </Table.Td>
      <Table.Td>
        <a
          className="cut"
          id={rowOf(row.trace_id)}
          href={address.replace(ANY_ID, row.trace_id)}
          onClick={(event) => (isPlain(event) ? event.preventDefault() : event.stopPropagation())}
        >
          {row.display}
        </a>
        <Text size="xs" c="dimmed" hiddenFrom="md">
          <Time at={row.created_at} />
        </Text>
      </Table.Td>
      <Table.Td ta="right" className="small-on-phone">
        {formatEstimate(row.bounce_probability)}
      </Table.Td>
      <Table.Td>
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
        {row.latency_ms} ms
      </Table.Td>
    </Table.Tr>
  );
});
