import { Table, ActionIcon, Group, TextInput, Tooltip } from '@mantine/core';
import { memo, useState } from 'react';
import { answerOf } from '../../api/client.ts';
import type { ScreeningRow } from '../../api/schema.ts';
import { formatDollars } from '../../lib/format.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { label, reasonText } from '../../lib/vocabulary.ts';
import type { HeadCells } from '../../parts/head.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Mark } from '../../parts/mark.tsx';
import { Empty } from '../../parts/notices.tsx';
import { PagedRows, usePages } from '../../parts/pages.tsx';
import { Small } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { faultOf } from '../rules/forms.ts';
import { LinkedRow, RecordLink, type RecordRowProps, RecordTable, type OpenRecord } from './record-rows.tsx';
import { askedOf, type LogListProps, queryOf } from './search.ts';

const PAGE = 100;

const HEAD: HeadCells = [
  ['When', { visibleFrom: 'md', className: 'when', w: 104 }],
  'Address',
  ['Recommendation', { w: { base: 134, sm: 148 } }],
  ['Name', { visibleFrom: 'lg', className: 'detail', w: 110 }],
  ['Why', { visibleFrom: 'md', className: 'detail', w: '28%' }],
  ['Cost', { ta: 'right', visibleFrom: 'md', className: 'detail', w: 68 }],
];

const Row = memo(function Row({
  row: { trace_id: id, created_at: time, display, screening, cost_usd: cost },
  at,
  measure,
  address,
  isOpen,
  onOpen,
}: RecordRowProps<ScreeningRow>) {
  return (
    <LinkedRow id={id} isOpen={isOpen} onOpen={onOpen} at={at} measure={measure}>
      <Table.Td visibleFrom="md" className="when">
        <Time at={time} />
      </Table.Td>
      <Table.Td>
        <RecordLink id={id} address={address}>
          {display}
        </RecordLink>
        <Small hiddenFrom="md">
          <Time at={time} />
        </Small>
      </Table.Td>
      <Table.Td>
        <Mark term={screening.recommendation} />
      </Table.Td>
      <Table.Td visibleFrom="lg" className="detail">
        {label(screening.name_match)}
      </Table.Td>
      <Table.Td visibleFrom="md" className="detail">
        {screening.reasons.map(reasonText).join(' ')}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="md" className="detail">
        {formatDollars(cost)}
      </Table.Td>
    </LinkedRow>
  );
});

export const Screenings = memo(function Screenings({ search, onOpen }: LogListProps) {
  const { api, id } = useOrganisation();
  const filters = askedOf(search);
  const query = usePages({
    queryKey: [id, 'screenings', filters],
    load: (place) =>
      answerOf(
        api.GET('/v1/screenings', {
          params: { query: { ...queryOf(filters, Date.now() / 1000), limit: PAGE, ...place } },
        }),
      ),
  });
  return (
    <PagedRows
      query={query}
      rowsOf={({ screenings }) => screenings}
      filters={Object.keys(filters)}
      empty={<Empty title="No screenings yet">Calls to /v1/screen show here.</Empty>}
      lines={8}
    >
      {(rows) => (
        <RecordTable
          rows={rows}
          hasMore={query.hasNextPage}

          onOpen={onOpen}
          name="Screenings"
          head={HEAD}
          row={Row}
        />
      )}
    </PagedRows>
  );
});

const DOMAIN = /^[^\s@]+\.[^\s@.]+$/;
const TRACE_ID = /^(?:vr|dc)_[0-9a-z]{26}$/;

/**
 * Looks for the judgements of one address. It goes in a request's body and stays in this page's memory: no URL and no store
 * holds it. What an answer or a log names by its id is opened.
 */
export function FindAddress({
  asked,
  onAsk,
  onOpen,
  onDomain,
}: {
  /** The email address searched for; null for none. */
  readonly asked: string | null;
  readonly onAsk: (email: string | null) => void;
  readonly onOpen: OpenRecord;
  /** A domain alone becomes a filter. */
  readonly onDomain: (domain: string) => void;
}) {
  const [typed, setTyped] = useState(asked ?? '');
  const [fault, setFault] = useState<string | null>(null);
  const clear = () => {
    setTyped('');
    setFault(null);
    onAsk(null);
  };
  return (
    <form
      style={{ flex: '1 1 220px', maxWidth: 360 }}
      onSubmit={(event) => {
        event.preventDefault();
        const text = typed.trim();
        if (TRACE_ID.test(text)) {
          clear();
          onOpen(text, false);
          return;
        }
        if (DOMAIN.test(text)) {
          clear();
          onDomain(text.toLowerCase());
          return;
        }
        const isWord = text !== '' && !text.includes('@');
        const found = isWord
          ? 'Type an address, a domain like example.com, or a trace id.'
          : text === ''
            ? null
            : faultOf('address', text);
        setFault(found);
        // Earlier results belong to another address.
        onAsk(found === null ? text || null : null);
      }}
    >
      <TextInput
        aria-label="Search"
        data-search
        placeholder="Email address, domain or trace id"
        maxLength={320}
        autoComplete="off"
        spellCheck={false}
        leftSection={<Icon name="search" size={15} />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setFault(null);
        }}
        error={fault}
        rightSection={
          typed !== '' && (
            <Group gap={0}>
              <Tooltip label="Clear">
                <ActionIcon size="sm" aria-label="Clear search" onClick={clear}>
                  <Icon name="cross" size={14} />
                </ActionIcon>
              </Tooltip>
            </Group>
          )
        }
      />
    </form>
  );
}
