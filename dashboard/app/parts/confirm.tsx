import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DialogForm, type Sending } from './dialog-form.tsx';
import { Dialog } from './dialog.tsx';
import { FreshOnly } from './fresh-only.tsx';

interface ConfirmProps {
  readonly opened: boolean;
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  /** Needs a recent sign-in. */
  readonly isFresh?: boolean;
  readonly sending?: Sending;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Confirms an action that can't be undone. */
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
