import { answerOf } from '../../api/client.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { ShowMore, usePages } from '../../parts/pages.tsx';
import { filtersOf, type LogSearch, queryOf } from './search.ts';
import { type OpenTrace, TraceTable } from './trace-table.tsx';

const PAGE = 100;

/** The judgements that fit the filters. */
export function Traces({ search, onOpen }: { readonly search: LogSearch; readonly onOpen: OpenTrace }) {
  const { id } = useOrganisation();
  const api = useApi();
  const filters = filtersOf(search);
  const query = usePages({
    queryKey: [id, 'traces', filters],
    load: (place) =>
      answerOf(
        api.GET('/v1/traces', { params: { query: { ...queryOf(filters, Date.now() / 1000), limit: PAGE, ...place } } }),
      ),
  });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Loaded query={query} lines={8}>
      {(pages) => {
        const rows = pages.flatMap(({ traces }) => traces);
        return (
          <>
            {rows.length === 0 ? (
              <Empty title={isFiltered ? 'Nothing fits these filters' : 'Nothing was asked yet'}>
                {isFiltered
                  ? 'Take one of them off.'
                  : 'Try an address, or send the first call with an API key: it shows here at once.'}
              </Empty>
            ) : (
              <TraceTable rows={rows} hasMore={query.hasNextPage} opened={search.trace} onOpen={onOpen} />
            )}
            <ShowMore query={query} />
          </>
        );
      }}
    </Loaded>
  );
}

interface FoundProps {
  readonly email: string;
  readonly opened: string | undefined;
  readonly onOpen: OpenTrace;
}

/** The judgements of one address, in every spelling that equals it. */
export function FoundTraces({ email, opened, onOpen }: FoundProps) {
  const { id } = useOrganisation();
  const api = useApi();
  const query = usePages({
    queryKey: [id, 'traces', 'of one address', email],
    load: (place) => answerOf(api.POST('/v1/traces/search', { body: { email, limit: PAGE, ...place } })),
    isKept: false,
  });
  return (
    <Loaded query={query} lines={4}>
      {(pages) => {
        const rows = pages.flatMap(({ traces }) => traces);
        return (
          <>
            {rows.length === 0 ? (
              <Empty title="This address was never judged">
                Every spelling that equals it was looked for, in the 400 days that are kept.
              </Empty>
            ) : (
              <TraceTable rows={rows} hasMore={query.hasNextPage} opened={opened} onOpen={onOpen} />
            )}
            <ShowMore query={query} />
          </>
        );
      }}
    </Loaded>
  );
}
