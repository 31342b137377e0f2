import { Table } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { type ComponentType, memo, type MouseEvent, type ReactNode } from 'react';
import type { HeadCells } from '../../parts/head.tsx';
import { LongTable, placed, type RowPlace } from '../../parts/long-table.tsx';
import { useOpened } from './search.ts';

export type OpenRecord = (id: string | undefined, replace: boolean) => void;

/** Id of a row's link, which gets the focus back. */
export const rowOf = (id: string): string => `row-${id}`;

const ROW_PX = 38;

/** Placeholder for a record's id in a URL. */
const ANY_ID = 'one';

/** A click that opens here, not in another tab or window. */
const isPlain = ({ button, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey;

/** Props of a row. `address` is the URL of any row, with `ANY_ID`. */
export interface RecordRowProps<R> extends RowPlace {
  readonly row: R;
  readonly address: string;
  readonly isOpen: boolean;
  readonly onOpen: OpenRecord;
}

export interface RecordTableProps<R> {
  readonly rows: readonly R[];
  readonly hasMore: boolean;
  /** A stable function. */
  readonly onOpen: OpenRecord;
  readonly name: string;
  readonly head: HeadCells;
  /** A `memo` component. */
  readonly row: ComponentType<RecordRowProps<R>>;
}

/** Records, newest first. A row opens its record, J and K its neighbours. Not rendered while the next page loads. */
export const RecordTable = memo(function RecordTable<R extends { readonly trace_id: string }>({
  rows,
  hasMore,
  onOpen,
  name,
  head,
  row: Row,
}: RecordTableProps<R>) {
  const opened = useOpened();
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
      name={name}
      rows={rows}
      hasMore={hasMore}
      keyOf={({ trace_id: id }) => id}
      head={head}
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
}) as <R extends { readonly trace_id: string }>(props: RecordTableProps<R>) => ReactNode;

interface LinkedRowProps extends RowPlace {
  readonly id: string;
  readonly isOpen: boolean;
  readonly onOpen: OpenRecord;
  readonly children: ReactNode;
}

export const LinkedRow = ({ id, isOpen, onOpen, at, measure, children }: LinkedRowProps) => (
  <Table.Tr
    {...placed({ at, measure })}
    className="row-link"
    onClick={() => onOpen(id, false)}
    {...(isOpen && { 'aria-current': true })}
  >
    {children}
  </Table.Tr>
);

interface RecordLinkProps {
  readonly id: string;
  /** URL of any row, with `ANY_ID`. */
  readonly address: string;
  readonly children: string;
}

/** The row handles a plain click, the browser any other. */
export const RecordLink = ({ id, address, children }: RecordLinkProps) => (
  <a
    className="cut"
    id={rowOf(id)}
    href={address.replace(ANY_ID, id)}
    onClick={(event) => (isPlain(event) ? event.preventDefault() : event.stopPropagation())}
  >
    {children}
  </a>
);
