import { Button, Group, Menu, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import type { BulkJob } from '../../api/schema.ts';
import { formatCount, formatShare } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useApi, useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Mark } from '../../parts/mark.tsx';
import { ErrorNotice, Loaded } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { Preview } from './preview.tsx';
import { isMoving, jobKey, POLL_MS, refreshJob } from './queries.ts';
import { Results } from './results.tsx';
import { StartPanel } from './start-panel.tsx';

/** The file is read, and may be shown. */
const PREVIEWED: ReadonlySet<BulkJob['state']> = new Set([
  'ready',
  'queued',
  'running',
  'paused_quota',
  'done',
  'cancelled',
]);

/** One list: what stands in it, what it costs, how far it is, what came out. */
export default function Job() {
  const organisation = useOrganisation();
  const api = useApi();
  const { job: id = '' } = useParams({ strict: false }) as { job?: string };
  const query = useQuery({
    queryKey: jobKey(organisation.id, id),
    queryFn: () => answerOf(api.GET('/v1/bulk/jobs/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data !== undefined && isMoving(state.data.job) ? POLL_MS : false),
  });
  const job = query.data?.job;
  return (
    <Page
      title={job?.name ?? 'List'}
      action={
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link to="/$organisation/lists" params={{ organisation: organisation.id }} {...props} />
          )}
        >
          All lists
        </Button>
      }
    >
      <Loaded query={query} lines={8}>
        {({ job: loaded }) => <JobView job={loaded} answeredAt={query.dataUpdatedAt} />}
      </Loaded>
    </Page>
  );
}

interface JobProps {
  readonly job: BulkJob;
  /** When the service said so, milliseconds. */
  readonly answeredAt: number;
}

function JobView({ job, answeredAt }: JobProps) {
  const { role } = useOrganisation();
  const mayAct = roleAllows(role, 'member');
  return (
    <>
      <Section>
        <Stack>
          <Group justify="space-between">
            <Mark term={job.state} size="md" />
            {mayAct && <Actions job={job} />}
          </Group>
          {job.error !== null && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {job.error.message}
            </Text>
          )}
          {(job.state === 'running' || job.state === 'queued') && <Running job={job} answeredAt={answeredAt} />}
          {job.state === 'paused_quota' && (
            <Text size="sm">
              The quota of this month is spent. Nothing that was verified is lost: resume it next month, or with a
              larger quota.
            </Text>
          )}
          <Facts
            facts={[
              { name: 'Rows', value: job.rows === null ? 'Not read yet' : formatCount(job.rows) },
              { name: 'Different addresses', value: job.unique === null ? '' : formatCount(job.unique) },
              { name: 'Skipped rows', value: job.invalid === null ? '' : formatCount(job.invalid) },
              { name: 'Policy', value: job.policy_slug ?? 'None' },
              { name: 'Purpose', value: label(job.purpose) },
              { name: 'Made', value: <Time at={job.created_at} /> },
              {
                name: job.files_deleted_at === null ? 'Files are deleted' : 'Files were deleted',
                value: <Time at={job.files_deleted_at ?? job.expires_at} />,
              },
            ]}
          />
        </Stack>
      </Section>
      {job.state === 'ready' && mayAct && <StartPanel job={job} />}
      {job.files_deleted_at === null && PREVIEWED.has(job.state) && <Preview job={job} />}
      {(job.state === 'done' || job.state === 'cancelled' || job.state === 'running') && (
        <Results job={job} mayAct={mayAct} />
      )}
    </>
  );
}

/** So long without a row, and rows wait for another try. */
const STANDS_AFTER_MS = 20_000;

/** Whether answers over that long have the same count. `done`; null means it does not count yet. */
function useStandsStill(done: number | null, answeredAt: number): boolean {
  const [first, setFirst] = useState({ done, at: answeredAt });
  if (first.done !== done) setFirst({ done, at: answeredAt });
  return done !== null && answeredAt - first.at >= STANDS_AFTER_MS;
}

function Running({ job: { state, progress, rows, breakdown }, answeredAt }: JobProps) {
  const done = progress?.rows_done ?? 0;
  const standsStill = useStandsStill(state === 'running' ? done : null, answeredAt);
  const all = rows ?? 0;
  const share = all === 0 ? 0 : Math.min(1, done / all);
  return (
    <div>
      <Progress value={share * 100} aria-label="Done" size="lg" />
      <Text size="sm" c="dimmed" mt={4} className="numbers" role="status">
        {formatCount(done)} of {formatCount(all)} rows, {formatShare(share)}. {formatCount(Math.max(0, all - done))}{' '}
        left. {breakdown !== null && 'The results below are those so far.'}
      </Text>
      {standsStill && (
        <Text size="sm" mt={4} role="status">
          Some domains or providers do not answer. Their rows are tried again, for about eight minutes at most. Then the
          list ends with what is known.
        </Text>
      )}
    </div>
  );
}

/** What can't be taken back, asked about before it is done. */
const QUESTIONS = {
  cancel: {
    name: 'Cancel the list',
    action: 'Cancel it',
    question:
      'No further row is checked. The rows that are done stay and can be downloaded; the others are not charged. A cancelled list can’t be resumed.',
  },
  delete: {
    name: 'Delete its files',
    action: 'Delete the files',
    question:
      'The uploaded file and all results are deleted now. Nobody can download them afterwards. The counts of this page stay.',
  },
} as const;
type Question = keyof typeof QUESTIONS;

function Actions({ job }: { readonly job: BulkJob }) {
  const organisation = useOrganisation();
  const api = useApi();
  const [asked, setAsked] = useState<Question | null>(null);
  const params = { path: { id: job.id } };
  const act = useMutation({
    mutationFn: (what: Question | 'resume') => {
      if (what === 'cancel') return answerOf(api.POST('/v1/bulk/jobs/{id}/cancel', { params }));
      if (what === 'resume') return answerOf(api.POST('/v1/bulk/jobs/{id}/resume', { params }));
      return answerOf(api.DELETE('/v1/bulk/jobs/{id}', { params }));
    },
    onSuccess: () => {
      setAsked(null);
      return refreshJob(organisation.id, job.id);
    },
  });
  const isActive = ['queued', 'running', 'paused_quota'].includes(job.state);
  const offered: Question | null = isActive ? 'cancel' : job.files_deleted_at === null ? 'delete' : null;
  const close = () => {
    setAsked(null);
    act.reset();
  };
  return (
    <Group gap="xs">
      {job.state === 'paused_quota' && (
        <Button size="xs" onClick={() => act.mutate('resume')} loading={act.isPending}>
          Resume
        </Button>
      )}
      {offered !== null && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <Button size="xs" variant="default">
              More actions
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item color="red" onClick={() => setAsked(offered)}>
              {QUESTIONS[offered].name}…
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {asked === null && act.error !== null && <ErrorNotice error={act.error} />}
      {asked !== null && (
        <Confirm
          opened
          title={QUESTIONS[asked].name}
          action={QUESTIONS[asked].action}
          isPending={act.isPending}
          error={act.error}
          onConfirm={() => act.mutate(asked)}
          onClose={close}
        >
          {QUESTIONS[asked].question}
        </Confirm>
      )}
    </Group>
  );
}
