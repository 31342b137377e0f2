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
  /** On its button. */
  readonly action: string;
  /** On the other button. */
  readonly otherwise?: string;
  readonly color?: ButtonProps['color'];
  readonly isReady?: boolean;
  /** The mutation that it sends. */
  readonly sending?: Sending;
  /** The focus begins on the way back: what is done can't be taken back. */
  readonly isCareful?: boolean;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
}

/** What a dialog asks: its fields, what went wrong, and two ways on. */
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
  /** What may be done beside, before its end. */
  readonly more?: { readonly label: string; readonly onClick: () => void };
  readonly onDone: () => void;
}

/** What a dialog has done, and the way out of it. It takes the focus from the form that it replaces. */
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
