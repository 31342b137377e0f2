import { Stack, Text, Title } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { callAuth, startOver } from '../../api/session.ts';
import { PlainPage } from '../../frame/plain.tsx';
import { useMutation } from '../../lib/mutation.ts';
import { CodeForm } from '../account/code-form.tsx';
import { openAfterSignIn } from './passkey.ts';

/** Asks for the authenticator app's code after a sign-in link. */
export default function SignInCode() {
  const { to } = useSearch({ strict: false }) as { to?: string };
  const signOut = useMutation({
    mutationFn: () => callAuth('POST', '/sign-out', {}),
    onSuccess: () => startOver('/sign-in'),
  });
  return (
    <PlainPage>
      <Stack>
        <Title order={1} size="h4">
          Enter a code
        </Title>
        <Text size="sm">The 6 digits that your authenticator app shows, or one of your backup codes.</Text>
        <CodeForm
          label="Code"
          action="Continue"
          otherwise="Use another account"
          onDone={() => openAfterSignIn(to)}
          onCancel={() => signOut.mutate()}
        />
      </Stack>
    </PlainPage>
  );
}
