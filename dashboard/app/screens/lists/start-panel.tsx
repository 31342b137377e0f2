import { Alert, Button, Checkbox, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { BulkEstimate, BulkJob, ChangeBulkJob } from '../../api/schema.ts';
import { formatCount, formatDollars, plural } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { label } from '../../lib/vocabulary.ts';
import { Facts } from '../../parts/facts.tsx';
import { ErrorNotice, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { refreshJob } from './queries.ts';
import { LOCAL_ONLY, NOT_ASKED } from './unasked.ts';

/** Which column it is, what it will cost, and the start: nothing is spent before. */
export function StartPanel({ job }: { readonly job: BulkJob }) {
  const organisation = useOrganisation();
  const api = useApi();
  const params = { path: { id: job.id } };
  const hasColumn = job.email_column !== null;
  const estimateKey = [organisation.id, 'estimate', job.id];
  const estimate = useQuery({
    queryKey: [...estimateKey, job.email_column, job.has_header],
    queryFn: () => answerOf(api.GET('/v1/bulk/jobs/{id}/estimate', { params })),
    enabled: hasColumn,
  });
  const change = useMutation({
    mutationFn: (changed: ChangeBulkJob) => answerOf(api.PATCH('/v1/bulk/jobs/{id}', { params, body: changed })),
    onSuccess: async () => {
      await refreshJob(organisation.id, job.id);
      await queryClient.invalidateQueries({ queryKey: estimateKey });
    },
  });
  return (
    <>
      {job.columns !== null && (job.columns.length > 1 || !hasColumn) && (
        <Section title="Which column">
          <Stack>
            {!hasColumn && (
              <Alert color="yellow" variant="light" title="No column with addresses was found">
                Choose the one that holds them. Where the file has none, delete it: nothing is spent.
              </Alert>
            )}
            {job.email_column_other !== null && (
              <Alert color="yellow" variant="light" title="Two columns hold addresses: which one?">
                <Group gap="xs">
                  {[job.email_column ?? 0, job.email_column_other].map((at) => (
                    <Button
                      key={at}
                      size="xs"
                      variant="default"
                      loading={change.isPending}
                      onClick={() => change.mutate({ email_column: at })}
                    >
                      {job.columns?.[at] || `Column ${at + 1}`}
                    </Button>
                  ))}
                </Group>
              </Alert>
            )}
            <Group align="flex-end">
              <Select
                label="Column with the addresses"
                placeholder="Choose a column"
                allowDeselect={false}
                data={job.columns.map((name, at) => ({ value: String(at), label: name || `Column ${at + 1}` }))}
                value={job.email_column === null ? null : String(job.email_column)}
                onChange={(value) => change.mutate({ email_column: Number(value) })}
              />
              <Checkbox
                label="The first row has the names"
                mb={8}
                checked={job.has_header === true}
                onChange={(event) => change.mutate({ has_header: event.currentTarget.checked })}
              />
            </Group>
            {change.error !== null && <ErrorNotice error={change.error} />}
          </Stack>
        </Section>
      )}
      {hasColumn && (
        <Section title="Before it starts">
          <Loaded query={estimate} lines={4}>
            {(loaded) => <Start job={job} estimate={loaded} />}
          </Loaded>
        </Section>
      )}
    </>
  );
}

/** Addresses that no provider will be asked about, and why; a warning where that can be fixed. */
function NotAsked({ counts, of }: { readonly counts: BulkEstimate['not_asked']; readonly of: number }) {
  const reasons = Object.entries(counts).filter(([, count]) => count > 0);
  if (reasons.length === 0) return null;
  if (counts.no_provider > 0 && counts.no_provider === of)
    return (
      <Alert color="yellow" variant="light" title="No provider is asked">
        {NOT_ASKED.no_provider} {LOCAL_ONLY}
      </Alert>
    );
  return (
    <Alert
      color={counts.budget > 0 ? 'yellow' : 'blue'}
      variant="light"
      title="Providers are asked about all addresses but these"
    >
      {reasons.map(([reason, count]) => (
        <Text key={reason} size="sm">
          {formatCount(count)}: {NOT_ASKED[reason] ?? label(reason)}
        </Text>
      ))}
    </Alert>
  );
}

function Start({ job, estimate }: { readonly job: BulkJob; readonly estimate: BulkEstimate }) {
  const organisation = useOrganisation();
  const api = useApi();
  const [notify, setNotify] = useState(false);
  const start = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/v1/bulk/jobs/{id}/start', {
          params: { path: { id: job.id } },
          body: { notify, ...(!estimate.fits && { allow_partial: true }) },
        }),
      ),
    onSuccess: () => refreshJob(organisation.id, job.id),
  });
  const { not_asked: notAsked, verifications } = estimate;
  return (
    <Stack>
      <Facts
        facts={[
          { name: 'Verifications', value: formatCount(estimate.verifications) },
          {
            name: 'Known already',
            value: estimate.cached_estimated ? `about ${formatCount(estimate.cached)}` : formatCount(estimate.cached),
          },
          {
            name: 'Left in the quota',
            value: estimate.quota_remaining === null ? 'Unmetered' : formatCount(estimate.quota_remaining),
          },
          { name: 'Providers, expected', value: formatDollars(estimate.expected_cost_usd) },
          { name: 'Providers, at most', value: formatDollars(estimate.max_cost_usd) },
        ]}
      />
      <NotAsked counts={notAsked} of={verifications} />
      {!estimate.fits && (
        <Alert color="yellow" variant="light" title="The quota does not hold all of it">
          It stops when the quota is spent, and goes on once there is more. Nothing is lost or charged twice.
        </Alert>
      )}
      <Checkbox
        label="Mail me when it is done"
        checked={notify}
        onChange={(event) => setNotify(event.currentTarget.checked)}
      />
      {start.error !== null && <ErrorNotice error={start.error} />}
      <Group>
        <Button onClick={() => start.mutate()} loading={start.isPending}>
          {estimate.fits ? 'Start' : 'Start with what the quota holds'}
        </Button>
        <Text size="xs" c="dimmed">
          {plural(
            estimate.verifications,
            '# verification counts against the quota.',
            '# verifications count against the quota.',
          )}
        </Text>
      </Group>
    </Stack>
  );
}
