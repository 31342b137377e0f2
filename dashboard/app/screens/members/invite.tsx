import { Code, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { invitationsQuery } from '../../api/people.ts';
import { queryClient } from '../../api/query-client.ts';
import type { Role } from '../../api/session.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Copy } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogEnd, DialogForm } from '../../parts/dialog-form.tsx';
import { ROLES } from './roles.ts';

/** The link of the mail. It opens nothing by itself: who follows it signs in with the invited address. */
export const invitationLink = (id: string): string => `${window.location.origin}/invitations/${id}`;

function InviteForm({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const { id } = useOrganisation();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const invite = useMutation({
    mutationFn: async () =>
      (await answerOf(api.POST('/v1/invitations', { body: { email: email.trim(), role } }))).invitation,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: invitationsQuery(api, id).queryKey }),
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
    <DialogForm
      action="Invite"
      isPending={invite.isPending}
      error={invite.error}
      onSubmit={() => invite.mutate()}
      onCancel={onClose}
    >
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
