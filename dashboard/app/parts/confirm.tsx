import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { DialogForm } from './dialog-form.tsx';

interface ConfirmProps {
  readonly opened: boolean;
  readonly title: string;
  /** What follows from it. */
  readonly children: ReactNode;
  /** The action's name, on its button. */
  readonly action: string;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before what can't be taken back. */
export function Confirm({ opened, title, children, action, isPending, error, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <DialogForm
        action={action}
        color="red"
        isPending={isPending}
        error={error}
        isCareful
        onSubmit={onConfirm}
        onCancel={onClose}
      >
        <Text size="sm" component="div">
          {children}
        </Text>
      </DialogForm>
    </Dialog>
  );
}
