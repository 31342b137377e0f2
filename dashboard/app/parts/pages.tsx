import { Center, Stack } from '@mantine/core';
import { type InfiniteData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { NothingFits } from './list-filters.tsx';
import { ErrorNotice, Loaded } from './notices.tsx';
import { QuietButton } from './text.tsx';

/** What a list's query takes to go on; empty: the first page. */
export interface PagePlace {
  readonly cursor?: string;
}

interface Pages<Page> {
  readonly queryKey: QueryKey;
  readonly load: (place: PagePlace) => Promise<Page>;
  /** How long until all pages are asked for again, milliseconds; false: never. */
  readonly refetchMs?: (pages: readonly Page[]) => number | false;
  /** False: nothing of it stays in memory once it is off the screen. */
  readonly isKept?: boolean;
}

const KEPT_MS = 300_000;
/** A list with more pages is not read anew by itself: that would be a call for each. */
const MOST_REREAD = 5;

/** The pages of a list that names the next one by a cursor. `data`: those that are read, in their order. */
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

/** The way to the next page of a list, where there is one. */
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
  /** The filters that are set, by their names in the page's address. */
  readonly filters: readonly string[];
  /** Shown when the list is empty and has no filter. */
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
