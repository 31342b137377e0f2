import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ConnectionKind } from '../../api/schema.ts';
import { useMutation } from '../../lib/mutation.ts';
import { useApi } from '../../lib/organisation.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { changeSecret } from './queries.ts';
import { SERVICES } from './services.ts';

interface SecretFormProps {
  readonly connectionId: string;
  readonly kind: ConnectionKind;
  readonly action: string;
  readonly otherwise: string;
  readonly onDone: () => void;
}

/** Gives a connection a secret. The one before stays good until the next. */
export function SecretForm({ connectionId, kind, action, otherwise, onDone }: SecretFormProps) {
  const api = useApi();
  const [secret, setSecret] = useState('');
  const change = useMutation({
    mutationFn: () => changeSecret(api, connectionId, secret.trim()),
    onSuccess: onDone,
  });
  return (
    <DialogForm
      action={action}
      otherwise={otherwise}
      isReady={secret.trim() !== ''}
      isPending={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate()}
      onCancel={onDone}
    >
      <TextInput
        label={SERVICES[kind].secret.label}
        description="Kept encrypted, never shown again. Secret before stays good until the next change."
        placeholder={SERVICES[kind].secret.placeholder}
        value={secret}
        onChange={(event) => setSecret(event.currentTarget.value)}
        maxLength={512}
        required
        autoComplete="off"
        spellCheck={false}
      />
    </DialogForm>
  );
}
