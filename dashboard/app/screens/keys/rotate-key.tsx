import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { OwnKey } from '../../api/schema.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useApi, useOrganisation } from '../../lib/organisation.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { SecretDialog } from './secret.tsx';

const OVERLAPS = [
  { value: '0', label: 'Stop now' },
  { value: '3600', label: 'Keep for an hour' },
  { value: '86400', label: 'Keep for a day' },
];

/** A new secret for the same key; the one until now works on for a while, so that nothing stands still. */
export function RotateKey({ apiKey, onClose }: { readonly apiKey: OwnKey; readonly onClose: () => void }) {
  const organisation = useOrganisation();
  const api = useApi();
  const [overlap, setOverlap] = useState('86400');
  const rotate = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/v1/keys/{id}/rotate', {
          params: { path: { id: apiKey.id } },
          body: { overlap_s: Number(overlap) },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [organisation.id, 'keys'] }),
    gcTime: 0,
  });
  const secret = rotate.data?.key.secret;
  return (
    <SecretDialog title={`Rotate “${apiKey.name}”`} secret={secret} onClose={onClose}>
      <DialogForm
        action="Create new secret"
        isPending={rotate.isPending}
        error={rotate.error}
        onSubmit={() => rotate.mutate()}
        onCancel={onClose}
      >
        <Text size="sm">Creates a new secret for this key.</Text>
        <Select
          label="Current secret"
          allowDeselect={false}
          data={OVERLAPS}
          value={overlap}
          onChange={(value) => setOverlap(value ?? '86400')}
        />
      </DialogForm>
    </SecretDialog>
  );
}
