import { Anchor, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { answerOf } from '../../api/client.ts';
import type { BulkJob } from '../../api/schema.ts';
import { setOf, useFilters, valueOf } from '../../lib/filters.ts';
import { formatCount } from '../../lib/format.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { ListFilters } from '../../parts/list-filters.tsx';
import { LongTable, placed, type RowPlace } from '../../parts/long-table.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Empty } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { PagedRows } from '../../parts/paged-rows.tsx';
import { usePages } from '../../parts/pages.tsx';
import { Time } from '../../parts/time.tsx';
import { NewListForm } from './new-list.tsx';
import { isMoving, POLL_MS } from './queries.ts';

/** Files of addresses: a new one, and the earlier ones. */
export default function Lists() {
  const { role } = useOrganisation();
  return (
    <Page
      title="Lists"
      description="A file of addresses, cleaned: up to 50 MB and 100,000 rows. It is deleted after seven days, with its results."
    >
      {roleAllows(role, 'member') && (
        <Section title="Clean a list">
          <NewListForm />
        </Section>
      )}
      <Section title="Past lists">
        <Jobs />
      </Section>
    </Page>
  );
}

const ROW_PX = 36;

const HEAD = (
  <>
    <Table.Th>Name</Table.Th>
    <Table.Th w={{ base: 100, sm: 140 }}>State</Table.Th>
    <Table.Th ta="right" w={{ base: 76, sm: 120 }}>
      Rows
    </Table.Th>
    <Table.Th visibleFrom="sm" w={130}>
      Made
    </Table.Th>
  </>
);

const Row = memo(function Row({ job, at, measure }: RowPlace & { readonly job: BulkJob }) {
  const { id } = useOrganisation();
  return (
    <Table.Tr {...placed({ at, measure })}>
      <Table.Td>
        <Anchor
          size="sm"
          lineClamp={2}
          style={{ overflowWrap: 'anywhere' }}
          renderRoot={(props) => (
            <Link to="/$organisation/lists/$job" params={{ organisation: id, job: job.id }} {...props} />
          )}
        >
          {job.name ?? 'Without a name'}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <Mark term={job.state} />
      </Table.Td>
      <Table.Td ta="right">{job.rows === null ? '' : formatCount(job.rows)}</Table.Td>
      <Table.Td visibleFrom="sm">
        <Time at={job.created_at} />
      </Table.Td>
    </Table.Tr>
  );
});

const STATES = [
  'ready',
  'uploading',
  'queued',
  'running',
  'paused_quota',
  'done',
  'failed',
  'cancelled',
  'expired',
] as const satisfies readonly BulkJob['state'][];
const FILTERS = [{ name: 'state', title: 'State', values: STATES }];

function Jobs() {
  const [search] = useFilters();
  const state = valueOf(search, 'state', STATES);
  const organisation = useOrganisation();
  const api = useApi();
  const query = usePages({
    queryKey: [organisation.id, 'jobs', state],
    load: (place) => answerOf(api.GET('/v1/bulk/jobs', { params: { query: { limit: 20, state, ...place } } })),
    refetchMs: (pages) => (pages.some(({ jobs }) => jobs.some(isMoving)) ? POLL_MS : false),
  });
  return (
    <>
      <ListFilters filters={FILTERS} />
      <PagedRows
        query={query}
        rowsOf={(page) => page.jobs}
        filters={setOf({ state })}
        empty={
          <Empty title="No list yet">
            Drop a CSV file above, or paste addresses. Nothing is spent before you start it.
          </Empty>
        }
        lines={4}
      >
        {(jobs) => (
          <LongTable
            name="Past lists"
            rows={jobs}
            hasMore={query.hasNextPage}
            keyOf={({ id }) => id}
            head={HEAD}
            minWidth={280}
            rowHeight={ROW_PX}
          >
            {(job, { at, measure }) => <Row job={job} at={at} measure={measure} />}
          </LongTable>
        )}
      </PagedRows>
    </>
  );
}
