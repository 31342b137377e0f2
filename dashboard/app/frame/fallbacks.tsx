import { Button, Center, Loader, Stack, Text, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { ErrorNotice } from '../parts/notices.tsx';
import { PlainPage } from './plain.tsx';

export const WaitingPage = () => (
  <Center mih="40vh">
    <Loader aria-label="Loading" />
  </Center>
);

/** Keeps an error inside its screen. If a screen's file is missing, the page has already reloaded once. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
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

/** Unknown URLs and other people's organisations look alike. */
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
