import { Popover, Stack, Text } from '@mantine/core';
import { useDebouncedState } from '@mantine/hooks';
import { formatLocalTime, formatRelative, formatUtcTime } from '../lib/format.ts';

/** Before the exact time comes, and before it goes: long enough to reach it with the pointer. */
const PAUSE_MS = 150;

/**
 * How long ago; the exact time, here and in UTC, on hover and on focus. A long table has one in each row, so that what shows it is
 * made when it is asked for.
 */
export function Time({ at }: { readonly at: number }) {
  const [isShown, show] = useDebouncedState(false, PAUSE_MS);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it shows what the focus shows too
    <span
      className="time"
      onMouseEnter={() => show(true)}
      onMouseLeave={() => show(false)}
      onFocus={() => show(true)}
      onBlur={() => show(false)}
      onKeyDown={({ key }) => key === 'Escape' && show(false)}
    >
      <time
        dateTime={new Date(at * 1000).toISOString()}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard reads the exact time there
        tabIndex={0}
        aria-label={`${formatRelative(at)}: ${formatLocalTime(at)}`}
      >
        {formatRelative(at)}
      </time>
      {isShown && (
        <Popover opened withRoles={false} shadow="md" offset={4}>
          <Popover.Target>
            <span className="time-place" />
          </Popover.Target>
          <Popover.Dropdown>
            <Stack gap={2}>
              <Text size="xs">{formatLocalTime(at)}</Text>
              <Text size="xs" c="dimmed">
                {formatUtcTime(at)}
              </Text>
            </Stack>
          </Popover.Dropdown>
        </Popover>
      )}
    </span>
  );
}
