import { Group, Radio, Select, Stack, TextInput, Text, Alert, Button, Checkbox, Code } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { answerOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { CreateOwnKey, OwnKey } from '../../api/schema.ts';
import { useApiUrl } from '../../lib/api-url.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useOrganisation } from '../../lib/organisation.ts';
import { CopyWide } from '../../parts/copy.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { Dialog } from '../../parts/dialog.tsx';

const ROLES = [
  { value: 'viewer', label: 'Viewer', description: 'Read-only, plus the free check.' },
  { value: 'member', label: 'Member', description: 'Verify, decide, upload and edit lists. Enough for a signup form.' },
  { value: 'admin', label: 'Admin', description: 'Everything, including policies, keys and settings.' },
] as const;

const ENDS = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

const endOf = (days: string): number | null =>
  days === '' ? null : Math.floor(Date.now() / 1000) + Number(days) * 86_400;

export function CreateKey({ onClose }: { readonly onClose: () => void }) {
  const organisation = useOrganisation();
  const { api } = organisation;
  const [name, setName] = useState('');
  const [role, setRole] = useState<CreateOwnKey['role']>('member');
  const [mode, setMode] = useState<'live' | 'test'>('live');
  const [days, setDays] = useState('');
  const create = useMutation({
    mutationFn: () =>
      answerOf(api.POST('/v1/keys', { body: { name: name.trim(), role, mode, expires_at: endOf(days) } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [organisation.id, 'keys'] }),
    // The secret is dropped when the dialog closes.
    gcTime: 0,
  });
  const secret = create.data?.key.secret;
  return (
    <SecretDialog
      title={secret === undefined ? 'Create key' : `The key ${create.data?.key.name ?? ''}`}
      secret={secret}
      onClose={onClose}
    >
      <DialogForm action="Create key" sending={create} onSubmit={() => create.mutate()} onCancel={onClose}>
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
        <Group grow align="flex-end">
          <Select
            label="Mode"
            description="Test keys cost nothing and learn nothing."
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
            data={ENDS}
            value={days}
            onChange={(value) => setDays(value ?? '')}
          />
        </Group>
      </DialogForm>
    </SecretDialog>
  );
}

const NEW_ENDS = [
  { value: 'keep', label: 'No change' },
  { value: '', label: 'Never' },
  { value: '1', label: 'Tomorrow' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
];

export function RenameKey({ apiKey, onClose }: { readonly apiKey: OwnKey; readonly onClose: () => void }) {
  const { api, id: organisationId } = useOrganisation();
  const [name, setName] = useState(apiKey.name);
  const [days, setDays] = useState('keep');
  const change = useMutation({
    mutationFn: () =>
      answerOf(
        api.PATCH('/v1/keys/{id}', {
          params: { path: { id: apiKey.id } },
          body: { name: name.trim(), ...(days !== 'keep' && { expires_at: endOf(days) }) },
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [organisationId, 'keys'] });
      onClose();
    },
  });
  return (
    <Dialog opened onClose={onClose} title={`Change “${apiKey.name}”`}>
      <DialogForm action="Save" sending={change} onSubmit={() => change.mutate()} onCancel={onClose}>
        <TextInput
          label="Name"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select label="Expires" data={NEW_ENDS} value={days} onChange={(value) => setDays(value ?? 'keep')} />
      </DialogForm>
    </Dialog>
  );
}

const OVERLAPS = [
  { value: '0', label: 'Stop now' },
  { value: '3600', label: 'Keep for an hour' },
  { value: '86400', label: 'Keep for a day' },
];

/** A new secret for the same key. The old one works for a while, so that no program stops. */
export function RotateKey({ apiKey, onClose }: { readonly apiKey: OwnKey; readonly onClose: () => void }) {
  const { api, id: organisationId } = useOrganisation();
  const [overlap, setOverlap] = useState('86400');
  const rotate = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/v1/keys/{id}/rotate', {
          params: { path: { id: apiKey.id } },
          body: { overlap_s: Number(overlap) },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [organisationId, 'keys'] }),
    gcTime: 0,
  });
  const secret = rotate.data?.key.secret;
  return (
    <SecretDialog title={`Rotate “${apiKey.name}”`} secret={secret} onClose={onClose}>
      <DialogForm action="Create new secret" sending={rotate} onSubmit={() => rotate.mutate()} onCancel={onClose}>
        <Text size="sm">Creates a new secret for this key.</Text>
        <Select
          label="Current secret"
          data={OVERLAPS}
          value={overlap}
          onChange={(value) => setOverlap(value ?? '86400')}
        />
      </DialogForm>
    </SecretDialog>
  );
}

interface SecretDialogProps {
  readonly title: string;
  readonly secret: string | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog that ends with a secret, and then closes by its own button only. */
const SecretDialog = ({ title, secret, onClose, children }: SecretDialogProps) => (
  <Dialog opened onClose={onClose} title={title} closeOnClickOutside={false} isHeld={secret !== undefined}>
    {secret === undefined ? children : <SecretShown secret={secret} onDone={onClose} />}
  </Dialog>
);

/** Shows a secret once. Closing asks first. */
function SecretShown({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) {
  const [isKept, setKept] = useState(false);
  const apiUrl = useApiUrl();
  return (
    <Stack>
      <Alert variant="light" color="yellow" title="Copy it now">
        It’s shown only once. Keep it on your server, never in a web page.
      </Alert>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} aria-label="Secret">
        {secret}
      </Code>
      <CopyWide text={secret} label="Copy the secret" />
      <Text size="sm">Try it:</Text>
      <Code
        block
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >{`curl -s ${apiUrl}/v1/me -H 'authorization: Bearer ${secret}'`}</Code>
      <Group justify="space-between">
        <Checkbox label="I’ve saved it" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
        <Button onClick={onDone} disabled={!isKept}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
