import { Anchor, Badge, Button, Code, Group, Menu, Table, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { seriesQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import type { OwnKey } from '../../api/schema.ts';
import { Sparkbars } from '../../charts/sparkbars.tsx';
import { daysOfSeries, sumOf } from '../../lib/days.ts';
import { formatCount } from '../../lib/format.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { AdminOnly } from '../../parts/admin-only.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Maker } from '../../parts/maker.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { ShowMore, usePages } from '../../parts/pages.tsx';
import { ScrollTable } from '../../parts/scroll-table.tsx';
import { Time } from '../../parts/time.tsx';
import { CreateKey } from './create-key.tsx';
import { RenameKey } from './rename-key.tsx';
import { RotateKey } from './rotate-key.tsx';

const UNUSED_S = 30 * 86_400;

type Task = { readonly kind: 'create' } | { readonly kind: 'rotate' | 'revoke' | 'rename'; readonly key: OwnKey };

/** The account's keys. A secret is shown once, where it is made. */
export default function Keys() {
  const [task, setTask] = useState<Task | null>(null);
  const close = () => setTask(null);
  return (
    <Page
      title="Keys"
      description="Each program has its own key, with the least role that it needs. A secret is shown once, when the key is made."
      action={<CreateButton onClick={() => setTask({ kind: 'create' })} />}
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
      Create a key
    </Button>
  );
}

function KeyTable({ onTask }: { readonly onTask: (task: Task) => void }) {
  const organisation = useOrganisation();
  const api = useApi();
  const query = usePages({
    queryKey: [organisation.id, 'keys', 'pages'],
    load: (place) => answerOf(api.GET('/v1/keys', { params: { query: { limit: 100, ...place } } })),
  });
  const keys = query.data?.flatMap((page) => page.keys) ?? [];
  const series = useQuery(seriesQuery(api, organisation.id, 'key'));
  const used = useMemo(() => {
    const days = series.data === undefined ? [] : daysOfSeries(series.data).series;
    return new Map(days.map(({ term, counts }) => [term, counts]));
  }, [series.data]);
  return (
    <Loaded query={query} lines={6}>
      {() =>
        keys.length === 0 ? (
          <Empty title="No key yet" action={<CreateButton onClick={() => onTask({ kind: 'create' })} />}>
            A program that calls the API needs one.
          </Empty>
        ) : (
          <>
            <ScrollTable minWidth={280} verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th visibleFrom="sm">Ends in</Table.Th>
                  <Table.Th visibleFrom="sm">Role</Table.Th>
                  <Table.Th visibleFrom="sm">Calls, 30 days</Table.Th>
                  <Table.Th visibleFrom="md">Last used</Table.Th>
                  <Table.Th visibleFrom="md">Made</Table.Th>
                  <Table.Th>State</Table.Th>
                  <Table.Th>
                    <span className="visually-hidden">Actions</span>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody className="numbers">
                {keys.map((key) => (
                  <KeyRow key={key.id} apiKey={key} counts={used.get(key.id) ?? NO_CALLS} onTask={onTask} />
                ))}
              </Table.Tbody>
            </ScrollTable>
            <ShowMore query={query} />
          </>
        )
      }
    </Loaded>
  );
}

interface KeyRowProps {
  readonly apiKey: OwnKey;
  /** Calls a day, oldest first. */
  readonly counts: readonly number[];
  readonly onTask: (task: Task) => void;
}

const NO_CALLS: readonly number[] = [];

function KeyRow({ apiKey: key, counts, onTask }: KeyRowProps) {
  const isOver = key.revoked_at !== null || (key.expires_at !== null && key.expires_at * 1000 < Date.now());
  const isDashboard = key.last4 === '';
  return (
    <Table.Tr {...(isOver && { c: 'dimmed' })}>
      <Table.Td maw={240}>
        <Group gap={6} wrap="nowrap">
          <Text size="sm" fw={500} truncate>
            {key.name}
          </Text>
          {key.mode === 'test' && (
            <Badge size="sm" variant="default">
              Test
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {key.role}
          {!isDashboard && ` · …${key.last4}`}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">{isDashboard ? 'No secret' : <Code>{key.last4}</Code>}</Table.Td>
      <Table.Td visibleFrom="sm">{key.role}</Table.Td>
      <Table.Td visibleFrom="sm">
        <Calls keyId={key.id} counts={counts} />
      </Table.Td>
      <Table.Td visibleFrom="md">
        <LastUsed at={key.last_used_at} />
      </Table.Td>
      <Table.Td visibleFrom="md">
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
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <Button variant="default" size="xs" aria-label={`Change the key ${key.name}`}>
                Change
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => onTask({ kind: 'rename', key })}>Rename, set an end</Menu.Item>
              <Menu.Item onClick={() => onTask({ kind: 'rotate', key })}>Rotate its secret</Menu.Item>
              <Menu.Item color="red" onClick={() => onTask({ kind: 'revoke', key })}>
                Revoke
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** Bars of the last 30 days, and how many calls they are; they lead to the log of the key. */
function Calls({ keyId, counts }: { readonly keyId: string; readonly counts: readonly number[] }) {
  const { id } = useOrganisation();
  const total = sumOf(counts);
  if (total === 0)
    return (
      <Text size="sm" c="dimmed">
        None
      </Text>
    );
  return (
    <Group gap={8} wrap="nowrap">
      <Sparkbars counts={counts} />
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link to="/$organisation/log" params={{ organisation: id }} search={{ key_id: keyId } as never} {...props} />
        )}
      >
        {formatCount(total)}
      </Anchor>
    </Group>
  );
}

const HOUR_S = 3_600;

/** Known to the hour. */
function LastUsed({ at }: { readonly at: number | null }) {
  if (at === null) return 'Never';
  return Date.now() / 1000 - at < HOUR_S ? 'This hour' : <Time at={at} />;
}

function KeyState({ apiKey: key }: { readonly apiKey: OwnKey }) {
  if (key.revoked_at !== null)
    return (
      <Text size="sm">
        Revoked <Time at={key.revoked_at} />
      </Text>
    );
  if (key.expires_at !== null)
    return (
      <Text size="sm">
        {key.expires_at * 1000 < Date.now() ? 'Expired' : 'Ends'} <Time at={key.expires_at} />
      </Text>
    );
  const since = key.last_used_at ?? key.created_at;
  if (Date.now() / 1000 - since > UNUSED_S) return <Text size="sm">Unused for 30 days: revoke it?</Text>;
  return (
    <>
      <Text size="sm">Active</Text>
      {key.previous_secret !== null && (
        <Text size="xs" c="dimmed">
          …{key.previous_secret.last4} works until <Time at={key.previous_secret.valid_until} />
        </Text>
      )}
    </>
  );
}

function RevokeKey({ apiKey, onClose }: { readonly apiKey: OwnKey; readonly onClose: () => void }) {
  const organisation = useOrganisation();
  const api = useApi();
  const revoke = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/keys/{id}', { params: { path: { id: apiKey.id } } })),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [organisation.id, 'keys'] });
      onClose();
    },
  });
  return (
    <Confirm
      opened
      title={`Revoke ${apiKey.name}?`}
      action="Revoke it"
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      The next call with it is refused, and that can’t be taken back. Its traces stay.
    </Confirm>
  );
}
