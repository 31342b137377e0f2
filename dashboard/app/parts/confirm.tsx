import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { ErrorNotice } from './notices.tsx';

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
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        {error !== null && error !== undefined && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" onClick={onConfirm} loading={isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
