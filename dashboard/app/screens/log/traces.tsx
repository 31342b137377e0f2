import { memo } from 'react';
import { answerOf } from '../../api/client.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Empty } from '../../parts/notices.tsx';
import { PagedRows } from '../../parts/paged-rows.tsx';
import { usePages } from '../../parts/pages.tsx';
import { askOf } from '../rules/forms.ts';
import type { OpenRecord } from './record-rows.tsx';
import { askedOf, type LogListProps, queryOf } from './search.ts';
import { TraceTable } from './trace-table.tsx';

const PAGE = 100;
/** Rows of this scope say what a policy decided. */
const WITH_DECISIONS = 'owner';

/** The judgements that fit the filters. */
export const Traces = memo(function Traces({ search, opened, onOpen }: LogListProps) {
  const { id } = useOrganisation();
  const api = useApi();
  const filters = askedOf(search);
  const query = usePages({
    queryKey: [id, 'traces', filters],
    load: (place) =>
      answerOf(
        api.GET('/v1/traces', {
          params: { query: { ...queryOf(filters, Date.now() / 1000), scope: WITH_DECISIONS, limit: PAGE, ...place } },
        }),
      ),
  });
  return (
    <PagedRows
      query={query}
      rowsOf={({ traces }) => traces}
      filters={Object.keys(filters)}
      empty={<Empty title="No verifications yet">Try an address, or make your first API call.</Empty>}
      lines={8}
    >
      {(rows) => <TraceTable rows={rows} hasMore={query.hasNextPage} opened={opened} onOpen={onOpen} />}
    </PagedRows>
  );
});

interface FoundProps {
  readonly email: string;
  readonly opened: string | undefined;
  readonly onOpen: OpenRecord;
}

/** The judgements of one address, in every spelling that equals it. */
export function FoundTraces({ email, opened, onOpen }: FoundProps) {
  const { id } = useOrganisation();
  const api = useApi();
  const query = usePages({
    queryKey: [id, 'traces', 'of-one-address', email],
    load: (place) =>
      askOf('address', email, () =>
        answerOf(api.POST('/v1/traces/search', { body: { email, scope: WITH_DECISIONS, limit: PAGE, ...place } })),
      ),
    isKept: false,
  });
  return (
    <PagedRows
      query={query}
      rowsOf={({ traces }) => traces}
      filters={[]}
      empty={<Empty title="No verification of this address">Searched all its spellings in the last 400 days.</Empty>}
      lines={4}
    >
      {(rows) => <TraceTable rows={rows} hasMore={query.hasNextPage} opened={opened} onOpen={onOpen} />}
    </PagedRows>
  );
}
