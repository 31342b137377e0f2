import { PROVIDER_IDS, type ProviderId } from '../../../src/domain/belief/provider.ts';
import type { BehaviourOf } from './simulator.ts';

/**
 * Each vendor answers `times` calls at once and then declines, so that the next one is asked. After `requests` requests the
 * service has measured every vendor as quick; until then it assumes that they are too slow for short ceilings.
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
