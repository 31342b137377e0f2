import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { callAuth, type Passkey, type Session, startOver } from '../../api/session.ts';
import { PlainPage } from '../../frame/plain.tsx';
import { useMutation } from '../../lib/mutation.ts';
import { useMe } from '../../lib/organisation.ts';
import { Empty, ErrorNotice, Loaded } from '../../parts/notices.tsx';
import { Time } from '../../parts/time.tsx';
import { addPasskey, hasPasskeys } from '../sign-in/passkey.ts';

/** By what a browser writes before its version. Those that name others too stand first. */
const BROWSERS = { Firefox: t`Firefox`, Edg: t`Edge`, OPR: t`Opera`, Chrome: t`Chrome`, Safari: t`Safari` };

const SYSTEMS = {
  Windows: t`Windows`,
  Android: t`Android`,
  iPhone: t`iPhone`,
  'Mac OS X': t`macOS`,
  Linux: t`Linux`,
};

/** `Firefox on Linux`, as far as the browser says. */
function browserName(agent: string | null): string {
  if (agent === null) return t`Unknown browser`;
  const [, browser = agent.split('/', 1)[0] ?? ''] =
    Object.entries(BROWSERS).find(([written]) => agent.includes(`${written}/`)) ?? [];
  const [, system] = Object.entries(SYSTEMS).find(([written]) => agent.includes(written)) ?? [];
  return system === undefined ? browser : t`${browser} on ${system}`;
}

function Sessions() {
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: () => callAuth<{ sessions: Session[]; current: string }>('GET', '/sessions'),
  });
  const end = useMutation({
    mutationFn: (id: string) => callAuth('POST', '/sessions/end', id === '' ? {} : { id }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['sessions'] }),
  });
  return (
    <Loaded query={query}>
      {({ sessions, current }) => (
        <Stack gap="sm">
          {sessions.map(({ id, browser, network, created_at: createdAt, used_at: usedAt }) => (
            <Group key={id} justify="space-between" wrap="nowrap">
              <div>
                <Group gap="xs">
                  <Text size="sm" fw={500}>
                    {browserName(browser)}
                  </Text>
                  {id === current && (
                    <Badge variant="light">
                      <Trans>This one</Trans>
                    </Badge>
                  )}
                </Group>
                <Text size="xs" c="dimmed">
                  {network === null ? '' : `${network} · `}
                  <Trans>
                    signed in <Time at={createdAt} />, used <Time at={usedAt} />
                  </Trans>
                </Text>
              </div>
              {id !== current && (
                <Button
                  size="xs"
                  variant="default"
                  style={{ flexShrink: 0 }}
                  onClick={() => end.mutate(id)}
                  loading={end.isPending}
                >
                  <Trans>End</Trans>
                </Button>
              )}
            </Group>
          ))}
          {sessions.length > 1 && (
            <Button variant="default" size="xs" onClick={() => end.mutate('')} loading={end.isPending}>
              <Trans>End all others</Trans>
            </Button>
          )}
          {end.error !== null && <ErrorNotice error={end.error} />}
        </Stack>
      )}
    </Loaded>
  );
}

const refreshPasskeys = () => queryClient.invalidateQueries({ queryKey: ['passkeys'] });

function Passkeys() {
  const [name, setName] = useState('');
  const query = useQuery({
    queryKey: ['passkeys'],
    queryFn: () => callAuth<Passkey[]>('GET', '/passkey/list-user-passkeys'),
  });
  const add = useMutation({
    mutationFn: () => addPasskey(name.trim() || t`Passkey`),
    onSuccess: async () => {
      setName('');
      await refreshPasskeys();
    },
  });
  const remove = useMutation({
    mutationFn: (id: string) => callAuth('POST', '/passkey/delete-passkey', { id }),
    onSuccess: refreshPasskeys,
  });
  return (
    <Loaded query={query}>
      {(passkeys) => (
        <Stack gap="sm">
          {passkeys.length === 0 && (
            <Empty title={t`No passkey yet`}>
              <Trans>A passkey signs you in without a mail, by this device.</Trans>
            </Empty>
          )}
          {passkeys.map((passkey) => (
            <Group key={passkey.id} justify="space-between">
              <Text size="sm" fw={500}>
                {passkey.name ?? t`Passkey`}
              </Text>
              <Button size="xs" variant="default" onClick={() => remove.mutate(passkey.id)} loading={remove.isPending}>
                <Trans>Remove</Trans>
              </Button>
            </Group>
          ))}
          {hasPasskeys() && (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                add.mutate();
              }}
            >
              <Group align="flex-end" gap="xs">
                <TextInput
                  flex={1}
                  label={t`Name of a new passkey`}
                  placeholder={t`Laptop`}
                  maxLength={60}
                  value={name}
                  onChange={(event) => setName(event.currentTarget.value)}
                />
                <Button type="submit" loading={add.isPending}>
                  <Trans>Add</Trans>
                </Button>
              </Group>
            </form>
          )}
          {add.error !== null && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              <Trans>
                The passkey was not added. Sign in anew if you have been signed in for more than ten minutes, then try
                again.
              </Trans>
            </Text>
          )}
          {remove.error !== null && <ErrorNotice error={remove.error} />}
        </Stack>
      )}
    </Loaded>
  );
}

/** How a person signs in, and where they are signed in. */
export default function Account() {
  const { user } = useMe();
  const signOut = useMutation({
    mutationFn: () => callAuth('POST', '/sign-out', {}),
    onSuccess: () => startOver('/sign-in'),
  });
  return (
    <PlainPage width={560}>
      <Stack gap="lg">
        <Group justify="space-between">
          <Title order={1} size="h4">
            {user.email}
          </Title>
          <Button component="a" href="/" variant="default" size="xs">
            <Trans>To the dashboard</Trans>
          </Button>
        </Group>
        <section aria-labelledby="sessions">
          <Title order={2} size="h5" id="sessions" mb="sm">
            <Trans>Sessions</Trans>
          </Title>
          <Sessions />
        </section>
        <section aria-labelledby="passkeys">
          <Title order={2} size="h5" id="passkeys" mb="sm">
            <Trans>Passkeys</Trans>
          </Title>
          <Passkeys />
        </section>
        <Button variant="default" onClick={() => signOut.mutate()} loading={signOut.isPending}>
          <Trans>Sign out</Trans>
        </Button>
      </Stack>
    </PlainPage>
  );
}
