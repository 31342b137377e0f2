import { Alert, Button, Checkbox, Group, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { BulkEstimate, BulkJob, ChangeBulkJob } from '../../api/schema.ts';
import { formatCount, formatDollars, formatRow } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { Facts } from '../../parts/facts.tsx';
import { ErrorNotice, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Dimmed, QuietButton } from '../../parts/text.tsx';
import { refreshJob } from './queries.ts';
import { NOT_ASKED } from './shares.ts';

/** Address column, estimate, and start. Nothing is spent before. */
export function StartPanel({ job }: { readonly job: BulkJob }) {
  const organisation = useOrganisation();
  const { api } = organisation;
  const params = { path: { id: job.id } };
  const { email_column: column, email_column_other: other, columns } = job;
  const estimateKey = [organisation.id, 'estimate', job.id];
  const estimate = useQuery({
    queryKey: [...estimateKey, column, job.has_header],
    queryFn: () => answerOf(api.GET('/v1/bulk/jobs/{id}/estimate', { params })),
    enabled: column !== null,
  });
  const change = useMutation({
    mutationFn: (changed: ChangeBulkJob) => answerOf(api.PATCH('/v1/bulk/jobs/{id}', { params, body: changed })),
    onSuccess: async () => {
      await refreshJob(organisation.id, job.id);
      await queryClient.invalidateQueries({ queryKey: estimateKey });
    },
  });
  const nameOf = (at: number): string => columns?.[at] || `Column ${at + 1}`;
  return (
    <Section title="Before you start">
      <Stack>
        {column === null && (
          <Alert color="yellow" title="No column with addresses found">
            Choose it below. If the file has none, delete the list: nothing was charged.
          </Alert>
        )}
        {column !== null && other !== null && (
          <Alert color="yellow" title="Two columns hold addresses. Which one?">
            <Group gap="xs">
              {[column, other].map((at) => (
                <QuietButton
                  key={at}

                  loading={change.isPending}
                  onClick={() => change.mutate({ email_column: at })}
                >
                  {nameOf(at)}
                </QuietButton>
              ))}
            </Group>
          </Alert>
        )}
        {columns !== null && (columns.length > 1 || column === null) && (
          <Group align="flex-end">
            <Select
              label="Email column"
              placeholder="Choose a column"
              data={columns.map((_, at) => ({ value: String(at), label: nameOf(at) }))}
              value={column === null ? null : String(column)}
              onChange={(value) => change.mutate({ email_column: Number(value) })}
            />
            <Checkbox
              label="First row is a header"
              mb={8}
              checked={job.has_header === true}
              onChange={(event) => change.mutate({ has_header: event.currentTarget.checked })}
            />
          </Group>
        )}
        {change.error !== null && <ErrorNotice error={change.error} />}
        {column !== null && (
          <Loaded query={estimate} lines={4}>
            {(loaded) => <Start job={job} estimate={loaded} />}
          </Loaded>
        )}
      </Stack>
    </Section>
  );
}

function Start({ job, estimate }: { readonly job: BulkJob; readonly estimate: BulkEstimate }) {
  const { api, id: organisationId } = useOrganisation();
  const [notify, setNotify] = useState(false);
  const start = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/v1/bulk/jobs/{id}/start', {
          params: { path: { id: job.id } },
          body: { notify, ...(!estimate.fits && { allow_partial: true }) },
        }),
      ),
    onSuccess: () => refreshJob(organisationId, job.id),
  });
  const { not_asked: notAsked, verifications } = estimate;
  const unasked = Object.entries(notAsked).filter(([, count]) => count > 0);
  const isNobodyAsked = notAsked.no_provider > 0 && notAsked.no_provider === verifications;
  return (
    <>
      <Facts
        facts={[
          { name: 'Verifications', value: formatCount(verifications) },
          {
            name: 'Quota left',
            value: estimate.quota_remaining === null ? 'Unlimited' : formatCount(estimate.quota_remaining),
          },
          { name: 'Expected provider cost', value: formatDollars(estimate.expected_cost_usd) },
          { name: 'At most', value: formatDollars(estimate.max_cost_usd) },
        ]}
      />
      {isNobodyAsked ? (
        <Alert color="yellow" title="No provider is connected">
          Results rest on free checks and your own history. Ask your operator to connect a provider.
        </Alert>
      ) : (
        unasked.length > 0 && (
          <Dimmed>
            No provider lookup for{' '}
            {formatRow(unasked.map(([reason, count]) => `${formatCount(count)} ${NOT_ASKED[reason] ?? label(reason)}`))}
            .
          </Dimmed>
        )
      )}
      {!estimate.fits && (
        <Alert color="yellow" title="More rows than your quota">
          It pauses when the quota is used up and resumes once there is more.
        </Alert>
      )}
      {start.error !== null && <ErrorNotice error={start.error} />}
      <Group>
        <Button onClick={() => start.mutate()} loading={start.isPending}>
          {estimate.fits ? 'Start' : 'Start with the quota left'}
        </Button>
        <Checkbox
          label="Email me when it’s done"
          checked={notify}
          onChange={(event) => setNotify(event.currentTarget.checked)}
        />
      </Group>
    </>
  );
}
