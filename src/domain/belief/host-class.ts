import type { MxProvider } from '../../contract/vocabulary.ts';

/**
 * An address's row in the tables: who answers for its mail (`gateway`: an unnamed security gateway; `unresolved`:
 * unknown), separately for consumer and business mailboxes. Relays and disposable domains have rows of their own,
 * because they behave unlike their hosts.
 */
export type HostClass = `${MxProvider | 'gateway' | 'unresolved'}_${'consumer' | 'business'}` | 'relay' | 'disposable';

export interface HostTraits {
  readonly disposable: boolean;
  readonly relay: boolean;
  readonly consumer: boolean;
  /** Null means the look-up failed. */
  readonly mxProvider: MxProvider | null;
  readonly gateway: boolean;
}

export function hostClass({ disposable, relay, consumer, mxProvider, gateway }: HostTraits): HostClass {
  if (disposable) return 'disposable';
  if (relay) return 'relay';
  const family = mxProvider === 'unknown' && gateway ? 'gateway' : (mxProvider ?? 'unresolved');
  return `${family}_${consumer ? 'consumer' : 'business'}`;
}

/** Domains of many people: relays, disposable domains and consumer providers. */
export const isShared = (host: HostClass): boolean =>
  host === 'relay' || host === 'disposable' || host.endsWith('_consumer');

/** The operator whose hosts fail together; null for hosts of many operators. */
export function operatorOf(host: HostClass): string | null {
  const [family = ''] = host.split('_');
  return ['unknown', 'gateway', 'unresolved', 'relay', 'disposable'].includes(family) ? null : family;
}
