import { Accordion, Button, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { lossesQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import type { BulkJob } from '../../api/schema.ts';
import { Bar, ShareBar } from '../../charts/share-bar.tsx';
import { formatCount, formatDollars, formatShare, plural } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { byTerm } from '../../lib/order.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { limitText, thresholdsOf } from '../../lib/thresholds.ts';
import { label } from '../../lib/vocabulary.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Head } from '../../parts/head.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Swatch, toneOf } from '../../parts/mark.tsx';
import { Empty, ErrorNotice } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { ScreenLink } from '../../parts/screen-link.tsx';
import { Dimmed, QuietButton, Small, Strong } from '../../parts/text.tsx';
import { Preview } from './preview.tsx';
import { resultsUrl } from './queries.ts';
import { type BlockedPart, blockable, type ListPart, partsOf, sharesOf, whyUnchecked } from './shares.ts';

interface JobProps {
  readonly job: BulkJob;
}

/** Results: three parts with files, unchecked addresses, blocking, folded details. */
export function Results({ job, mayAct }: JobProps & { readonly mayAct: boolean }) {
  const parts = partsOf(job);
  const hasFiles = job.files_deleted_at === null;
  const isOver = job.state === 'done' || job.state === 'cancelled';
  return (
    <>
      <Section title="Result">
        {parts === null || job.breakdown === null ? (
          <Empty title="Nothing checked yet">Results show here as they come in.</Empty>
        ) : (
          <Stack gap="md">
            <Bar shares={sharesOf(parts)} height={16} />
            <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
              {parts.map((part) => (
                <Tile key={part.segment} job={job} part={part} parts={parts} hasFile={isOver && hasFiles} />
              ))}
            </SimpleGrid>
            <Unchecked job={job} count={job.breakdown.basis.local ?? 0} mayCheck={mayAct && isOver && hasFiles} />
            <Threshold job={job} />
          </Stack>
        )}
      </Section>
      {isOver && mayAct && hasFiles && parts !== null && <Block job={job} parts={parts} />}
      <Accordion multiple keepMounted={false} variant="contained" radius={12} className="folded" order={2}>
        {job.breakdown !== null && (
          <Accordion.Item value="breakdown">
            <Accordion.Control>Breakdown</Accordion.Control>
            <Accordion.Panel>
              <Breakdown found={job.breakdown} />
            </Accordion.Panel>
          </Accordion.Item>
        )}
        {hasFiles && (
          <Accordion.Item value="rows">
            <Accordion.Control>First rows</Accordion.Control>
            <Accordion.Panel>
              <Preview job={job} />
            </Accordion.Panel>
          </Accordion.Item>
        )}
      </Accordion>
    </>
  );
}

interface TileProps extends JobProps {
  readonly part: ListPart;
  readonly parts: readonly ListPart[];
  readonly hasFile: boolean;
}

function Tile({ job, part: { segment, count, note }, parts, hasFile }: TileProps) {
  const { id } = useOrganisation();
  const total = parts.reduce((sum, each) => sum + each.count, 0);
  return (
    <div className="tile">
      <Group gap={6}>
        <Swatch tone={toneOf(segment)} />
        <Strong>{label(segment)}</Strong>
      </Group>
      <Group gap="xs" align="baseline">
        <Text className="figure-number numbers">{formatCount(count)}</Text>
        <Dimmed className="numbers">{formatShare(total === 0 ? 0 : count / total)}</Dimmed>
      </Group>
      <Small mb="sm">{note}</Small>
      {hasFile && count > 0 && (
        <QuietButton
          component="a"
          href={resultsUrl(id, job.id, segment)}
          download
          fullWidth
          leftSection={<Icon name="download" size={15} />}
          aria-label={`Download ${label(segment)}, ${plural(count, '# address', '# addresses')}`}
        >
          Download
        </QuietButton>
      )}
    </div>
  );
}

/** Addresses with free checks only: why, the cost of checking, and its button. */
function Unchecked({ job, count, mayCheck }: JobProps & { readonly count: number; readonly mayCheck: boolean }) {
  const { api, id: organisationId } = useOrganisation();
  const navigate = useNavigate();
  const params = { path: { id: job.id } };
  const estimate = useQuery({
    queryKey: [organisationId, 'estimate', job.id, 'again'],
    queryFn: () =>
      answerOf(api.GET('/v1/bulk/jobs/{id}/estimate', { params: { ...params, query: { again: 'true' } } })),
    enabled: mayCheck && count > 0,
  });
  const again = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/bulk/jobs/{id}/again', { params })),
    onSuccess: ({ job: { id } }) =>
      navigate({ to: '/$organisation/lists/$job', params: { organisation: organisationId, job: id } }),
  });
  if (count === 0) return null;
  const why = whyUnchecked(job.providers_not_asked);
  const cost = estimate.data?.max_cost_usd ?? 0;
  return (
    <Group className="unchecked" justify="space-between" gap="sm">
      <Text size="sm" flex="1 1 260px">
        <b>{plural(count, '# address not checked by a provider', '# addresses not checked by a provider')}</b>
        {why !== null && `: ${why.why}`}.{' '}
        {cost > 0 ? `Checking the list again costs at most ${formatDollars(cost)}.` : why?.remedy}
      </Text>
      {mayCheck && cost > 0 && (
        <Button size="xs" variant="light" loading={again.isPending} onClick={() => again.mutate()}>
          Check again
        </Button>
      )}
      {again.error !== null && <ErrorNotice error={again.error} />}
    </Group>
  );
}

function Threshold({ job: { purpose } }: JobProps) {
  const { id } = useOrganisation();
  const losses = useQuery(lossesQuery(id)).data?.losses[purpose];
  if (losses === undefined) return null;
  const { send, drop } = thresholdsOf(losses);
  return (
    <Small>
      Send below {limitText(send)} bounce risk, drop above {limitText(drop)}, by your costs of mistakes for{' '}
      {label(purpose).toLowerCase()}.{' '}
      <ScreenLink to="settings" search={{ part: 'mistakes' }} inherit>
        Change
      </ScreenLink>
    </Small>
  );
}

const isBlockedPart = (segment: ListPart['segment']): segment is BlockedPart =>
  segment === 'undeliverable' || segment === 'deny' || segment === 'review';

function Block({ job, parts }: JobProps & { readonly parts: readonly ListPart[] }) {
  const { api, id: organisationId } = useOrganisation();
  const [asked, ask] = useState<ListPart | null>(null);
  const segment = asked !== null && isBlockedPart(asked.segment) ? asked.segment : null;
  /** Note on each rule, naming its list. */
  const note = `${job.name ?? job.id}: ${segment ?? ''}`;
  const block = useMutation({
    mutationFn: (body: { readonly segment: BlockedPart; readonly note: string }) =>
      answerOf(api.POST('/v1/bulk/jobs/{id}/block', { params: { path: { id: job.id } }, body })),
    onSuccess: async () => {
      ask(null);
      await queryClient.invalidateQueries({ queryKey: [organisationId, 'rules'] });
    },
  });
  const offered = parts.filter((part) => isBlockedPart(part.segment) && blockable(job, part).count > 0).toReversed();
  if (offered.length === 0) return null;
  const { data } = block;
  const { count, isMost } = asked === null ? { count: 0, isMost: false } : blockable(job, asked);
  return (
    <Section title="Block">
      <Group gap="xs">
        {offered.map((part) => (
          <Button key={part.segment} variant="default" onClick={() => ask(part)}>
            Block {label(part.segment).toLowerCase()} ({formatCount(blockable(job, part).count)})
          </Button>
        ))}
      </Group>
      {data !== undefined && (
        <Text size="sm" role="status" mt="sm">
          {formatCount(data.added + data.moved)} blocked
          {data.unchanged + data.domain_blocked > 0 &&
            `, ${formatCount(data.unchanged + data.domain_blocked)} were blocked before`}
          .{' '}
          <ScreenLink to="rules" search={{ of: 'addresses', q: block.variables?.note }} inherit>
            See them in your block list
          </ScreenLink>
        </Text>
      )}
      <Confirm
        opened={asked !== null}
        title={plural(count, 'Block # address?', isMost ? 'Block up to # addresses?' : 'Block # addresses?')}
        action="Block"
        sending={block}
        onConfirm={() => segment !== null && block.mutate({ segment, note })}
        onClose={() => ask(null)}
      >
        They go on your block list and are dropped from the next request on. You can remove them again.
        {isMost && ' Addresses with broken syntax are left out.'}
      </Confirm>
    </Section>
  );
}

type Found = NonNullable<BulkJob['breakdown']>;

/** Known terms in order, others by count, unknown values last. */
const termsOf = (counts: Readonly<Partial<Record<string, number>>>) =>
  Object.entries(counts)
    .map(([term, count]) => ({ term, count: count ?? 0 }))
    .toSorted(
      (one, other) =>
        Number(one.term === 'unknown') - Number(other.term === 'unknown') ||
        byTerm(one, other) ||
        other.count - one.count,
    );

const ofThose = (total: number): string => `(${formatCount(total)})`;
const DOMAINS_SHOWN = 8;

/** Bars for each property, and the largest domains. */
function Breakdown({ found }: { readonly found: Found }) {
  const { decision, duplicates, slips, unresolved, domains } = found;
  return (
    <Stack gap="xl">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={40} verticalSpacing="xl">
        {decision !== null && <ShareBar title="Decision" shares={termsOf(decision)} />}
        <ShareBar
          title="Basis"
          shares={termsOf(found.basis).map(({ term, count }) => ({ term: `basis_${term}`, count }))}
        />
        <ShareBar title="Provider warnings" of={ofThose} shares={termsOf(found.warning)} />
        <ShareBar title="Recommendation" shares={termsOf(found.recommendation)} />
        <ShareBar title="Verdict" shares={termsOf(found.verdict)} />
        <ShareBar title="Address type" shares={termsOf(found.email_type)} />
        <ShareBar title="First reason" of={ofThose} shares={termsOf(found.reason)} />
        <ShareBar title="Mailbox provider" shares={termsOf(found.host_family)} />
        {domains.length > 0 && (
          <Table
            captionSide="top"
            verticalSpacing={3}
            horizontalSpacing={0}
            withRowBorders={false}
            fz="sm"
            aria-label="Largest domains"
          >
            <Head cells={['Largest domains', ['Addresses', { ta: 'right' }]]} />
            <Table.Tbody className="numbers">
              {domains.slice(0, DOMAINS_SHOWN).map(({ domain, addresses }) => (
                <Table.Tr key={domain}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{domain}</Table.Td>
                  <Table.Td ta="right">{formatCount(addresses)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </SimpleGrid>
      <Facts
        facts={[
          { name: 'Duplicate rows', value: formatCount(duplicates) },
          { name: 'Domain typos', value: formatCount(slips) },
          { name: 'DNS lookups failed', value: formatCount(unresolved) },
        ]}
      />
    </Stack>
  );
}
