import type { LifeClass } from '../belief/facts.ts';

/** What an event shows of the person who reads the mailbox. Any other event shows nothing. */
const PROOFS: readonly { readonly event: string; readonly class: LifeClass; readonly reason: string }[] = [
  { event: 'activated', class: 'confirmed', reason: 'the contract: the person has confirmed the address' },
  { event: 'subscribed', class: 'paid', reason: 'who pays reads the receipts' },
  { event: 'upgraded', class: 'paid', reason: 'who pays reads the receipts' },
];

export const PROVING_EVENTS = PROOFS.map(({ event }) => event);

export const proofOf = (event: string): LifeClass | null => PROOFS.find((each) => each.event === event)?.class ?? null;
