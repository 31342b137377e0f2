import type { MxProvider } from '../../contract/vocabulary.ts';
import type { Precheck } from './precheck.ts';
import type { Traits } from './signals.ts';

/**
 * An address's row in the prior table: who answers for its mail (`gateway`: a security gateway without a label of its
 * own; `unresolved`: not known), apart for consumer and business mailboxes. Relays and disposable domains have rows of
 * their own, because they behave unlike the hosts they run on.
 */
export type HostClass = `${MxProvider | 'gateway' | 'unresolved'}_${'consumer' | 'business'}` | 'relay' | 'disposable';

/** `mxProvider` null: the look-up failed, so the mail hosts are not known. `behindGateway`: the hosts are a gateway's. */
export function hostClass(
  precheck: Precheck,
  traits: Traits,
  mxProvider: MxProvider | null,
  behindGateway: boolean,
): HostClass {
  if (precheck.disposable) return 'disposable';
  if (traits.relay) return 'relay';
  const family = mxProvider === 'unknown' && behindGateway ? 'gateway' : (mxProvider ?? 'unresolved');
  return `${family}_${traits.consumer ? 'consumer' : 'business'}`;
}
