import { ActionIcon, Box, Button, Group, Table, Text, Tooltip } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { memo } from 'react';
import { answerOf } from '../../api/client.ts';
import type { BulkJob } from '../../api/schema.ts';
import { Bar } from '../../charts/share-bar.tsx';
import { setOf, useFilters, valueOf } from '../../lib/filters.ts';
import { formatCount, formatShare } from '../../lib/format.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { Dialog } from '../../parts/dialog.tsx';
import type { HeadCells } from '../../parts/head.tsx';
import { Icon } from '../../parts/icons.tsx';
import { ListFilters } from '../../parts/list-filters.tsx';
import { LongTable, placed, type RowPlace } from '../../parts/long-table.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Empty } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { PagedRows, usePages } from '../../parts/pages.tsx';
import { ScreenLink } from '../../parts/screen-link.tsx';
import { Small } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { type ChosenFiles, FILES, NewList, useChosenFiles } from './new-list.tsx';
import { isMoving, listName, POLL_MS, resultsUrl } from './queries.ts';
import { partsOf, sharesOf } from './shares.ts';

/** Past lists, and uploads by button or by dropping files anywhere. */
export default function Lists() {
  const { role } = useOrganisation();
  const [search, change] = useFilters();
  const files = useChosenFiles();
  const mayUpload = roleAllows(role, 'member');
  return (
    <Page
      title="Lists"
      description="Clean a list of addresses. Files are deleted after seven days."
      action={
        mayUpload && (
          <Button leftSection={<Icon name="upload" size={16} />} onClick={() => change({ new: 'file' }, true)}>
            New list
          </Button>
        )
      }
    >
      {mayUpload && (
        <>
          <Dropzone.FullScreen
            {...FILES}
            active={search['new'] === undefined}
            onDrop={(dropped) => {
              files.add(dropped);
              change({ new: 'file' }, true);
            }}
          >
            <Text ta="center" fw={600} mt="20vh">
              Drop files to clean them
            </Text>
          </Dropzone.FullScreen>
          <Dialog
            opened={search['new'] !== undefined}
            onClose={() => {
              files.clear();
              change({ new: undefined });
            }}
            title="New list"
            size="lg"
          >
            <NewList files={files} />
          </Dialog>
        </>
      )}
      <Section>
        <Jobs {...(mayUpload && { files })} />
      </Section>
    </Page>
  );
}

const ROW_PX = 54;

const HEAD: HeadCells = [
  'List',
  ['State', { w: { base: 118, lg: 150 } }],
  ['Result', { visibleFrom: 'sm', w: { base: 230, md: 300, lg: 340 } }],
  ['Rows', { ta: 'right', visibleFrom: 'xs', w: { base: 76, sm: 90 } }],
  [<span className="visually-hidden">Download</span>, { w: 44 }],
];

/** A list's parts as a small bar with shares. */
function Shares({ job }: { readonly job: BulkJob }) {
  const parts = partsOf(job);
  const total = parts?.reduce((sum, { count }) => sum + count, 0) ?? 0;
  if (parts === null || total === 0) return null;
  return (
    <Box maw={320}>
      <Bar shares={sharesOf(parts)} height={6} />
      <Small mt={2}>
        {parts
          .filter(({ count }) => count > 0)
          .map(({ segment, count }) => `${formatShare(count / total)} ${label(segment).toLowerCase()}`)
          .join(' · ')}
      </Small>
    </Box>
  );
}

const Row = memo(function Row({ job, at, measure }: RowPlace & { readonly job: BulkJob }) {
  const { id } = useOrganisation();
  const name = listName(job);
  return (
    <Table.Tr {...placed({ at, measure })}>
      <Table.Td>
        <ScreenLink to={`lists/${job.id}`} lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </ScreenLink>
        <Small component="div">
          <Time at={job.created_at} />
        </Small>
        <Box hiddenFrom="sm" mt={4}>
          <Shares job={job} />
        </Box>
      </Table.Td>
      <Table.Td>
        <Mark term={job.state} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Shares job={job} />
      </Table.Td>
      <Table.Td ta="right" visibleFrom="xs">
        {job.rows === null ? '' : formatCount(job.rows)}
      </Table.Td>
      <Table.Td>
        {job.state === 'done' && job.files_deleted_at === null && (
          <Tooltip label="Download all rows">
            <ActionIcon component="a" href={resultsUrl(id, job.id, 'all')} download aria-label={`Download ${name}`}>
              <Icon name="download" size={16} />
            </ActionIcon>
          </Tooltip>
        )}
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

/** Shows the upload form while there is no list. */
function Jobs({ files }: { readonly files?: ChosenFiles }) {
  const [search] = useFilters();
  const state = valueOf(search, 'state', STATES);
  const { api, id: organisationId } = useOrganisation();
  const query = usePages({
    queryKey: [organisationId, 'jobs', state],
    load: (place) => answerOf(api.GET('/v1/bulk/jobs', { params: { query: { limit: 20, state, ...place } } })),
    refetchMs: (pages) => (pages.some(({ jobs }) => jobs.some(isMoving)) ? POLL_MS : false),
  });
  const isFirst = state === undefined && query.data?.[0]?.jobs.length === 0;
  if (isFirst && files !== undefined) return <NewList files={files} />;
  return (
    <>
      <Group>
        <ListFilters filters={FILTERS} />
      </Group>
      <PagedRows
        query={query}
        rowsOf={(page) => page.jobs}
        filters={setOf({ state })}
        empty={<Empty title="No lists yet">A member can upload one.</Empty>}
        lines={4}
      >
        {(jobs) => (
          <LongTable
            name="Lists"
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
