import type { PrivacySettings, RetentionDays } from '../metering/organisation-settings.ts';

/** How long the service keeps each kind of record, in days. No account keeps more. */
export const KEPT_DAYS: RetentionDays = { traces: 400, outcomes: 400, events: 400, history: 400, details: 90 };
/** No account keeps less: what caches have ends by itself in this time. */
export const KEPT_LEAST_DAYS = 30;

/** How long an account keeps each kind. What replays a trace goes with its trace. */
export function retentionOf(privacy: PrivacySettings | null | undefined): RetentionDays {
  const kept = { ...KEPT_DAYS, ...privacy?.retention };
  return { ...kept, details: Math.min(kept.details, kept.traces) };
}
