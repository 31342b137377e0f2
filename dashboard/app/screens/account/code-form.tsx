import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { callAuth } from '../../api/session.ts';
import { useMutation } from '../../lib/mutation.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';

interface CodeFormProps {
  readonly label: string;
  readonly action: string;
  readonly otherwise?: string;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Checks a code of the authenticator app, or a backup code. */
export function CodeForm({ label, action, otherwise, onDone, onCancel }: CodeFormProps) {
  const [typed, setTyped] = useState('');
  // Apps show a code in two groups.
  const code = typed.replaceAll(/\s/g, '');
  const prove = useMutation({ mutationFn: () => callAuth('POST', '/code', { code }), onSuccess: onDone });
  return (
    <DialogForm
      action={action}
      {...(otherwise && { otherwise })}
      isReady={code !== ''}
      sending={prove}
      onSubmit={() => prove.mutate()}
      onCancel={onCancel}
    >
      <TextInput
        label={label}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        maxLength={40}
        autoComplete="one-time-code"
        spellCheck={false}
        autoFocus
        data-autofocus
      />
    </DialogForm>
  );
}
