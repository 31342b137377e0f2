import { Button, type ButtonProps, Group, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Form } from './form.tsx';
import { ErrorNotice } from './notices.tsx';

export interface Sending {
  readonly isPending: boolean;
  readonly error: unknown;
}

interface DialogFormProps {
  readonly children: ReactNode;
  readonly action: string;
  readonly otherwise?: string;
  readonly color?: ButtonProps['color'];
  readonly isReady?: boolean;
  readonly sending?: Sending;
  /** Focus starts on Cancel, as the action can't be undone. */
  readonly isCareful?: boolean;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
}

/** A dialog's form: fields, error, and two buttons. */
export const DialogForm = ({
  children,
  action,
  otherwise = 'Cancel',
  color,
  isReady = true,
  sending = { isPending: false, error: null },
  isCareful = false,
  onSubmit,
  onCancel,
}: DialogFormProps) => (
  <Form onSubmit={() => isReady && onSubmit()}>
    <Stack>
      {children}
      {sending.error !== null && <ErrorNotice error={sending.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel} {...(isCareful && { 'data-autofocus': true })}>
          {otherwise}
        </Button>
        <Button type="submit" {...(color !== undefined && { color })} disabled={!isReady} loading={sending.isPending}>
          {action}
        </Button>
      </Group>
    </Stack>
  </Form>
);

interface DialogEndProps {
  readonly children: ReactNode;
  /** A further action before closing. */
  readonly more?: { readonly label: string; readonly onClick: () => void };
  readonly onDone: () => void;
}

/** A dialog's last step. Takes the focus from the form it replaces. */
export function DialogEnd({ children, more, onDone }: DialogEndProps) {
  const done = useRef<HTMLButtonElement>(null);
  useEffect(() => done.current?.focus(), []);
  return (
    <Stack>
      {children}
      <Group justify="flex-end">
        {more !== undefined && (
          <Button variant="default" onClick={more.onClick}>
            {more.label}
          </Button>
        )}
        <Button ref={done} onClick={onDone} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
