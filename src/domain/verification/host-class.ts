import type { MxProvider } from '../../contract/vocabulary.ts';
import type { Precheck } from './precheck.ts';
import type { Traits } from './signals.ts';

/**
 * The row of the prior table an address is judged by: the family that answers for its mail (`gateway`: a security gateway
 * without a label of its own; `unresolved`: not known), apart for consumer and business mailboxes. Relays and disposable
 * domains behave unlike any host they run on.
 */
export type HostClass = `${MxProvider | 'gateway' | 'unresolved'}_${'consumer' | 'business'}` | 'relay' | 'disposable';

/** `mxProvider` null: no mail host is known, because the look-up failed. `behindGateway`: the hosts are a gateway's. */
export function hostClass(
  gate: Precheck,
  traits: Traits,
  mxProvider: MxProvider | null,
  behindGateway: boolean,
): HostClass {
  if (gate.disposable) return 'disposable';
  if (traits.relay) return 'relay';
  const family = mxProvider === 'unknown' && behindGateway ? 'gateway' : (mxProvider ?? 'unresolved');
  return `${family}_${traits.consumer ? 'consumer' : 'business'}`;
}
