import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, apiBase } from '../../api/client.ts';
import { lossesQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import type { BlockBulkSegment, BulkJob } from '../../api/schema.ts';
import { formatCount, formatSentences, plural } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { limitText, thresholdsOf } from '../../lib/thresholds.ts';
import { label } from '../../lib/vocabulary.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Empty } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Breakdown } from './breakdown.tsx';
import { LOCAL_ONLY, openReason, unaskedText } from './unasked.ts';

const SEGMENTS = {
  plain: ['all', 'deliverable', 'review', 'undeliverable'],
  policy: ['all', 'allow', 'review', 'deny'],
} as const;

const BLOCKABLE = {
  plain: ['undeliverable', 'review'],
  policy: ['deny', 'review'],
} as const;

/** How many addresses a segment has; null means the counts do not tell. */
function countOf({ breakdown, policy_slug: policy }: BulkJob, segment: string): number | null {
  if (breakdown === null) return null;
  const { recommendation, email_type: type, decision } = breakdown;
  const { send = 0, hold = 0, challenge = 0, drop = 0 } = recommendation;
  if (segment === 'business') return type.business ?? 0;
  if (policy !== null) {
    if (decision === null) return null;
    const { allow = 0, allow_with_flow: withFlow = 0, review = 0, challenge: challenged = 0, deny = 0 } = decision;
    return { allow: allow + withFlow, review: review + challenged, deny }[segment] ?? null;
  }
  return { deliverable: send, review: hold + challenge, undeliverable: drop }[segment] ?? null;
}

interface Blockable {
  readonly count: number;
  /** Some of them may be of a wrong form, which no list takes. */
  readonly isMost: boolean;
}

/** How many of a segment's addresses can be on a list. A policy may decide either way about malformed ones. */
function blockableOf(job: BulkJob, segment: string): Blockable | null {
  const count = countOf(job, segment);
  if (count === null) return null;
  const malformed = job.breakdown?.reason.syntax_invalid ?? 0;
  if (job.policy_slug !== null) return { count, isMost: count > 0 && malformed > 0 };
  return { count: segment === 'undeliverable' ? count - malformed : count, isMost: false };
}

function segmentText(job: BulkJob, segment: string): string {
  if (segment === 'all') return job.rows === null ? 'All rows' : plural(job.rows, 'All # row', 'All # rows');
  const [name, count] = [label(segment), countOf(job, segment)];
  return count === null ? name : plural(count, `${name}, # address`, `${name}, # addresses`);
}

/** `Block “Deny”, up to 30 addresses`. */
function blockText(segment: string, blockable: Blockable | null): string {
  const name = label(segment);
  if (blockable === null) return `Block “${name}”`;
  const { count, isMost } = blockable;
  return isMost
    ? plural(count, `Block “${name}”, up to # address`, `Block “${name}”, up to # addresses`)
    : plural(count, `Block “${name}”, # address`, `Block “${name}”, # addresses`);
}

/** What follows for them. */
function blockedText(blockable: Blockable | null): string {
  if (blockable === null) return 'Each of its addresses is answered “drop” from the next request on.';
  const { count, isMost } = blockable;
  return isMost
    ? plural(
        count,
        'Its # address is answered “drop” from the next request on, unless it is of a wrong form.',
        'Up to # addresses are answered “drop” from the next request on: all but those of a wrong form.',
      )
    : plural(
        count,
        'Its # address is answered “drop” from the next request on.',
        'Each of its # addresses is answered “drop” from the next request on.',
      );
}

/** What each button holds, in the words of the bars above. */
const BY_NUMBER = 'Deliverable has the rows to send, Review those to hold or challenge, Undeliverable those to drop.';
const BY_POLICY =
  'Allow has the rows allowed, with a flow too, Review those to review or challenge, Deny those denied. The file names the decision of each row (svc_decision).';
const COUNTED_ONCE = 'An address in several rows counts once, and the file has all of its rows.';

const NOTES = {
  plain: {
    download: formatSentences(BY_NUMBER, COUNTED_ONCE),
    block: 'Addresses of a wrong form are not counted here: no list takes them.',
  },
  policy: {
    download: formatSentences(BY_POLICY, COUNTED_ONCE),
    block: 'An address of a wrong form stands on no list.',
  },
} as const;

/** Why so many are sent to, held or dropped: the limits of the list's purpose, and who was asked. */
function Limits({
  job: { state, purpose, providers_asked: asked, providers_not_asked: notAsked },
}: {
  readonly job: BulkJob;
}) {
  const organisation = useOrganisation();
  const losses = useQuery(lossesQuery(useApi(), organisation.id)).data?.losses[purpose];
  const limits = losses && thresholdsOf(losses);
  const open = openReason(notAsked);
  // Before the end, providers may still be asked.
  const isUnasked = state === 'done' && asked === 0;
  return (
    <Stack gap="xs">
      {limits !== undefined && (
        <Text size="sm">
          Under your losses of today, an address is sent to where its number is below {limitText(limits.send)}, and
          dropped above {limitText(limits.drop)} where enough is known of it. An address that a provider warns of, or
          that looks made up, is never sent to. The settings have these losses, for the purpose “{label(purpose)}”.
        </Text>
      )}
      {asked > 0 && (
        <Text size="sm">
          {plural(asked, 'A provider was asked about # address.', 'Providers were asked about # addresses.')}
        </Text>
      )}
      {isUnasked && open === null && (
        <Text size="sm">No provider was asked: local checks and earlier answers settle every address.</Text>
      )}
      {isUnasked && open !== null && (
        <Alert color="yellow" variant="light" title="No provider was asked">
          {plural(open.count, 'The reason for # address:', 'The reason for # addresses:')}{' '}
          {unaskedText(open.reason) ?? `${label(open.reason)}.`} {open.isOfMost && LOCAL_ONLY}
        </Alert>
      )}
    </Stack>
  );
}

/** What came out: the shares, the files, and the segment that is blocked with one button. */
export function Results({ job, mayAct }: { readonly job: BulkJob; readonly mayAct: boolean }) {
  const kind = job.policy_slug === null ? 'plain' : 'policy';
  const notes = NOTES[kind];
  const isOver = job.state === 'done' || job.state === 'cancelled';
  return (
    <>
      {job.breakdown === null ? (
        <Section title="Results">
          <Empty title="Nothing verified yet">
            {formatSentences(
              (job.progress?.rows_done ?? 0) > 0 && 'The rows done so far hold no address.',
              'It shows here as it comes in.',
            )}
          </Empty>
        </Section>
      ) : (
        <Breakdown found={job.breakdown}>
          <Limits job={job} />
        </Breakdown>
      )}
      {isOver && (
        <Section
          title="Download"
          note={formatSentences('Your file, with our columns beside yours (svc_…).', notes.download)}
        >
          {job.files_deleted_at === null ? (
            <Stack gap="sm">
              <Downloads job={job} segments={SEGMENTS[kind]} />
              <Text size="sm">By type, across the segments above:</Text>
              <Downloads job={job} segments={['business']} />
            </Stack>
          ) : (
            <Text size="sm">The files are deleted, as they are after seven days.</Text>
          )}
        </Section>
      )}
      {isOver && mayAct && job.files_deleted_at === null && (
        <Section
          title="Block a segment"
          note={formatSentences('Its addresses stand on your block list from then on.', notes.block)}
        >
          <BlockSegments job={job} segments={BLOCKABLE[kind]} />
        </Section>
      )}
    </>
  );
}

function Downloads({ job, segments }: { readonly job: BulkJob; readonly segments: readonly string[] }) {
  const { id } = useOrganisation();
  return (
    <Group gap="xs">
      {segments.map((segment) => (
        <Button
          key={segment}
          component="a"
          href={`${apiBase(id)}/v1/bulk/jobs/${job.id}/results.csv?segment=${segment}`}
          download
          variant={segment === 'all' ? 'filled' : 'default'}
        >
          {segmentText(job, segment)}
        </Button>
      ))}
    </Group>
  );
}

type Segment = BlockBulkSegment['segment'];

/** A button for each segment that may hold an address that a list takes. */
function BlockSegments({ job, segments }: { readonly job: BulkJob; readonly segments: readonly Segment[] }) {
  const held = segments.filter((segment) => blockableOf(job, segment)?.count !== 0);
  if (held.length === 0)
    return (
      <Text size="sm" c="dimmed">
        These segments hold no address to block.
      </Text>
    );
  return (
    <Group gap="xs" align="flex-start">
      {held.map((segment) => (
        <BlockSegment key={segment} job={job} segment={segment} />
      ))}
    </Group>
  );
}

function BlockSegment({ job, segment }: { readonly job: BulkJob; readonly segment: Segment }) {
  const organisation = useOrganisation();
  const api = useApi();
  const [isAsking, setAsking] = useState(false);
  const blockable = blockableOf(job, segment);
  /** Stored with each rule, so that it says which list it came from. */
  const note = `${job.name ?? job.id}: ${segment}`;
  const block = useMutation({
    mutationFn: () =>
      answerOf(api.POST('/v1/bulk/jobs/{id}/block', { params: { path: { id: job.id } }, body: { segment, note } })),
    onSuccess: async () => {
      setAsking(false);
      await queryClient.invalidateQueries({ queryKey: [organisation.id, 'rules'] });
    },
  });
  return (
    <Stack gap={4} maw="100%">
      <Button className="long-button" variant="default" onClick={() => setAsking(true)}>
        {blockText(segment, blockable)}
      </Button>
      {block.data !== undefined && (
        <Text size="sm" role="status">
          {formatCount(block.data.added + block.data.moved)} blocked,{' '}
          {plural(block.data.unchanged, '# was already.', '# were already.')}{' '}
          {block.data.domain_blocked > 0 &&
            `A rule on the domain refused ${formatCount(block.data.domain_blocked)} of them before.`}{' '}
          {block.data.added + block.data.moved > 0 && (
            <>
              To undo it, remove those with the note “{note}” from{' '}
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link
                    to="/$organisation/rules"
                    params={{ organisation: organisation.id }}
                    search={{ of: 'addresses' } as never}
                    {...props}
                  />
                )}
              >
                your block list
              </Anchor>
              .
            </>
          )}
        </Text>
      )}
      <Confirm
        opened={isAsking}
        title={`Block the segment “${label(segment)}”?`}
        action="Block it"
        isPending={block.isPending}
        error={block.error}
        onConfirm={() => block.mutate()}
        onClose={() => setAsking(false)}
      >
        {blockedText(blockable)} Rules can be removed again.
      </Confirm>
    </Stack>
  );
}
