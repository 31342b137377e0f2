import { ActionIcon, Alert, Button, Group, Menu, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import type { BulkErrorCode, BulkJob } from '../../api/schema.ts';
import { formatCount, formatSentences, formatShare, plural } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { roleAllows, useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Mark } from '../../parts/mark.tsx';
import { ErrorNotice, Loaded } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { ScreenLink } from '../../parts/screen-link.tsx';
import { Dimmed, QuietButton } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { Preview } from './preview.tsx';
import { isMoving, jobKey, listName, POLL_MS, refreshJob, resultsUrl } from './queries.ts';
import { Results } from './results.tsx';
import { StartPanel } from './start-panel.tsx';

/** One list: content, cost, progress, results. */
export default function Job() {
  const organisation = useOrganisation();
  const { api } = organisation;
  const { job: id = '' } = useParams({ strict: false }) as { job?: string };
  const query = useQuery({
    queryKey: jobKey(organisation.id, id),
    queryFn: () => answerOf(api.GET('/v1/bulk/jobs/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data !== undefined && isMoving(state.data.job) ? POLL_MS : false),
  });
  const job = query.data?.job;
  const hasResults = job !== undefined && HAS_RESULTS.has(job.state);
  return (
    <Page
      title={job === undefined ? 'List' : listName(job)}
      {...(job !== undefined && { description: <Summary job={job} /> })}
      back={
        <ScreenLink to="lists" underline="hover">
          Lists
        </ScreenLink>
      }
      action={
        job !== undefined && (
          <Group gap="xs">
            {hasResults && job.state !== 'running' && job.files_deleted_at === null && (
              <Button
                component="a"
                href={resultsUrl(organisation.id, job.id, 'all')}
                download
                leftSection={<Icon name="download" size={16} />}
              >
                Download all
              </Button>
            )}
            {roleAllows(organisation.role, 'member') && <Actions job={job} />}
          </Group>
        )
      }
    >
      <Loaded query={query} lines={8}>
        {({ job: loaded }) => <JobView job={loaded} answeredAt={query.dataUpdatedAt} />}
      </Loaded>
    </Page>
  );
}

const HAS_RESULTS: ReadonlySet<BulkJob['state']> = new Set(['done', 'cancelled', 'running']);

function Summary({ job }: { readonly job: BulkJob }) {
  const parts = [
    job.rows !== null && plural(job.rows, '# row', '# rows'),
    job.unique !== null && job.unique !== job.rows && plural(job.unique, '# address', '# addresses'),
    (job.invalid ?? 0) > 0 && plural(job.invalid ?? 0, '# row without an address', '# rows without an address'),
    label(job.purpose),
    job.policy_slug !== null && `policy ${job.policy_slug}`,
  ].filter((part) => part !== false);
  return (
    <Group gap="xs" component="span">
      <Mark term={job.state} />
      <span className="numbers">
        {parts.join(' · ')} · files {job.files_deleted_at === null ? 'deleted' : 'were deleted'}{' '}
        <Time at={job.files_deleted_at ?? job.expires_at} />
      </span>
    </Group>
  );
}

interface JobProps {
  readonly job: BulkJob;
  /** Time of the answer, milliseconds. */
  readonly answeredAt: number;
}

function JobView({ job, answeredAt }: JobProps) {
  const { role } = useOrganisation();
  const mayAct = roleAllows(role, 'member');
  return (
    <>
      {job.error !== null && <Failed error={job.error} />}
      {(job.state === 'running' || job.state === 'queued') && <Running job={job} answeredAt={answeredAt} />}
      {job.state === 'paused_quota' && (
        <Alert color="yellow" title="Paused: this month’s quota is used up">
          Checked rows are kept. Resume next month, or once the quota is larger.
        </Alert>
      )}
      {job.state === 'ready' && mayAct && <StartPanel job={job} />}
      {HAS_RESULTS.has(job.state) ? (
        <Results job={job} mayAct={mayAct} />
      ) : (
        job.columns !== null && (
          <Section title="First rows">
            <Preview job={job} />
          </Section>
        )
      )}
    </>
  );
}

/** Advice for a file that could not be read. */
const REMEDIES: Readonly<Record<BulkErrorCode, string>> = {
  empty_file: 'The file has no content. Export it again and check its size.',
  not_text: 'This isn’t a text file. Save it as CSV, or upload the .xlsx itself.',
  no_rows: 'The file has a header and nothing below it. Export it with its rows.',
  too_many_rows: 'A list has at most 100,000 rows. Split the file and upload the parts together.',
  too_wide: 'Some rows have far more cells than the first line. Check the delimiter, and delete empty columns.',
  unclosed_quote: 'A cell begins with a quote that never ends. Export the file again with cells quoted.',
  internal_error: 'Something broke on our side. Upload the file again; you weren’t charged twice.',
  expired_unfinished: 'It wasn’t finished within seven days. Upload it again.',
};

function Failed({ error: { code, message } }: { readonly error: NonNullable<BulkJob['error']> }) {
  const { id } = useOrganisation();
  return (
    <Alert color="red" icon={<Icon name="warning" />} title={message} role="alert">
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{REMEDIES[code] ?? 'Check the file and upload it again.'}</Text>
        <QuietButton
          renderRoot={(props) => (
            <Link
              to="/$organisation/lists"
              params={{ organisation: id }}
              search={{ new: 'file' } as never}
              {...props}
            />
          )}
        >
          Upload another file
        </QuietButton>
      </Stack>
    </Alert>
  );
}

/** Without a new row for this long, rows wait for a retry. */
const STANDS_AFTER_MS = 20_000;

/** Whether the count has stood still that long. `done` is null before counting. */
function useStandsStill(done: number | null, answeredAt: number): boolean {
  const [first, setFirst] = useState({ done, at: answeredAt });
  if (first.done !== done) setFirst({ done, at: answeredAt });
  return done !== null && answeredAt - first.at >= STANDS_AFTER_MS;
}

function Running({ job: { state, progress, rows }, answeredAt }: JobProps) {
  const done = progress?.rows_done ?? 0;
  const standsStill = useStandsStill(state === 'running' ? done : null, answeredAt);
  const all = rows ?? 0;
  const share = all === 0 ? 0 : Math.min(1, done / all);
  return (
    <Section>
      <Progress value={share * 100} aria-label="Done" size="lg" />
      <Dimmed mt="xs" className="numbers" role="status">
        {formatSentences(
          state === 'queued' && 'Waits for other lists.',
          `${formatCount(done)} of ${formatCount(all)} rows, ${formatShare(share)}.`,
          standsStill && 'Some domains or providers aren’t answering. Their rows are retried for up to eight minutes.',
        )}
      </Dimmed>
    </Section>
  );
}

const QUESTIONS = {
  cancel: {
    name: 'Cancel list',
    action: 'Cancel list',
    question: 'No further rows are checked or charged. Checked rows stay available. A cancelled list can’t be resumed.',
  },
  delete: {
    name: 'Delete files',
    action: 'Delete files',
    question: 'Deletes the upload and all results now. Nobody can download them afterwards. The counts stay.',
  },
} as const;
type Question = keyof typeof QUESTIONS;

function Actions({ job }: { readonly job: BulkJob }) {
  const { api, id: organisationId } = useOrganisation();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Question | null>(null);
  const params = { path: { id: job.id } };
  const act = useMutation({
    mutationFn: async (what: Question | 'resume' | 'again') => {
      if (what === 'cancel') return answerOf(api.POST('/v1/bulk/jobs/{id}/cancel', { params }));
      if (what === 'resume') return answerOf(api.POST('/v1/bulk/jobs/{id}/resume', { params }));
      if (what === 'delete') return answerOf(api.DELETE('/v1/bulk/jobs/{id}', { params }));
      const made = await answerOf(api.POST('/v1/bulk/jobs/{id}/again', { params }));
      await navigate({ to: '/$organisation/lists/$job', params: { organisation: organisationId, job: made.job.id } });
      return made;
    },
    onSuccess: () => {
      setAsked(null);
      return refreshJob(organisationId, job.id);
    },
  });
  const isActive = ['queued', 'running', 'paused_quota'].includes(job.state);
  const hasFiles = job.files_deleted_at === null;
  const offered: Question | null = isActive ? 'cancel' : hasFiles ? 'delete' : null;
  return (
    <>
      {job.state === 'paused_quota' && (
        <Button onClick={() => act.mutate('resume')} loading={act.isPending}>
          Resume
        </Button>
      )}
      {offered !== null && (
        <Menu>
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label="More actions">
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {!isActive && hasFiles && job.columns !== null && job.state !== 'ready' && (
              <Menu.Item onClick={() => act.mutate('again')}>Check again</Menu.Item>
            )}
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
          title={`${QUESTIONS[asked].name}?`}
          action={QUESTIONS[asked].action}
          sending={act}
          onConfirm={() => act.mutate(asked)}
          onClose={() => {
            setAsked(null);
            act.reset();
          }}
        >
          {QUESTIONS[asked].question}
        </Confirm>
      )}
    </>
  );
}
