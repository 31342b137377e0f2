import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DialogForm, type Sending } from './dialog-form.tsx';
import { Dialog } from './dialog.tsx';
import { FreshOnly } from './fresh-only.tsx';

interface ConfirmProps {
  readonly opened: boolean;
  readonly title: string;
  /** What follows from it. */
  readonly children: ReactNode;
  /** The action's name, on its button. */
  readonly action: string;
  /** It needs a session of the last minutes. */
  readonly isFresh?: boolean;
  readonly sending?: Sending;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before what can't be taken back. */
export function Confirm({ opened, title, children, isFresh = false, onConfirm, onClose, ...form }: ConfirmProps) {
  const question = (
    <DialogForm color="red" isCareful onSubmit={onConfirm} onCancel={onClose} {...form}>
      <Text size="sm" component="div">
        {children}
      </Text>
    </DialogForm>
  );
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      {isFresh ? <FreshOnly onClose={onClose}>{question}</FreshOnly> : question}
    </Dialog>
  );
}
