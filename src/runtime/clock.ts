import type { Clock } from '../kernel/clock.ts';

/** Service time. The one place that reads the machine's clock for it; `offsetMs` moves it in the local stack. */
export const serviceClock =
  (offsetMs: number): Clock =>
  () =>
    Date.now() + offsetMs;
