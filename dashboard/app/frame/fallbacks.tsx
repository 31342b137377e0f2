import { Button, Center, Loader, Stack, Text, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { queryClient } from '../api/query-client.ts';
import { reloadFor, ScreenMissing } from '../lib/lazy-screen.ts';
import { ErrorNotice } from '../parts/notices.tsx';
import { PlainPage } from './plain.tsx';

export const WaitingPage = () => (
  <Center mih="40vh">
    <Loader aria-label="Loading" />
  </Center>
);

/** A part that broke must not take the frame with it. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const isMissing = error instanceof ScreenMissing;
  useEffect(() => {
    if (isMissing) reloadFor(window.location.href);
  }, [isMissing]);
  const retry = () => {
    if (isMissing) return window.location.reload();
    void queryClient.resetQueries();
    reset();
    void router.invalidate();
  };
  return (
    <Center mih="40vh" p="md">
      <ErrorNotice error={error} onRetry={retry} />
    </Center>
  );
}

/** The address leads nowhere, or to an organisation that the person is not in: the two look alike. */
export const LostPage = () => (
  <PlainPage width={480}>
    <Stack align="flex-start">
      <Title order={1} size="h4">
        Page not found
      </Title>
      <Text size="sm">It doesn’t exist, or it belongs to an organisation you aren’t a member of.</Text>
      <Button component="a" href="/">
        Go to the dashboard
      </Button>
    </Stack>
  </PlainPage>
);
