import { Table, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { TraceRow } from '../../api/schema.ts';
import { formatDollars, formatEstimate } from '../../lib/format.ts';
import { label } from '../../lib/vocabulary.ts';
import { Mark } from '../../parts/mark.tsx';
import { Time } from '../../parts/time.tsx';

export type OpenTrace = (id: string | undefined, replace: boolean) => void;

/** The element that leads to a record: the focus comes back to it. */
export const rowOf = (traceId: string): string => `row-${traceId}`;

/** The longest head fits a phone in small print alone. */
const PHONE_SMALL = { base: 'xs', sm: 'sm' } as const;

interface TraceTableProps {
  readonly rows: readonly TraceRow[];
  /** The record that is open. */
  readonly opened: string | undefined;
  readonly onOpen: OpenTrace;
}

/** Judgements, newest first. A row opens its record; J and K lead to its neighbours. */
export function TraceTable({ rows, opened, onOpen }: TraceTableProps) {
  const step = (by: 1 | -1) => {
    const at = rows.findIndex(({ trace_id: id }) => id === opened);
    const next = rows[at + by];
    if (at !== -1 && next !== undefined) onOpen(next.trace_id, true);
  };
  useHotkeys([
    ['j', () => step(1)],
    ['k', () => step(-1)],
  ]);
  return (
    <Table.ScrollContainer minWidth={280}>
      <Table highlightOnHover verticalSpacing={7} horizontalSpacing={6} aria-label="Judgements">
        <Table.Thead>
          <Table.Tr>
            <Table.Th visibleFrom="sm">When</Table.Th>
            <Table.Th>Address</Table.Th>
            <Table.Th ta="right" fz={PHONE_SMALL}>
              Number
            </Table.Th>
            <Table.Th fz={PHONE_SMALL}>Recommendation</Table.Th>
            <Table.Th visibleFrom="md">Type</Table.Th>
            <Table.Th visibleFrom="md">Kind</Table.Th>
            <Table.Th ta="right" visibleFrom="md">
              Cost
            </Table.Th>
            <Table.Th ta="right" visibleFrom="md">
              Took
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className="numbers">
          {rows.map((row) => (
            <Table.Tr
              key={row.trace_id}
              onClick={() => onOpen(row.trace_id, false)}
              style={{ cursor: 'pointer' }}
              {...(row.trace_id === opened && { bg: 'var(--mantine-color-blue-light)' })}
            >
              <Table.Td visibleFrom="sm">
                <Time at={row.created_at} />
              </Table.Td>
              <Table.Td maw={{ base: 96, sm: 150, md: 200, lg: 260 }}>
                <Text
                  size="sm"
                  truncate
                  display="block"
                  c="inherit"
                  renderRoot={(props) => (
                    <Link
                      to="."
                      id={rowOf(row.trace_id)}
                      search={(before: object) => ({ ...before, trace: row.trace_id }) as never}
                      onClick={(event) => event.stopPropagation()}
                      {...props}
                    />
                  )}
                >
                  {row.display}
                </Text>
                <Text size="xs" c="dimmed" hiddenFrom="sm">
                  <Time at={row.created_at} />
                </Text>
              </Table.Td>
              <Table.Td ta="right">{formatEstimate(row.bounce_probability)}</Table.Td>
              <Table.Td>
                <Mark term={row.recommendation} />
              </Table.Td>
              <Table.Td visibleFrom="md">{row.email_type === null ? '' : label(row.email_type)}</Table.Td>
              <Table.Td visibleFrom="md">{label(row.kind)}</Table.Td>
              <Table.Td ta="right" visibleFrom="md">
                {formatDollars(row.cost_usd)}
              </Table.Td>
              <Table.Td ta="right" visibleFrom="md">
                {row.latency_ms} ms
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
