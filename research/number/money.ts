import type { Purpose } from '../../src/contract/vocabulary.ts';
import { LOSSES } from '../../src/domain/router/losses.ts';
import type { Askable } from '../../src/domain/router/provider-health.ts';
import { VENDORS } from '../population/vendors.ts';

export type Action = 'send' | 'drop' | 'hold';

/** The expected loss of an action. All judges are measured by the service's own losses. */
export function lossOf(action: Action, bounce: number, { purpose }: { readonly purpose: Purpose }): number {
  const losses = LOSSES[purpose];
  if (action === 'send') return bounce * losses.bounce;
  if (action === 'drop') return (1 - bounce) * losses.contactLost;
  return (1 - bounce) * losses.heldGood + bounce * losses.heldBad;
}

/** Vendors at list price that never fail, as a router sees them. */
export const askable = (ids: readonly string[]): Askable[] =>
  ids.map((id) => {
    const vendor = VENDORS.find((one) => one.id === id);
    if (vendor === undefined) throw new Error(`${id} is not a vendor`);
    const { latencyMs, priceMicros, billsUnknown } = vendor;
    return {
      id: vendor.id,
      priceMicros,
      billsUnknown,
      health: { typicalMs: latencyMs, latencyMs, failureRate: 0, open: false },
    };
  });
