import { Popover, Stack, Text } from '@mantine/core';
import { useDebouncedState } from '@mantine/hooks';
import { useSyncExternalStore } from 'react';
import { formatLocalTime, formatRelative, formatUtcTime } from '../lib/format.ts';
import { Small } from './text.tsx';

/** Delay before the exact time appears or disappears, so that the pointer can reach it. */
const PAUSE_MS = 150;

const TICK_MS = 5_000;
const shown = new Set<() => void>();
let clock: ReturnType<typeof setInterval> | undefined;

/** One timer for all times on the page. */
function onTick(look: () => void): () => void {
  shown.add(look);
  clock ??= setInterval(() => {
    for (const each of shown) each();
  }, TICK_MS);
  return () => {
    shown.delete(look);
    if (shown.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  };
}

/** Turns true once the time has passed. Null never passes. */
export const useIsPast = (at: number | null): boolean =>
  useSyncExternalStore(onTick, () => at !== null && at * 1000 <= Date.now());

/**
 * How long ago, which moves with the clock; the exact time, here and in UTC, on hover and on focus. A long table has one in each
 * row, so that what shows it is made when it is asked for.
 */
export function Time({ at }: { readonly at: number }) {
  const ago = useSyncExternalStore(onTick, () => formatRelative(at));
  const [isShown, show] = useDebouncedState(false, PAUSE_MS);
  return (
    <span
      className="time"
      onMouseEnter={() => show(true)}
      onMouseLeave={() => show(false)}
      onFocus={() => show(true)}
      onBlur={() => show(false)}
      onKeyDown={({ key }) => key === 'Escape' && show(false)}
    >
      <time dateTime={new Date(at * 1000).toISOString()} tabIndex={0} aria-label={`${ago}: ${formatLocalTime(at)}`}>
        {ago}
      </time>
      {isShown && (
        <Popover opened withRoles={false} shadow="md" offset={4}>
          <Popover.Target>
            <span className="time-place" />
          </Popover.Target>
          <Popover.Dropdown>
            <Stack gap={2}>
              <Text size="xs">{formatLocalTime(at)}</Text>
              <Small>{formatUtcTime(at)}</Small>
            </Stack>
          </Popover.Dropdown>
        </Popover>
      )}
    </span>
  );
}
