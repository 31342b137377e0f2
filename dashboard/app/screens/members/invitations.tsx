import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { invitationsQuery, type OpenInvitation } from '../../api/people.ts';
import { queryClient } from '../../api/query-client.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { CopyWide } from '../../parts/copy.tsx';
import { Maker } from '../../parts/maker.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { invitationLink } from './invite.tsx';
import { roleLabel } from './roles.ts';

function InvitationRow({ invitation }: { readonly invitation: OpenInvitation }) {
  const api = useApi();
  const { id: organisationId } = useOrganisation();
  const { id, email, role, expires_at: expiresAt, created_by: createdBy } = invitation;
  const [isAsking, setAsking] = useState(false);
  const withdraw = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/invitations/{id}', { params: { path: { id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: invitationsQuery(api, organisationId).queryKey }),
  });
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="sm">
        <div style={{ minWidth: 0, flex: '1 1 200px' }}>
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
          <Group gap={4} fz="xs" c="dimmed">
            {roleLabel(role)} · ends <Time at={expiresAt} /> · by <Maker id={createdBy} />
          </Group>
        </div>
        <Group gap="xs">
          <CopyWide text={invitationLink(id)} label="Copy the link" />
          <Button
            size="xs"
            variant="default"
            onClick={() => setAsking(true)}
            aria-label={`Withdraw invitation for ${email}`}
          >
            Withdraw
          </Button>
        </Group>
      </Group>
      <Confirm
        opened={isAsking}
        title="Withdraw invitation?"
        action="Withdraw"
        isPending={withdraw.isPending}
        error={withdraw.error}
        onConfirm={() => withdraw.mutate()}
        onClose={() => setAsking(false)}
      >
        The link that <b>{email}</b> has stops working. You can invite them again.
      </Confirm>
    </Stack>
  );
}

/** Who is invited and has not come yet. */
export function Invitations() {
  const api = useApi();
  const { id } = useOrganisation();
  const query = useQuery(invitationsQuery(api, id));
  return (
    <Section title="Open invitations">
      <Loaded query={query} lines={2}>
        {(invitations) =>
          invitations.length === 0 ? (
            <Empty title="No open invitations">Invite a colleague by email.</Empty>
          ) : (
            <Stack gap="md">
              {invitations.map((invitation) => (
                <InvitationRow key={invitation.id} invitation={invitation} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  );
}
