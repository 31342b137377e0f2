import { Alert, Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/error.ts';
import { Icon } from './icons.tsx';
import { Dimmed, QuietButton, Small } from './text.tsx';

/** A message of the service; text between backticks becomes code. */
export const withCode = (message: string): ReactNode =>
  message.split('`').map((part, at) => (at % 2 === 0 ? part : <Code key={at}>{part}</Code>));

const messageOf = (): string =>
  navigator.onLine ? 'Something went wrong on this page. Reload it.' : 'You are offline.';

/** An error in a sentence, with its trace id. */
export function ErrorNotice({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { message, traceId } = error instanceof ApiError ? error : { message: messageOf(), traceId: null };
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{withCode(message)}</Text>
        {(onRetry !== undefined || traceId !== null) && (
          <Group gap="sm">
            {onRetry !== undefined && <QuietButton onClick={onRetry}>Retry</QuietButton>}
            {traceId !== null && (
              <Small>
                Trace <Code style={{ overflowWrap: 'anywhere' }}>{traceId}</Code>
              </Small>
            )}
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

export function Empty({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <Stack align="center" gap="xs" py="xl" ta="center">
      <Text fw={600}>{title}</Text>
      <Dimmed maw={460}>{children}</Dimmed>
      {action}
    </Stack>
  );
}

/** Shows a query's data, error or skeleton. */
export function Loaded<T>({
  query,
  lines = 3,
  children,
}: {
  readonly query: UseQueryResult<T>;
  /** Lines of the skeleton, about the height of the content. */
  readonly lines?: number;
  readonly children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <Stack gap="sm" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={20} width={`${100 - ((line * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}
