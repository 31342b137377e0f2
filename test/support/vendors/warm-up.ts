import { PROVIDER_IDS, type ProviderId } from '../../../src/domain/belief/provider.ts';
import type { BehaviourOf } from './simulator.ts';

/**
 * Each vendor answers so many times, at once, and then turns every question down, so that the next is asked, whatever the
 * order: after `requests` requests the service has seen every vendor to be quick. Before that it takes them for slower than
 * short ceilings allow.
 */
export function warmingUp(times = 12): { readonly behaviourOf: BehaviourOf; readonly requests: number } {
  const answered = new Map<ProviderId, number>();
  const behaviourOf: BehaviourOf = (provider, email) => {
    const before = answered.get(provider) ?? 0;
    answered.set(provider, before + 1);
    if (before >= times) return { afterMs: 0, fault: 'refusal' };
    return {
      afterMs: 0,
      statement: { email, verdict: 'deliverable', acceptsAll: false, role: false, consumer: false, variant: 0 },
    };
  };
  return { behaviourOf, requests: times * PROVIDER_IDS.length };
}
