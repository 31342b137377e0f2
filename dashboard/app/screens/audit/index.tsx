import { Box, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo, type ReactNode } from 'react';
import { answerOf } from '../../api/client.ts';
import { invitationsQuery, membersQuery, namelessText, newestKeysQuery } from '../../api/queries.ts';
import type { AuditLog } from '../../api/schema.ts';
import { setOf, useFilters, valueOf } from '../../lib/filters.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { fixedTime, PERIODS, spanOf, daysOf } from '../../lib/period.ts';
import { AdminOnly } from '../../parts/admin-only.tsx';
import { allPages, Export } from '../../parts/export.tsx';
import type { HeadCells } from '../../parts/head.tsx';
import { ListFilters } from '../../parts/list-filters.tsx';
import { LongTable, placed, type RowPlace } from '../../parts/long-table.tsx';
import { Maker } from '../../parts/maker.tsx';
import { Empty } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { PagedRows, type PagePlace, usePages } from '../../parts/pages.tsx';
import { RangePicker } from '../../parts/range.tsx';
import { ScreenLink } from '../../parts/screen-link.tsx';
import { Strong, Small } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { actionName, entryWords, placeOf } from './entry-words.ts';

type Entry = AuditLog['entries'][number];

const hasName = (target: string): boolean => target.startsWith('key_') || target.startsWith('u_');

function Leads({ entry, children }: { readonly entry: Entry; readonly children: ReactNode }) {
  const place = placeOf(entry);
  if (place === null) return <Text size="sm">{children}</Text>;
  return (
    <ScreenLink to={place.screen} search={place.search} display="block">
      {children}
    </ScreenLink>
  );
}

/** The person, and the key if it is not the dashboard's own. */
function Who({ entry: { actor, key_id: key } }: { readonly entry: Entry }) {
  return (
    <>
      <Maker id={actor} />
      {key !== null && key !== actor && (
        <Small>
          <Maker id={key} />
        </Small>
      )}
    </>
  );
}

function Target({ entry }: { readonly entry: Entry }) {
  const { id } = useOrganisation();
  const isInvitation = entry.action.startsWith('invitation.');
  const open = useQuery({ ...invitationsQuery(id), enabled: isInvitation }).data ?? [];
  const { name, more } = entryWords(entry, open);
  return (
    <>
      <Leads entry={entry}>{hasName(entry.target) ? <Maker id={entry.target} /> : name}</Leads>
      {more !== '' && <Small>{more}</Small>}
    </>
  );
}

const ROW_PX = 52;

const HEAD: HeadCells = [
  ['When', { w: 120, visibleFrom: 'md' }],
  ['Who', { w: 170, visibleFrom: 'md' }],
  'Action',
  ['Target', { visibleFrom: 'md' }],
];

/** On a phone, one cell holds everything. */
const Row = memo(function Row({ entry, at, measure }: RowPlace & { readonly entry: Entry }) {
  const { at: time, action } = entry;
  return (
    <Table.Tr {...placed({ at, measure })}>
      <Table.Td style={{ whiteSpace: 'nowrap' }} visibleFrom="md">
        <Time at={time} />
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Who entry={entry} />
      </Table.Td>
      <Table.Td>
        <Strong>{actionName(action)}</Strong>
        <Box hiddenFrom="md" style={{ overflowWrap: 'anywhere' }}>
          <Target entry={entry} />
          <Group gap={4} fz="xs" c="dimmed">
            <Who entry={entry} /> · <Time at={time} />
          </Group>
        </Box>
      </Table.Td>
      <Table.Td visibleFrom="md" style={{ overflowWrap: 'anywhere' }}>
        <Target entry={entry} />
      </Table.Td>
    </Table.Tr>
  );
});

const ACTIONS = [
  'key.created',
  'key.changed',
  'key.rotated',
  'key.revoked',
  'member.added',
  'member.changed',
  'member.removed',
  'invitation.made',
  'invitation.withdrawn',
  'organisation.created',
  'organisation.changed',
  'policy.saved',
  'rules.added',
  'rules.removed',
  'connection.created',
  'connection.changed',
  'connection.deleted',
  'losses.changed',
  'address.exported',
  'address.forgotten',
] as const;

const ACTOR = /^(?:operator|(?:u|key)_[0-9a-z]{26})$/;

/** Actors to filter by: members, the service, the newest keys, and the one in the URL. */
function useActors(named: string | undefined): readonly { readonly value: string; readonly label: string }[] {
  const { id } = useOrganisation();
  const members = useQuery(membersQuery(id)).data;
  const keys = useQuery(newestKeysQuery(id)).data ?? [];
  // A dashboard key has no secret and acts as its person.
  const programs = keys.filter(({ last4 }) => last4 !== '');
  const known = [
    ...(members ?? []).map(({ id: value, name, email }) => ({ value, label: name ?? email })),
    { value: 'operator', label: 'The service' },
    ...programs.map(({ id: value, name }) => ({ value, label: `Key ${name}` })),
  ];
  const isKnown = named === undefined || known.some(({ value }) => value === named);
  return isKnown ? known : [...known, { value: named, label: namelessText(named, members) }];
}

function Log() {
  const { api, id } = useOrganisation();
  const [search, change] = useFilters();
  const action = valueOf(search, 'action', ACTIONS);
  const actor = ACTOR.test(search['actor'] ?? '') ? search['actor'] : undefined;
  const time =
    PERIODS.find(({ value }) => value === search['time'])?.value ??
    (daysOf(search['time']) === null ? undefined : search['time']);
  const actors = useActors(actor);
  const asked = fixedTime(time, Date.now() / 1000);
  const load = (place: PagePlace) =>
    answerOf(
      api.GET('/v1/audit', { params: { query: { action, actor, ...spanOf(asked, Date.now() / 1000), ...place } } }),
    );
  const query = usePages({ queryKey: [id, 'audit', action, actor, asked], load });
  return (
    <Section>
      <ListFilters
        filters={[
          { name: 'action', title: 'Action', values: ACTIONS.map((value) => ({ value, label: actionName(value) })) },
          { name: 'actor', title: 'Who', values: actors },
        ]}
      />
      <Group gap="sm" mb="md">
        <RangePicker value={time} onChange={(value) => change({ time: value }, true)} />
        <Export
          name="audit"
          head={['time', 'who', 'key', 'action', 'target', 'summary']}
          load={async () =>
            (await allPages(load, (page) => page.entries)).map(
              ({ at, actor: who, key_id: key, action: done, target, summary }) => [
                new Date(at * 1_000).toISOString(),
                who,
                key ?? '',
                done,
                target,
                summary,
              ],
            )
          }
        />
      </Group>
      <PagedRows
        query={query}
        rowsOf={(page) => page.entries}
        filters={setOf({ action, actor, time })}
        empty={<Empty title="No changes yet">Changes to keys, members, policies and settings show here.</Empty>}
        lines={8}
      >
        {(entries) => (
          <LongTable
            name="Audit log"
            rows={entries}
            hasMore={query.hasNextPage}
            keyOf={({ id: entry }) => entry}
            head={HEAD}
            minWidth={270}
            rowHeight={ROW_PX}
          >
            {(entry, { at, measure }) => <Row entry={entry} at={at} measure={measure} />}
          </LongTable>
        )}
      </PagedRows>
    </Section>
  );
}

export default function Audit() {
  return (
    <Page title="Audit" description="Who changed what in the last 400 days.">
      <AdminOnly>
        <Log />
      </AdminOnly>
    </Page>
  );
}
