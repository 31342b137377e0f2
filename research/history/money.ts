import type { Purpose } from '../../src/contract/vocabulary.ts';
import { LOSSES } from '../../src/domain/verification/losses.ts';
import { BILLS_UNKNOWN } from '../../src/domain/verification/provider-terms.ts';
import { SECOND_USD } from '../../src/domain/verification/router.ts';
import { VENDORS } from '../population/vendors.ts';
import { VENDOR_IDS } from './kinds.ts';
import type { Vendor } from './route.ts';

export type Action = 'send' | 'drop' | 'hold';

/** What an action is expected to lose. Everybody is judged by the service's own losses, whatever they go by themselves. */
export function lossOf(action: Action, bounce: number, { purpose }: { readonly purpose: Purpose }): number {
  const losses = LOSSES[purpose];
  if (action === 'send') return bounce * losses.bounce;
  if (action === 'drop') return (1 - bounce) * losses.contactLost;
  return (1 - bounce) * losses.heldGood + bounce * losses.heldBad;
}

const ACTIONS: readonly Action[] = ['send', 'drop', 'hold'];
export const cheapest = (bounce: number, list: { readonly purpose: Purpose }): Action =>
  ACTIONS.reduce((best, action) => (lossOf(action, bounce, list) < lossOf(best, bounce, list) ? action : best));

export const secondUsd = (purpose: Purpose): number => SECOND_USD[purpose];

/** The vendors of an account, in the order of `VENDOR_IDS`. */
export const ASKABLE: readonly Vendor[] = VENDOR_IDS.map((id) => {
  const vendor = VENDORS.find((one) => one.id === id);
  if (vendor === undefined) throw new Error(`${id} is not a vendor`);
  return { id, price: vendor.priceMicros / 1e6, seconds: vendor.latencyMs / 1e3, billsUnknown: BILLS_UNKNOWN[id] };
});
