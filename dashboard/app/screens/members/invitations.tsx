import { Group, Stack, Text, Code, Radio, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { invitationsQuery, type OpenInvitation } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import type { Role } from '../../api/session.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { CopyWide, Copy } from '../../parts/copy.tsx';
import { DialogEnd, DialogForm } from '../../parts/dialog-form.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Maker } from '../../parts/maker.tsx';
import { Empty, Loaded } from '../../parts/notices.tsx';
import { Section } from '../../parts/page.tsx';
import { QuietButton, Strong } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { roleLabel, ROLES } from './roles.ts';

function InvitationRow({ invitation }: { readonly invitation: OpenInvitation }) {
  const { api, id: organisationId } = useOrganisation();
  const { id, email, role, expires_at: expiresAt, created_by: createdBy } = invitation;
  const [isAsking, setAsking] = useState(false);
  const withdraw = useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/invitations/{id}', { params: { path: { id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: invitationsQuery(organisationId).queryKey }),
  });
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="sm">
        <div style={{ minWidth: 0, flex: '1 1 200px' }}>
          <Strong style={{ overflowWrap: 'anywhere' }}>{email}</Strong>
          <Group gap={4} fz="xs" c="dimmed">
            {roleLabel(role)} · ends <Time at={expiresAt} /> · by <Maker id={createdBy} />
          </Group>
        </div>
        <Group gap="xs">
          <CopyWide text={invitationLink(id)} label="Copy the link" />
          <QuietButton onClick={() => setAsking(true)} aria-label={`Withdraw invitation for ${email}`}>
            Withdraw
          </QuietButton>
        </Group>
      </Group>
      <Confirm
        opened={isAsking}
        title="Withdraw invitation?"
        action="Withdraw"
        sending={withdraw}
        onConfirm={() => withdraw.mutate()}
        onClose={() => setAsking(false)}
      >
        The link that <b>{email}</b> has stops working. You can invite them again.
      </Confirm>
    </Stack>
  );
}

/** Open invitations. */
export function Invitations() {
  const { id } = useOrganisation();
  const query = useQuery(invitationsQuery(id));
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

/** The invitation's link. It grants nothing by itself: the invited address must sign in. */
const invitationLink = (id: string): string => `${window.location.origin}/invitations/${id}`;

function InviteForm({ onClose }: { readonly onClose: () => void }) {
  const { api, id } = useOrganisation();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const invite = useMutation({
    mutationFn: async () =>
      (await answerOf(api.POST('/v1/invitations', { body: { email: email.trim(), role } }))).invitation,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: invitationsQuery(id).queryKey }),
  });

  if (invite.data !== undefined) {
    const link = invitationLink(invite.data.id);
    return (
      <DialogEnd
        more={{
          label: 'Invite another',
          onClick: () => {
            setEmail('');
            invite.reset();
          },
        }}
        onDone={onClose}
      >
        <Text size="sm" role="status">
          We’ve emailed <b>{invite.data.email}</b>. You can also share this link. It works for seven days, only for this
          address.
        </Text>
        <Group gap={4} wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{link}</Code>
          <Copy text={link} label="Copy the link" />
        </Group>
      </DialogEnd>
    );
  }
  return (
    <DialogForm action="Invite" sending={invite} onSubmit={() => invite.mutate()} onCancel={onClose}>
      <TextInput
        label="Email address"
        type="email"
        required
        maxLength={320}
        placeholder="grace@example.com"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        data-autofocus
        autoComplete="off"
      />
      <Radio.Group label="Role" value={role} onChange={setRole}>
        <Stack gap="xs" mt={6}>
          {ROLES.map(({ value, label, may }) => (
            <Radio key={value} value={value} label={label} description={may} />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}

export const Invite = ({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title="Invite member">
    <InviteForm onClose={onClose} />
  </Dialog>
);
