import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { callAuth, signInAgain } from '../api/session.ts';
import { useMutation } from '../lib/mutation.ts';
import { useMe } from '../lib/organisation.ts';
import { DialogForm } from './dialog-form.tsx';

/** The API accepts some changes only from sessions younger than this. */
const FRESH_S = 600;

/** Shows a form after a recent sign-in; otherwise asks to sign in again. */
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
