import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { OwnKey } from '../../api/schema.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { endOf } from './create-key.tsx';

const ENDS = [
  { value: 'keep', label: 'No change' },
  { value: '', label: 'Never' },
  { value: '1', label: 'Tomorrow' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
];

export function RenameKey({ apiKey, onClose }: { readonly apiKey: OwnKey; readonly onClose: () => void }) {
  const organisation = useOrganisation();
  const api = useApi();
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
      await queryClient.invalidateQueries({ queryKey: [organisation.id, 'keys'] });
      onClose();
    },
  });
  return (
    <Dialog opened onClose={onClose} title={`Change “${apiKey.name}”`}>
      <DialogForm
        action="Save"
        isPending={change.isPending}
        error={change.error}
        onSubmit={() => change.mutate()}
        onCancel={onClose}
      >
        <TextInput
          label="Name"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label="Expires"
          allowDeselect={false}
          data={ENDS}
          value={days}
          onChange={(value) => setDays(value ?? 'keep')}
        />
      </DialogForm>
    </Dialog>
  );
}
