import { Table } from '@mantine/core';
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, Fragment, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { formatCount } from '../lib/format.ts';
import { Head, type HeadCells } from './head.tsx';
import { ScrollTable } from './scroll-table.tsx';
import { Small } from './text.tsx';

/** Up to this many rows are all in the page, so that the browser's own search finds them. */
const WHOLE = 50;
/** Rows kept outside the window, where Tab finds the next link. */
const BEYOND = 10;
/** Height of the header on a phone. */
const HEADER_PX = 60;

/** A row's position in a long table. Scrolling changes neither value. */
export interface RowPlace {
  readonly at: number;
  readonly measure: (row: HTMLTableRowElement | null) => void;
}

/** Props of a row's element. Screen readers count the head as row 1. */
export const placed = ({ at, measure }: RowPlace) => ({ ref: measure, 'data-index': at, 'aria-rowindex': at + 2 });

interface LongTableProps<Row> {
  readonly name: string;
  readonly rows: readonly Row[];
  /** More rows can be loaded, so the total is unknown. */
  readonly hasMore: boolean;
  readonly keyOf: (row: Row) => string;
  /** Head cells; they set the columns' widths. */
  readonly head: HeadCells;
  /** Returns a row of a `memo` component, so that unchanged rows are not rendered again. */
  readonly children: (row: Row, place: RowPlace) => ReactNode;
  readonly minWidth: number;
  /** Estimated height of a row, pixels. */
  readonly rowHeight: number;
  readonly horizontalSpacing?: number;
  readonly isPlain?: boolean;
  /** Index of a row that stays in the page and in view. */
  readonly current?: number;
}

/** A virtualised table. The focused and the current row stay in the page. */
export function LongTable<Row>({
  name,
  rows,
  hasMore,
  keyOf,
  head,
  children,
  minWidth,
  rowHeight,
  horizontalSpacing = 10,
  isPlain = false,
  current = -1,
}: LongTableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const focused = useRef(-1);
  const [top, setTop] = useState(0);
  const kept = ({ ...range }: Range): number[] => {
    const pinned = [current, focused.current].filter((at) => at >= 0 && at < range.count);
    return [...new Set([...defaultRangeExtractor(range), ...pinned])].sort((one, other) => one - other);
  };
  // A new function would make the virtualiser measure all rows again on each render.
  const keyAt = useCallback(
    (at: number) => {
      const row = rows[at];
      return row === undefined ? at : keyOf(row);
    },
    [rows],
  );
  const virtual = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: keyAt,
    // The size comes from the observer: asking the element at once would force a layout for each row.
    measureElement: (row, entry, { indexFromElement, itemSizeCache, options }) =>
      entry?.borderBoxSize[0]?.blockSize ?? itemSizeCache.get(options.getItemKey(indexFromElement(row))) ?? rowHeight,
    overscan: rows.length <= WHOLE ? WHOLE : BEYOND,
    rangeExtractor: kept,
    scrollMargin: top,
    scrollPaddingStart: HEADER_PX,
    useFlushSync: false,
  });
  // Content above the table may grow at any time.
  useEffect(() => {
    const watcher = new ResizeObserver(() => {
      if (body.current !== null) setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
    });
    watcher.observe(document.body);
    return () => watcher.disconnect();
  }, []);
  useEffect(() => {
    if (current >= 0) virtual.scrollToIndex(current, { align: 'auto' });
  }, [current, virtual]);
  const keepFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const at = target.closest<HTMLElement>('tr[data-index]')?.dataset['index'];
    focused.current = at === undefined ? -1 : Number(at);
  };
  let reached = 0;
  return (
    <>
      <ScrollTable
        minWidth={minWidth}
        isPlain={isPlain}
        layout="fixed"
        fz="sm"
        verticalSpacing={7}
        horizontalSpacing={horizontalSpacing}
        aria-label={name}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
      >
        <Head cells={head} aria-rowindex={1} />
        <Table.Tbody ref={body} className="numbers" onFocus={keepFocus} onBlur={() => (focused.current = -1)}>
          {virtual.getVirtualItems().map(({ key, index, start, end }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const gap = start - top - reached;
            reached = end - top;
            return (
              <Fragment key={key}>
                <Gap height={gap} />
                {children(row, { at: index, measure: virtual.measureElement })}
              </Fragment>
            );
          })}
          <Gap height={virtual.getTotalSize() - reached} />
        </Table.Tbody>
      </ScrollTable>
      {(hasMore || rows.length > WHOLE) && (
        <Small ta="center" mt="xs" role="status" className="numbers">
          {formatCount(rows.length)} shown
        </Small>
      )}
    </>
  );
}

/** Takes the height of the rows left out. */
const Gap = ({ height }: { readonly height: number }) =>
  height < 1 ? null : (
    <tr aria-hidden="true">
      <td style={{ height, padding: 0 }} />
    </tr>
  );
