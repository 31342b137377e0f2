import { type ReactNode, useMemo } from 'react';
import { NothingFits } from './list-filters.tsx';
import { Loaded } from './notices.tsx';
import { ShowMore, type usePages } from './pages.tsx';

interface PagedRowsProps<Page extends { readonly cursor: string | null }, Row> {
  readonly query: ReturnType<typeof usePages<Page>>;
  readonly rowsOf: (page: Page) => readonly Row[];
  /** The filters that are set, by their names in the page's address. */
  readonly filters: readonly string[];
  /** Stands where there is no row, and no filter. */
  readonly empty: ReactNode;
  /** About how tall it will be. */
  readonly lines: number;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** The rows of a list as far as they are read, or why there is none, and the way to the next page. */
export function PagedRows<Page extends { readonly cursor: string | null }, Row>({
  query,
  rowsOf,
  filters,
  empty,
  lines,
  children,
}: PagedRowsProps<Page, Row>) {
  const { data: pages } = query;
  const rows = useMemo(() => pages?.flatMap(rowsOf) ?? [], [pages]);
  return (
    <Loaded query={query} lines={lines}>
      {() => (
        <>
          {rows.length > 0 ? children(rows) : filters.length > 0 ? <NothingFits names={filters} /> : empty}
          <ShowMore query={query} />
        </>
      )}
    </Loaded>
  );
}
