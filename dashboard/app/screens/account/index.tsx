import { Alert, Badge, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { callAuth, meQuery, type Passkey, type Session, startOver } from '../../api/session.ts';
import { PlainPage } from '../../frame/plain.tsx';
import { formatList } from '../../lib/format.ts';
import { useMutation } from '../../lib/mutation.ts';
import { isOpenTo, useMe } from '../../lib/organisation.ts';
import { Form } from '../../parts/form.tsx';
import { Empty, ErrorNotice, Loaded } from '../../parts/notices.tsx';
import { QuietButton, Small, Strong } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { openAfterSignIn, addPasskey, hasPasskeys, signInWithPasskey } from '../sign-in/passkey.ts';
import { Authenticator } from './authenticator.tsx';

/** Browser names by their user-agent token. Browsers that also name others come first. */
const BROWSERS = { Firefox: 'Firefox', Edg: 'Edge', OPR: 'Opera', Chrome: 'Chrome', Safari: 'Safari' };

const SYSTEMS = {
  Windows: 'Windows',
  Android: 'Android',
  iPhone: 'iPhone',
  'Mac OS X': 'macOS',
  Linux: 'Linux',
};

/** Such as `Firefox on Linux`. */
function browserName(agent: string | null): string {
  if (agent === null) return 'Unknown browser';
  const [, browser = agent.split('/', 1)[0] ?? ''] =
    Object.entries(BROWSERS).find(([written]) => agent.includes(`${written}/`)) ?? [];
  const [, system] = Object.entries(SYSTEMS).find(([written]) => agent.includes(written)) ?? [];
  return system === undefined ? browser : `${browser} on ${system}`;
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
                  <Strong>{browserName(browser)}</Strong>
                  {id === current && <Badge variant="light">This device</Badge>}
                </Group>
                <Small>
                  {network === null ? '' : `${network} · `}
                  Signed in <Time at={createdAt} />, used <Time at={usedAt} />
                </Small>
              </div>
              {id !== current && (
                <QuietButton style={{ flexShrink: 0 }} onClick={() => end.mutate(id)} loading={end.isPending}>
                  End
                </QuietButton>
              )}
            </Group>
          ))}
          {sessions.length > 1 && (
            <QuietButton onClick={() => end.mutate('')} loading={end.isPending}>
              Sign out all others
            </QuietButton>
          )}
          {end.error !== null && <ErrorNotice error={end.error} />}
        </Stack>
      )}
    </Loaded>
  );
}

const refreshPasskeys = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['passkeys'] }),
    queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
  ]);

function Passkeys() {
  const [name, setName] = useState('');
  const query = useQuery({
    queryKey: ['passkeys'],
    queryFn: () => callAuth<Passkey[]>('GET', '/passkey/list-user-passkeys'),
  });
  const add = useMutation({
    mutationFn: () => addPasskey(name.trim() || 'Passkey'),
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
          {passkeys.length === 0 && <Empty title="No passkey yet">Sign in with this device instead of an email.</Empty>}
          {passkeys.map((passkey) => (
            <Group key={passkey.id} justify="space-between">
              <Strong>{passkey.name ?? 'Passkey'}</Strong>
              <QuietButton onClick={() => remove.mutate(passkey.id)} loading={remove.isPending}>
                Remove
              </QuietButton>
            </Group>
          ))}
          {hasPasskeys() && (
            <Form onSubmit={() => add.mutate()}>
              <Group align="flex-end" gap="xs">
                <TextInput
                  flex={1}
                  label="New passkey name"
                  placeholder="Laptop"
                  maxLength={60}
                  value={name}
                  onChange={(event) => setName(event.currentTarget.value)}
                />
                <Button type="submit" loading={add.isPending}>
                  Add
                </Button>
              </Group>
            </Form>
          )}
          {add.error !== null && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              The passkey wasn’t added. Sign in again, then retry.
            </Text>
          )}
          {remove.error !== null && <ErrorNotice error={remove.error} />}
        </Stack>
      )}
    </Loaded>
  );
}

/** Asks for a second factor where sign-in settings or an organisation need one. */
function SecondFactor() {
  const me = useMe();
  const prove = useMutation({ mutationFn: signInWithPasskey, onSuccess: () => openAfterSignIn('/account') });
  const closed = me.organisations.filter((each) => !isOpenTo(me, each)).map(({ name }) => name);
  const hasPasskey = me.factors.passkeys > 0 && hasPasskeys();
  if (me.session.second_factor || (closed.length === 0 && !hasPasskey)) return null;
  return (
    <Alert
      variant="light"
      color={closed.length > 0 ? 'yellow' : 'indigo'}
      title={closed.length > 0 ? `A second factor is required at ${formatList(closed)}` : 'Confirm it’s you'}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {hasPasskey
            ? 'Confirm with your passkey. Without it, you can’t change how you sign in.'
            : 'Set up an authenticator app below. Or add a passkey, and then confirm with it here.'}
        </Text>
        {hasPasskey && (
          <Button size="xs" onClick={() => prove.mutate()} loading={prove.isPending}>
            Confirm with a passkey
          </Button>
        )}
        {prove.error !== null && (
          <Text size="sm" role="alert">
            The passkey wasn’t confirmed. Try again.
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

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
          <QuietButton component="a" href="/">
            Go to the dashboard
          </QuietButton>
        </Group>
        <SecondFactor />
        <section aria-labelledby="sessions">
          <Title order={2} size="h5" id="sessions" mb="sm">
            Sessions
          </Title>
          <Sessions />
        </section>
        <section aria-labelledby="passkeys">
          <Title order={2} size="h5" id="passkeys" mb="sm">
            Passkeys
          </Title>
          <Passkeys />
        </section>
        <section aria-labelledby="authenticator">
          <Title order={2} size="h5" id="authenticator" mb="sm">
            Authenticator app
          </Title>
          <Authenticator />
        </section>
        <Button variant="default" onClick={() => signOut.mutate()} loading={signOut.isPending}>
          Sign out
        </Button>
      </Stack>
    </PlainPage>
  );
}
