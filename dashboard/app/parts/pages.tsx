import { Center, Stack } from '@mantine/core';
import { type InfiniteData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { NothingFits } from './list-filters.tsx';
import { ErrorNotice, Loaded } from './notices.tsx';
import { QuietButton } from './text.tsx';

/** Position in a list; empty for the first page. */
export interface PagePlace {
  readonly cursor?: string;
}

interface Pages<Page> {
  readonly queryKey: QueryKey;
  readonly load: (place: PagePlace) => Promise<Page>;
  /** Milliseconds until all pages are fetched again; false for never. */
  readonly refetchMs?: (pages: readonly Page[]) => number | false;
  /** If false, nothing stays in memory once it is off the screen. */
  readonly isKept?: boolean;
}

const KEPT_MS = 300_000;
/** A longer list is not refetched automatically: each page costs a call. */
const MOST_REREAD = 5;

/** An infinite query over a list with cursors. `data` holds the loaded pages in order. */
export const usePages = <Page extends { readonly cursor: string | null }>({
  queryKey,
  load,
  refetchMs = () => false,
  isKept = true,
}: Pages<Page>) => {
  const isShort = ({ state }: { readonly state: { readonly data?: InfiniteData<Page, string | null> | undefined } }) =>
    (state.data?.pages.length ?? 0) <= MOST_REREAD;
  return useInfiniteQuery<Page, Error, readonly Page[], QueryKey, string | null>({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam === null ? {} : { cursor: pageParam }),
    initialPageParam: null,
    getNextPageParam: ({ cursor }) => cursor,
    select: ({ pages }: InfiniteData<Page, string | null>) => pages,
    refetchInterval: ({ state }) => refetchMs(state.data?.pages ?? []),
    refetchOnMount: isShort,
    refetchOnReconnect: isShort,
    refetchOnWindowFocus: isShort,
    gcTime: isKept ? KEPT_MS : 0,
  });
};

interface NextPage {
  readonly error: unknown;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

export function ShowMore({
  query: { error, hasNextPage, isFetchingNextPage, fetchNextPage },
}: {
  readonly query: NextPage;
}) {
  if (error !== null)
    return (
      <Stack mt="md">
        <ErrorNotice error={error} onRetry={() => void fetchNextPage()} />
      </Stack>
    );
  if (!hasNextPage) return null;
  return (
    <Center mt="md">
      <QuietButton loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Show more
      </QuietButton>
    </Center>
  );
}

interface PagedRowsProps<Page extends { readonly cursor: string | null }, Row> {
  readonly query: ReturnType<typeof usePages<Page>>;
  readonly rowsOf: (page: Page) => readonly Row[];
  /** Names of the active filters in the URL. */
  readonly filters: readonly string[];
  readonly empty: ReactNode;
  /** Lines of the skeleton, about the height of the content. */
  readonly lines: number;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** The loaded rows of a list or its empty state, and "Show more". */
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
