import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, apiBase } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { BlockBulkSegment, BulkJob } from '../../api/schema.ts';
import { formatCount, formatForm } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Empty } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Breakdown } from './breakdown.tsx';

const SEGMENTS = {
  plain: ['all', 'deliverable', 'review', 'undeliverable', 'business'],
  policy: ['all', 'allow', 'review', 'deny', 'business'],
} as const;

/** How many addresses a segment has; null: the counts do not tell. Those of a policy's decisions are not counted. */
function countOf({ breakdown, policy_slug: policy }: BulkJob, segment: string): number | null {
  if (breakdown === null) return null;
  const { recommendation, email_type: type } = breakdown;
  const { send = 0, hold = 0, challenge = 0, drop = 0 } = recommendation;
  if (segment === 'business') return type.business ?? 0;
  if (policy !== null) return null;
  return { deliverable: send, review: hold + challenge, undeliverable: drop }[segment] ?? null;
}

/** How many of a segment's addresses can stand on a list: those of a wrong form can't. */
function blockedCountOf(job: BulkJob, segment: string): number | null {
  const count = countOf(job, segment);
  return count === null || segment !== 'undeliverable' ? count : count - (job.breakdown?.reason.syntax_invalid ?? 0);
}

function segmentText(job: BulkJob, segment: string): string {
  if (segment === 'all') return job.rows === null ? 'All rows' : `All rows (${formatCount(job.rows)})`;
  const count = countOf(job, segment);
  return count === null ? label(segment) : `${label(segment)} (${formatCount(count)})`;
}

/** What each button holds, in the words of the bars above. */
const BY_NUMBER = 'Deliverable has the rows to send, Review those to hold or challenge, Undeliverable those to drop.';
const BY_POLICY = 'The rows of a button have that decision of your policy.';

/** What came out: the shares, the files, and the segment that is blocked with one button. */
export function Results({ job, mayAct }: { readonly job: BulkJob; readonly mayAct: boolean }) {
  const organisation = useOrganisation();
  const hasPolicy = job.policy_slug !== null;
  const isOver = job.state === 'done' || job.state === 'cancelled';
  const file = (segment: string) => `${apiBase(organisation.id)}/v1/bulk/jobs/${job.id}/results.csv?segment=${segment}`;
  return (
    <>
      {job.breakdown === null ? (
        <Section title="Results">
          <Empty title="Nothing verified yet">It shows here as it comes in.</Empty>
        </Section>
      ) : (
        <Breakdown found={job.breakdown} />
      )}
      {isOver && (
        <Section
          title="Download"
          note={`Your file, with our columns beside yours (svc_…). ${hasPolicy ? BY_POLICY : BY_NUMBER} In brackets: how many different addresses; for all rows, how many rows.`}
        >
          {job.files_deleted_at === null ? (
            <Group gap="xs">
              {SEGMENTS[hasPolicy ? 'policy' : 'plain'].map((segment) => (
                <Button
                  key={segment}
                  component="a"
                  href={file(segment)}
                  download
                  variant={segment === 'all' ? 'filled' : 'default'}
                >
                  {segmentText(job, segment)}
                </Button>
              ))}
            </Group>
          ) : (
            <Text size="sm">The files are deleted, as they are after seven days.</Text>
          )}
        </Section>
      )}
      {isOver && mayAct && job.files_deleted_at === null && (
        <Section
          title="Block a segment"
          note="Its addresses stand on your block list from then on. In brackets: how many they are, without those of a wrong form, which no list takes."
        >
          <Group gap="xs">
            {(hasPolicy ? (['deny', 'review'] as const) : (['undeliverable', 'review'] as const)).map((segment) => (
              <BlockSegment key={segment} job={job} segment={segment} />
            ))}
          </Group>
        </Section>
      )}
    </>
  );
}

function BlockSegment({ job, segment }: { readonly job: BulkJob; readonly segment: BlockBulkSegment['segment'] }) {
  const organisation = useOrganisation();
  const api = useApi();
  const [isAsking, setAsking] = useState(false);
  const count = blockedCountOf(job, segment);
  const block = useMutation({
    mutationFn: () =>
      answerOf(api.POST('/v1/bulk/jobs/{id}/block', { params: { path: { id: job.id } }, body: { segment } })),
    onSuccess: async () => {
      setAsking(false);
      await queryClient.invalidateQueries({ queryKey: [organisation.id, 'rules'] });
    },
  });
  return (
    <Stack gap={4}>
      <Button variant="default" onClick={() => setAsking(true)}>
        Block “{label(segment)}”{count === null ? '' : ` (${formatCount(count)})`}
      </Button>
      {block.data !== undefined && (
        <Text size="sm" role="status">
          {formatCount(block.data.added + block.data.moved)} blocked,{' '}
          {formatForm(block.data.unchanged, { one: '# was already.', other: '# were already.' })}
          {block.data.domain_blocked > 0 &&
            ` A rule on the domain refused ${formatCount(block.data.domain_blocked)} of them before.`}
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
        {count === null
          ? 'Each of its addresses'
          : formatForm(count, { one: 'Its # address', other: 'Each of its # addresses' })}{' '}
        is answered “drop” from the next request on. Rules can be removed again.
      </Confirm>
    </Stack>
  );
}
