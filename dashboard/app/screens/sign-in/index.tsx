import { Button, Divider, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { callAuth } from '../../api/session.ts';
import { PlainPage } from '../../frame/plain.tsx';
import { useMutation } from '../../lib/mutation.ts';
import { Form } from '../../parts/form.tsx';
import { ErrorNotice } from '../../parts/notices.tsx';
import { Small } from '../../parts/text.tsx';
import { openAfterSignIn, hasPasskeys, signInWithPasskey } from './passkey.ts';

const PASSKEY_FAILED = 'Passkey sign-in failed. Retry, or get a link by email.';

/** Every address gets the same answer, so that nothing is learnt about accounts. */
export default function SignIn() {
  const { to } = useSearch({ strict: false }) as { to?: string };
  const [email, setEmail] = useState('');
  const means = useQuery({ queryKey: ['means'], queryFn: () => callAuth<{ mail: boolean }>('GET', '/means') });
  const ask = useMutation({ mutationFn: () => callAuth('POST', '/link', { email }) });
  const passkey = useMutation({ mutationFn: signInWithPasskey, onSuccess: () => openAfterSignIn(to) });
  if (ask.isSuccess)
    return (
      <PlainPage>
        <Stack gap="sm" role="status">
          <Title order={1} size="h4">
            Check your email
          </Title>
          <Text size="sm">
            If <b>{email}</b> has an account, we’ve sent a link. It works once, for 10 minutes.
          </Text>
          <Button variant="default" onClick={() => ask.reset()}>
            Use another address
          </Button>
        </Stack>
      </PlainPage>
    );
  return (
    <PlainPage>
      <Stack>
        <Title order={1} size="h4">
          Sign in
        </Title>
        {means.data?.mail !== false && (
          <Form onSubmit={() => ask.mutate()}>
            <Stack gap="sm">
              <TextInput
                label="Email address"
                type="email"
                name="email"
                autoComplete="email webauthn"
                required
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
                maxLength={320}
              />
              <Button type="submit" loading={ask.isPending}>
                Email me a link
              </Button>
            </Stack>
          </Form>
        )}
        {means.data?.mail === false && <Text size="sm">Email sign-in is off. Use a passkey.</Text>}
        {ask.error !== null && <ErrorNotice error={ask.error} />}
        {hasPasskeys() && (
          <>
            {means.data?.mail !== false && <Divider label="or" />}
            <Button variant="default" onClick={() => passkey.mutate()} loading={passkey.isPending}>
              Sign in with a passkey
            </Button>
          </>
        )}
        {passkey.error !== null && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {PASSKEY_FAILED}
          </Text>
        )}
        <Small>Accounts are by invitation only.</Small>
      </Stack>
    </PlainPage>
  );
}
