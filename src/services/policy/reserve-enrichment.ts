import type { SettledEnrichment } from '../../domain/bulk/job-record.ts';
import type { Id } from '../../kernel/ids.ts';
import { callObject, type ObjectDeps, type OrganisationPort } from '../../organisation/api.ts';
import type { ReserveBudget } from './enrich.ts';

/** What one request reserves of its organisation's enrichment budget. */
export interface Reservation {
  readonly reserve: ReserveBudget;
  /** What replaces the reservation once it is known what was spent. Null: nothing was reserved. */
  settle(spentMicros: number): SettledEnrichment | null;
}

export function openReservation(
  objects: ObjectDeps<Pick<OrganisationPort, 'reserveEnrichment'>>,
  organisationId: Id<'org'>,
  requestId: string,
): Reservation {
  let hasReserved = false;
  return {
    async reserve(totalMicros) {
      hasReserved = true;
      const answer = await callObject(objects, organisationId).reserveEnrichment({ requestId, totalMicros });
      return answer.ok ? (answer.value ? 'granted' : 'refused') : 'failed';
    },
    settle: (spentMicros) => (hasReserved ? { requestId, spentMicros } : null),
  };
}
