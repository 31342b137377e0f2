import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callAuth } from '../../api/session.ts';
import { PlainPage } from '../../frame/plain.tsx';
import { useMutation } from '../../lib/mutation.ts';
import { ErrorNotice } from '../../parts/notices.tsx';
import { openAfterSignIn } from './passkey.ts';

/**
 * The page behind a mailed link. Programs that look into mails open it and change nothing: only the button signs in. It names
 * the address, as another person may have sent the link.
 */
export default function SignInLink() {
  // The token is in the URL's fragment, which no server sees.
  const [token] = useState(() => window.location.hash.slice(1));
  const owner = useQuery({
    queryKey: ['link', token],
    queryFn: () => callAuth<{ email: string }>('POST', '/link/read', { token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const use = useMutation({
    mutationFn: () => callAuth('POST', '/link/use', { token }),
    onSuccess: () => openAfterSignIn('/'),
  });
  const error = owner.error ?? use.error;
  return (
    <PlainPage>
      <Stack>
        <Title order={1} size="h4">
          Sign in
        </Title>
        {owner.data !== undefined && use.error === null && (
          <>
            <Text size="sm">
              This link signs you in as <b>{owner.data.email}</b>.
            </Text>
            <Button onClick={() => use.mutate()} loading={use.isPending || use.isSuccess} autoFocus>
              Sign in as {owner.data.email}
            </Button>
          </>
        )}
        {error !== null && (
          <>
            <ErrorNotice error={error} />
            <Button component="a" href="/sign-in" variant="default">
              Get a new link
            </Button>
          </>
        )}
      </Stack>
    </PlainPage>
  );
}
