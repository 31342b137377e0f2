import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { answerOf } from '../../api/client.ts';
import { startOver } from '../../api/session.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';

/** Ends the membership of the person who looks at it. */
export function LeaveOrganisation() {
  const api = useApi();
  const { name } = useOrganisation();
  const [isOpen, { open, close }] = useDisclosure(false);
  const leave = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/membership')),
    onSuccess: () => startOver('/'),
  });
  return (
    <Section title="Leave the organisation" note="Its data stay. The last admin can’t leave.">
      <Button variant="default" onClick={open}>
        Leave…
      </Button>
      <Dialog opened={isOpen} onClose={close} title={`Leave ${name}`}>
        <Stack>
          <Text size="sm">
            You see nothing of it any more, and every key that you have made there stops working at once. To come back
            you need an invitation.
          </Text>
          {leave.error !== null && <ErrorNotice error={leave.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button color="red" onClick={() => leave.mutate()} loading={leave.isPending}>
              Leave
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </Section>
  );
}
