import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { answerOf } from '../../api/client.ts';
import { startOver } from '../../api/session.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Confirm } from '../../parts/confirm.tsx';
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
    <Section title="Leave organisation" note="Its data stays. The last admin can’t leave.">
      <Button variant="default" onClick={open}>
        Leave…
      </Button>
      <Confirm
        opened={isOpen}
        title={`Leave ${name}?`}
        action="Leave"
        isPending={leave.isPending}
        error={leave.error}
        onConfirm={() => leave.mutate()}
        onClose={close}
      >
        You lose access, and keys you created stop working.
      </Confirm>
    </Section>
  );
}
