/** Milliseconds since the epoch in service time. Time is an input everywhere below `runtime/`. */
export type Clock = () => number;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Epoch seconds as API bodies carry them. */
export const epochSeconds = (ms: number): number => Math.floor(ms / SECOND_MS);

/** What `within` returns when the work takes too long. The work itself goes on. */
export const LATE: unique symbol = Symbol('late');

/** The work's value, or `LATE` after `timeoutMs`. Rejects as the work does. */
export async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T | typeof LATE> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, LATE);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
