import type { Budget, SettledReservation } from '../domain/metering/usage.ts';
import type { Id } from '../kernel/ids.ts';
import { callObject, type ObjectDeps, type OrganisationRpc } from '../organisation/api.ts';

/** Reserves `totalMicros` in all of one of the organisation's budgets. `failed`: the object gave no answer. */
export type ReserveBudget = (totalMicros: number) => Promise<'granted' | 'refused' | 'failed'>;

export interface Reservation {
  readonly reserve: ReserveBudget;
  /** Replaces the reservation by the actual spend. Null means nothing was reserved. */
  settle(spentMicros: number): SettledReservation | null;
}

export function openReservation(
  objects: ObjectDeps<Pick<OrganisationRpc, 'reserve'>>,
  organisationId: Id<'org'>,
  budget: Budget,
  requestId: string,
): Reservation {
  let hasReserved = false;
  return {
    async reserve(totalMicros) {
      hasReserved = true;
      const answer = await callObject(objects, organisationId).reserve({ budget, requestId, totalMicros });
      return answer.ok ? (answer.value ? 'granted' : 'refused') : 'failed';
    },
    settle: (spentMicros) => (hasReserved ? { requestId, spentMicros } : null),
  };
}
