import { vi } from 'vitest';

/**
 * Lets the client's timers below `limitMs` end at once and returns how long they were to be, in order: its pauses, where
 * its deadlines are longer. Ends with `vi.restoreAllMocks()`.
 */
export function skipPauses(limitMs: number): readonly number[] {
  const asked: number[] = [];
  const { setTimeout: real } = globalThis;
  const skipping = (run: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) => {
    // Node's own HTTP client sets timers too.
    if (ms >= limitMs || new Error('here').stack?.includes('client/src/client.ts') !== true)
      return real(run, ms, ...values);
    asked.push(ms);
    return real(run, 0, ...values);
  };
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(skipping as typeof setTimeout);
  return asked;
}
