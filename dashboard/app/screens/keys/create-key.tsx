import { Group, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { CreateOwnKey } from '../../api/schema.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { SecretDialog } from './secret.tsx';

const ROLES = [
  { value: 'viewer', label: 'Viewer', description: 'Read-only, plus the free check.' },
  {
    value: 'member',
    label: 'Member',
    description: 'Verify, decide, upload and edit lists. Enough for a signup form.',
  },
  { value: 'admin', label: 'Admin', description: 'Everything, including policies, keys and settings.' },
] as const;

const ENDS = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

export const endOf = (days: string): number | null =>
  days === '' ? null : Math.floor(Date.now() / 1000) + Number(days) * 86_400;

export function CreateKey({ onClose }: { readonly onClose: () => void }) {
  const organisation = useOrganisation();
  const api = useApi();
  const [name, setName] = useState('');
  const [role, setRole] = useState<CreateOwnKey['role']>('member');
  const [mode, setMode] = useState<'live' | 'test'>('live');
  const [days, setDays] = useState('');
  const create = useMutation({
    mutationFn: () =>
      answerOf(api.POST('/v1/keys', { body: { name: name.trim(), role, mode, expires_at: endOf(days) } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [organisation.id, 'keys'] }),
    // Secret is forgotten with this dialogue.
    gcTime: 0,
  });
  const secret = create.data?.key.secret;
  return (
    <SecretDialog
      title={secret === undefined ? 'Create key' : `The key ${create.data?.key.name ?? ''}`}
      secret={secret}
      onClose={onClose}
    >
      <DialogForm
        action="Create key"
        isPending={create.isPending}
        error={create.error}
        onSubmit={() => create.mutate()}
        onCancel={onClose}
      >
        <TextInput
          label="Name"
          description="What it’s for."
          placeholder="signup form"
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Radio.Group label="Role" value={role} onChange={(value) => setRole(value)}>
          <Stack gap="xs" mt={4}>
            {ROLES.map((each) => (
              <Radio key={each.value} value={each.value} label={each.label} description={each.description} />
            ))}
          </Stack>
        </Radio.Group>
        <Group grow>
          <Select
            label="Mode"
            description="Test keys cost nothing and learn nothing."
            allowDeselect={false}
            data={[
              { value: 'live', label: 'Live' },
              { value: 'test', label: 'Test' },
            ]}
            value={mode}
            onChange={(value) => setMode(value ?? 'live')}
          />
          <Select
            label="Expires"
            description="Calls fail after that."
            allowDeselect={false}
            data={ENDS}
            value={days}
            onChange={(value) => setDays(value ?? '')}
          />
        </Group>
      </DialogForm>
    </SecretDialog>
  );
}
