import { Button, Center, Loader } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { Empty, ErrorNotice } from '../parts/notices.tsx';

export const WaitingPage = () => (
  <Center mih="40vh">
    <Loader aria-label="Loading" />
  </Center>
);

/** A part that broke must not take the frame with it. */
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

/** The address leads nowhere, or to an organisation that the person is not in: the two look alike. */
export const LostPage = () => (
  <Center mih="60vh" p="md">
    <Empty
      title="There is nothing here for you"
      action={
        <Button component="a" href="/" mt="sm">
          To the dashboard
        </Button>
      }
    >
      The page does not exist, or it belongs to an organisation that you are not a member of. Ask an administrator there
      for an invitation.
    </Empty>
  </Center>
);
