import { afterEach, beforeAll, vi } from 'vitest';

// Files share a process: one that stops the clock would leave it stopped for the next.
vi.useRealTimers();

/** Whether the file itself stops the clock, for all its tests. */
let isStopped = false;
beforeAll(() => {
  isStopped = vi.isFakeTimers();
});

afterEach(() => {
  if (!isStopped) vi.useRealTimers();
  vi.restoreAllMocks();
});
