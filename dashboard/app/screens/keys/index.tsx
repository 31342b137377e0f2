import { ActionIcon, Badge, Box, Button, Code, Group, Menu, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo, useMemo, useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { seriesQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import type { OwnKey } from '../../api/schema.ts';
import { Sparkbars } from '../../charts/sparkbars.tsx';
import { setOf, useFilters, valueOf } from '../../lib/filters.ts';
import { formatCount, formatLocalTime } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { daysOfSeries, sumOf } from '../../lib/period.ts';
import { label } from '../../lib/vocabulary.ts';
import { AdminOnly } from '../../parts/admin-only.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { DocsLink } from '../../parts/copy.tsx';
import type { HeadCells } from '../../parts/head.tsx';
import { Icon } from '../../parts/icons.tsx';
import { ListFilters } from '../../parts/list-filters.tsx';
import { LongTable, placed, type RowPlace } from '../../parts/long-table.tsx';
import { Maker } from '../../parts/maker.tsx';
import { Empty } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { PagedRows, usePages } from '../../parts/pages.tsx';
import { ScreenLink } from '../../parts/screen-link.tsx';
import { Dimmed, Small, Strong } from '../../parts/text.tsx';
import { Time, useIsPast } from '../../parts/time.tsx';
import { CreateKey, RenameKey, RotateKey } from './key-dialogs.tsx';

const UNUSED_S = 30 * 86_400;

type Task = { readonly kind: 'create' } | { readonly kind: 'rotate' | 'revoke' | 'rename'; readonly key: OwnKey };

/** The account's keys. A secret is shown once, on creation. */
export default function Keys() {
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  return (
    <Page
      title="Keys"
      description="Use one key per program, with the lowest role it needs."
      action={
        <Group gap="md">
          <DocsLink page="api/">API docs</DocsLink>
          <CreateButton onClick={() => setTask({ kind: 'create' })} />
        </Group>
      }
    >
      <AdminOnly>
        <Section>
          <KeyTable onTask={setTask} />
        </Section>
        {task?.kind === 'create' && <CreateKey onClose={close} />}
        {task?.kind === 'rotate' && <RotateKey apiKey={task.key} onClose={close} />}
        {task?.kind === 'rename' && <RenameKey apiKey={task.key} onClose={close} />}
        {task?.kind === 'revoke' && <RevokeKey apiKey={task.key} onClose={close} />}
      </AdminOnly>
    </Page>
  );
}

function CreateButton({ onClick }: { readonly onClick: () => void }) {
  const { role } = useOrganisation();
  if (role !== 'admin') return null;
  return (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={onClick}>
      Create key
    </Button>
  );
}

const STATES = ['active', 'ended'] as const;
const ROLES = ['viewer', 'member', 'admin'] as const;
const MODES = ['live', 'test'] as const;
const FILTERS = [
  { name: 'state', title: 'State', values: STATES },
  { name: 'role', title: 'Role', values: ROLES },
  { name: 'mode', title: 'Mode', values: MODES },
];

const ROW_PX = 58;

const HEAD: HeadCells = [
  'Name',
  ['Secret', { w: 90, visibleFrom: 'lg' }],
  ['Role', { w: 80, visibleFrom: 'lg' }],
  ['Calls, 30 days', { w: 164, visibleFrom: 'md' }],
  ['Last used', { w: 96, visibleFrom: 'lg' }],
  ['Created', { w: 130, visibleFrom: 'xl' }],
  ['State', { w: { base: 84, sm: 140 } }],
  [<span className="visually-hidden">Actions</span>, { w: 48 }],
];

function KeyTable({ onTask }: { readonly onTask: (task: Task) => void }) {
  const { api, id: organisationId } = useOrganisation();
  const [search] = useFilters();
  const state = valueOf(search, 'state', STATES);
  const role = valueOf(search, 'role', ROLES);
  const mode = valueOf(search, 'mode', MODES);
  const query = usePages({
    queryKey: [organisationId, 'keys', 'pages', state, role, mode],
    load: (place) => answerOf(api.GET('/v1/keys', { params: { query: { limit: 100, state, role, mode, ...place } } })),
  });
  const series = useQuery(seriesQuery(organisationId, 'key'));
  const used = useMemo(() => {
    const days = series.data === undefined ? [] : daysOfSeries(series.data).series;
    return new Map(days.map(({ term, counts }) => [term, counts]));
  }, [series.data]);
  const tableOf = (name: string, keys: readonly OwnKey[]) => (
    <LongTable
      name={name}
      rows={keys}
      hasMore={query.hasNextPage}
      keyOf={({ id }) => id}
      head={HEAD}
      minWidth={280}
      rowHeight={ROW_PX}
      horizontalSpacing={6}
      current={keys.findIndex(({ id }) => id === search['key'])}
    >
      {(key, { at, measure }) => (
        <KeyRow
          apiKey={key}
          counts={used.get(key.id) ?? NO_CALLS}
          isNamed={key.id === search['key']}
          onTask={onTask}
          at={at}
          measure={measure}
        />
      )}
    </LongTable>
  );
  return (
    <>
      <ListFilters filters={FILTERS} />
      <PagedRows
        query={query}
        rowsOf={(page) => page.keys}
        filters={setOf({ state, role, mode })}
        empty={
          <Empty title="No keys yet" action={<CreateButton onClick={() => onTask({ kind: 'create' })} />}>
            Programs need one to call the API.
          </Empty>
        }
        lines={6}
      >
        {(keys) => {
          const [ofPrograms, ofPeople] = [keys.filter((key) => !isOfDashboard(key)), keys.filter(isOfDashboard)];
          return (
            <>
              {ofPrograms.length > 0 && tableOf('Keys', ofPrograms)}
              {ofPeople.length > 0 && (
                <>
                  <Title order={2} size="h6" mt="lg" mb="xs">
                    Dashboard users
                  </Title>
                  {tableOf('Dashboard users', ofPeople)}
                </>
              )}
            </>
          );
        }}
      </PagedRows>
    </>
  );
}

/** A key with which the dashboard calls for one person. It has no secret. */
const isOfDashboard = ({ last4 }: OwnKey): boolean => last4 === '';

interface KeyRowProps extends RowPlace {
  readonly apiKey: OwnKey;
  readonly counts: readonly number[];
  readonly isNamed: boolean;
  readonly onTask: (task: Task) => void;
}

const NO_CALLS: readonly number[] = [];

const KeyRow = memo(function KeyRow({ apiKey: key, counts, isNamed, onTask, at, measure }: KeyRowProps) {
  const isOver = key.revoked_at !== null || (key.expires_at !== null && key.expires_at * 1000 < Date.now());
  const isDashboard = isOfDashboard(key);
  return (
    <Table.Tr
      {...placed({ at, measure })}
      {...(isOver && { c: 'dimmed' })}
      {...(isNamed && { bg: 'var(--chosen)', 'aria-current': true })}
    >
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <Strong truncate>{key.name}</Strong>
          {key.mode === 'test' && (
            <Badge size="sm" variant="default">
              Test
            </Badge>
          )}
        </Group>
        {isDashboard && key.owner_user_id !== null && (
          <Box fz="xs" c="dimmed">
            <Maker id={key.owner_user_id} />
          </Box>
        )}
        <Small hiddenFrom="lg">
          {label(key.role)}
          {!isDashboard && ` · …${key.last4}`}
          {key.last_used_at !== null && (
            <>
              {' '}
              · <LastUsed at={key.last_used_at} />
            </>
          )}
        </Small>
      </Table.Td>
      <Table.Td visibleFrom="lg">{isDashboard ? 'None' : <Code>…{key.last4}</Code>}</Table.Td>
      <Table.Td visibleFrom="lg">{label(key.role)}</Table.Td>
      <Table.Td visibleFrom="md">
        <Calls keyId={key.id} counts={counts} />
      </Table.Td>
      <Table.Td visibleFrom="lg">
        <LastUsed at={key.last_used_at} />
      </Table.Td>
      <Table.Td visibleFrom="xl">
        <Time at={key.created_at} />
        {key.created_by !== null && (
          <Group gap={4} wrap="nowrap" fz="xs" c="dimmed">
            by <Maker id={key.created_by} />
          </Group>
        )}
      </Table.Td>
      <Table.Td>
        <KeyState apiKey={key} />
      </Table.Td>
      <Table.Td ta="right">
        {!isOver && !isDashboard && (
          <Menu>
            <Menu.Target>
              <ActionIcon aria-label={`Actions for ${key.name}`}>
                <Icon name="more" size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => onTask({ kind: 'rename', key })}>Edit</Menu.Item>
              <Menu.Item onClick={() => onTask({ kind: 'rotate', key })}>Rotate secret</Menu.Item>
              <Menu.Item color="red" onClick={() => onTask({ kind: 'revoke', key })}>
                Revoke
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Table.Td>
    </Table.Tr>
  );
});

/** Bars of the last 30 days, with the total as a link to the key's log. */
function Calls({ keyId, counts }: { readonly keyId: string; readonly counts: readonly number[] }) {
  const total = sumOf(counts);
  if (total === 0) return <Dimmed>None</Dimmed>;
  return (
    <Group gap={8} wrap="nowrap">
      <Sparkbars counts={counts} />
      <ScreenLink to="log" search={{ key_id: keyId }}>
        {formatCount(total)}
      </ScreenLink>
    </Group>
  );
}

const HOUR_S = 3_600;

/** Stored to the hour. */
function LastUsed({ at }: { readonly at: number | null }) {
  if (at === null) return 'Never';
  return Date.now() / 1000 - at < HOUR_S ? 'This hour' : <Time at={at} />;
}

function KeyState({ apiKey: key }: { readonly apiKey: OwnKey }) {
  const isExpired = useIsPast(key.expires_at);
  if (key.revoked_at !== null)
    return (
      <Text size="sm">
        Revoked <Time at={key.revoked_at} />
      </Text>
    );
  const since = key.last_used_at ?? key.created_at;
  const isUnused = Date.now() / 1000 - since > UNUSED_S;
  return (
    <>
      {key.expires_at === null ? (
        <Text size="sm">{isUnused ? 'Unused for 30 days' : 'Active'}</Text>
      ) : (
        <Text size="sm">
          {isExpired ? 'Expired' : 'Ends'} <Time at={key.expires_at} />
        </Text>
      )}
      {key.previous_secret !== null && <PreviousSecret secret={key.previous_secret} />}
    </>
  );
}

/** The secret before the last rotation, and its end. */
function PreviousSecret({ secret }: { readonly secret: NonNullable<OwnKey['previous_secret']> }) {
  const { last4, valid_until: until, last_used_at: usedAt } = secret;
  const isPast = useIsPast(until);
  const exact = formatLocalTime(until);
  return (
    <Small>
      Old secret …{last4} {isPast ? 'worked' : 'works'} until {exact} (<Time at={until} />
      ).{' '}
      {usedAt === null ? (
        'Not used since.'
      ) : (
        <>
          Last used: <LastUsed at={usedAt} />
        </>
      )}
    </Small>
  );
}

function RevokeKey({ apiKey, onClose }: { readonly apiKey: OwnKey; readonly onClose: () => void }) {
  const { api, id: organisationId } = useOrganisation();
  const revoke = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/keys/{id}', { params: { path: { id: apiKey.id } } })),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [organisationId, 'keys'] });
      onClose();
    },
  });
  return (
    <Confirm
      opened
      title={`Revoke “${apiKey.name}”?`}
      action="Revoke"
      sending={revoke}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      Calls with it fail from now on. This can’t be undone.
    </Confirm>
  );
}
