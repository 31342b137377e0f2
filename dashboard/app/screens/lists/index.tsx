import { Anchor, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { answerOf } from '../../api/client.ts';
import type { BulkJob } from '../../api/schema.ts';
import { formatCount } from '../../lib/format.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { LongTable, placed, type RowPlace } from '../../parts/long-table.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { ShowMore, usePages } from '../../parts/pages.tsx';
import { Time } from '../../parts/time.tsx';
import { NewListForm } from './new-list.tsx';
import { isMoving, POLL_MS } from './queries.ts';

/** Files of addresses: a new one, and those of before. */
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
          truncate
          display="block"
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

function Jobs() {
  const organisation = useOrganisation();
  const api = useApi();
  const query = usePages({
    queryKey: [organisation.id, 'jobs'],
    load: (place) => answerOf(api.GET('/v1/bulk/jobs', { params: { query: { limit: 20, ...place } } })),
    refetchMs: (pages) => (pages.some(({ jobs }) => jobs.some(isMoving)) ? POLL_MS : false),
  });
  const jobs = query.data?.flatMap((page) => page.jobs) ?? [];
  return (
    <Loaded query={query} lines={4}>
      {() =>
        jobs.length === 0 ? (
          <Empty title="No list yet">
            Drop a CSV file above, or paste addresses. Nothing is spent before you start it.
          </Empty>
        ) : (
          <>
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
            <ShowMore query={query} />
          </>
        )
      }
    </Loaded>
  );
}
