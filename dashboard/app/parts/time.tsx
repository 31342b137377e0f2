import { HoverCard, Stack, Text, UnstyledButton } from '@mantine/core';
import { formatLocalTime, formatRelative, formatUtcTime } from '../lib/format.ts';

/** How long ago; the exact time, here and in UTC, on hover and on focus. */
export function Time({ at }: { readonly at: number }) {
  return (
    <HoverCard withinPortal withRoles={false} openDelay={150} shadow="md">
      <HoverCard.Target>
        <UnstyledButton
          component="time"
          dateTime={new Date(at * 1000).toISOString()}
          fz="inherit"
          style={{ whiteSpace: 'nowrap' }}
          tabIndex={0}
          aria-label={`${formatRelative(at)}: ${formatLocalTime(at)}`}
        >
          {formatRelative(at)}
        </UnstyledButton>
      </HoverCard.Target>
      <HoverCard.Dropdown>
        <Stack gap={2}>
          <Text size="xs">{formatLocalTime(at)}</Text>
          <Text size="xs" c="dimmed">
            {formatUtcTime(at)}
          </Text>
        </Stack>
      </HoverCard.Dropdown>
    </HoverCard>
  );
}
