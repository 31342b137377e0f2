import { Box, Table } from '@mantine/core';
import { memo } from 'react';
import { answerOf } from '../../api/client.ts';
import type { TraceList } from '../../api/schema.ts';
import { formatDollars, formatEstimate } from '../../lib/format.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { label, ruleText, word } from '../../lib/vocabulary.ts';
import type { HeadCells } from '../../parts/head.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Empty } from '../../parts/notices.tsx';
import { PagedRows, usePages } from '../../parts/pages.tsx';
import { Dimmed, Small } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { askOf } from '../rules/forms.ts';
import { type OpenRecord, LinkedRow, RecordLink, type RecordRowProps, RecordTable } from './record-rows.tsx';
import { askedOf, type LogListProps, queryOf } from './search.ts';

const PAGE = 100;
/** The scope whose rows include policy decisions. */
const WITH_DECISIONS = 'owner';

export const Traces = memo(function Traces({ search, onOpen }: LogListProps) {
  const { api, id } = useOrganisation();
  const filters = askedOf(search);
  const query = usePages({
    queryKey: [id, 'traces', filters],
    load: (place) =>
      answerOf(
        api.GET('/v1/traces', {
          params: { query: { ...queryOf(filters, Date.now() / 1000), scope: WITH_DECISIONS, limit: PAGE, ...place } },
        }),
      ),
  });
  return (
    <PagedRows
      query={query}
      rowsOf={({ traces }) => traces}
      filters={Object.keys(filters)}
      empty={<Empty title="No verifications yet">Try an address, or make your first API call.</Empty>}
      lines={8}
    >
      {(rows) => <TraceTable rows={rows} hasMore={query.hasNextPage} onOpen={onOpen} />}
    </PagedRows>
  );
});

interface FoundProps {
  readonly email: string;
  readonly onOpen: OpenRecord;
}

/** Verifications of one address in all its equal spellings. */
export function FoundTraces({ email, onOpen }: FoundProps) {
  const { api, id } = useOrganisation();
  const query = usePages({
    queryKey: [id, 'traces', 'of-one-address', email],
    load: (place) =>
      askOf('address', email, () =>
        answerOf(api.POST('/v1/traces/search', { body: { email, scope: WITH_DECISIONS, limit: PAGE, ...place } })),
      ),
    isKept: false,
  });
  return (
    <PagedRows
      query={query}
      rowsOf={({ traces }) => traces}
      filters={[]}
      empty={<Empty title="No verification of this address">Searched all its spellings in the last 400 days.</Empty>}
      lines={4}
    >
      {(rows) => <TraceTable rows={rows} hasMore={query.hasNextPage} onOpen={onOpen} />}
    </PagedRows>
  );
}

type ListedTrace = TraceList['traces'][number];
type Labelled = Extract<ListedTrace, { readonly account_id: string }>;

function decisionOf(row: ListedTrace): Labelled['policy_decision'] {
  const { policy_decision: ofCall = null, bulk_decision: ofFile = null }: Partial<Labelled> = row;
  return row.kind === 'bulk' ? ofFile : ofCall;
}

/** The deciding rule or default; without a policy, the reason or the bounce risk. Null if nothing spoke against sending. */
function decidedBy({ reason, recommendation }: ListedTrace, rule: string | undefined): string | null {
  if (rule !== undefined) return ruleText(rule);
  if (reason !== null) return label(reason);
  return recommendation === 'send' ? null : 'By bounce risk';
}

/** Shown in place of a decision, short and in full. */
const NOT_ASKED = { short: 'No policy', whole: 'No policy applied' };

const HEAD: HeadCells = [
  ['When', { visibleFrom: 'md', className: 'when', w: 104 }],
  'Address',
  ['Bounce risk', { ta: 'right', w: { base: 104, sm: 92 } }],
  ['Recommendation', { visibleFrom: 'sm', w: 148 }],
  ['Decision', { visibleFrom: 'md', className: 'detail', w: 168 }],
  ['Kind', { visibleFrom: 'lg', className: 'detail', w: 72 }],
  ['Type', { visibleFrom: 'lg', className: 'detail', w: 96 }],
  ['Cost', { ta: 'right', visibleFrom: 'lg', className: 'detail', w: 68 }],
];

const Row = memo(function Row({ row, at, measure, address, isOpen, onOpen }: RecordRowProps<ListedTrace>) {
  const decided = decisionOf(row);
  const decision = decided?.decision ?? null;
  const why = decidedBy(row, decided?.rule_id);
  return (
    <LinkedRow id={row.trace_id} isOpen={isOpen} onOpen={onOpen} at={at} measure={measure}>
      <Table.Td visibleFrom="md" className="when">
        <Time at={row.created_at} />
      </Table.Td>
      <Table.Td>
        <RecordLink id={row.trace_id} address={address}>
          {row.display}
        </RecordLink>
        <Small hiddenFrom="md">
          <Time at={row.created_at} />, {word(row.kind)}
          {decision !== null && `, decision: ${word(decision)}`}
          {why !== null && ` (${why})`}
        </Small>
      </Table.Td>
      <Table.Td ta="right">
        {formatEstimate(row.bounce_probability)}
        <Box hiddenFrom="sm">
          <Mark term={row.recommendation} size="xs" />
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Mark term={row.recommendation} />
      </Table.Td>
      <Table.Td visibleFrom="md" className="detail">
        {decision === null ? (
          <Dimmed title={NOT_ASKED.whole}>
            <span aria-hidden="true">{NOT_ASKED.short}</span>
            <span className="visually-hidden">{NOT_ASKED.whole}</span>
          </Dimmed>
        ) : (
          <Mark term={decision} />
        )}
        {why !== null && (
          <Small className="cut" title={why}>
            {why}
          </Small>
        )}
      </Table.Td>
      <Table.Td visibleFrom="lg" className="detail">
        {label(row.kind)}
      </Table.Td>
      <Table.Td visibleFrom="lg" className="detail">
        {row.email_type === null ? '' : label(row.email_type)}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="lg" className="detail">
        {formatDollars(row.cost_usd)}
      </Table.Td>
    </LinkedRow>
  );
});

interface TraceTableProps {
  readonly rows: readonly ListedTrace[];
  readonly hasMore: boolean;
  readonly onOpen: OpenRecord;
}

const TraceTable = (props: TraceTableProps) => <RecordTable {...props} name="Verifications" head={HEAD} row={Row} />;
