import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { callAuth, signInAgain } from '../api/session.ts';
import { useMutation } from '../lib/mutation.ts';
import { useMe } from '../lib/organisation.ts';
import { DialogForm } from './dialog-form.tsx';

/** The API takes some changes only from a session that began this long ago at the most. */
const FRESH_S = 600;

/** A dialog's form for who has just signed in. For others, the way to a new session. */
export function FreshOnly({ onClose, children }: { readonly onClose: () => void; readonly children: ReactNode }) {
  const { session } = useMe();
  const again = useMutation({ mutationFn: () => callAuth('POST', '/sign-out', {}), onSuccess: signInAgain });
  if (Date.now() / 1000 - session.signed_in_at < FRESH_S) return children;
  return (
    <DialogForm action="Sign in again" sending={again} onSubmit={() => again.mutate()} onCancel={onClose}>
      <Text size="sm">You signed in more than 10 minutes ago. For security, sign in again to change this.</Text>
    </DialogForm>
  );
}
