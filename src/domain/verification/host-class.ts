import type { MxProvider } from '../../contract/vocabulary.ts';
import type { Gate } from './gate.ts';
import type { Traits } from './signals.ts';

/**
 * The row of the prior table an address is judged by: the family that answers for its mail, apart for consumer and business
 * mailboxes; relays and disposable domains behave unlike any host they run on.
 */
export type HostClass = `${MxProvider | 'unresolved'}_${'consumer' | 'business'}` | 'relay' | 'disposable';

/** `mxProvider` null: no mail host is known, because the look-up failed. */
export function hostClass(gate: Gate, traits: Traits, mxProvider: MxProvider | null): HostClass {
  if (gate.disposable) return 'disposable';
  if (traits.relay) return 'relay';
  return `${mxProvider ?? 'unresolved'}_${traits.consumer ? 'consumer' : 'business'}`;
}
