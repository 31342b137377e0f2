import { expect } from 'vitest';
import type { Trace } from '../../../src/contract/traces.ts';
import { type Conclusion, conclude } from '../../../src/domain/verification/conclusion.ts';
import type { HostClass } from '../../../src/domain/verification/host-class.ts';
import { SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import type { ProviderId } from '../../../src/domain/verification/provider.ts';

/** The judgement from what a trace alone holds. */
export function replay({
  features,
  providers,
  reasons,
}: Pick<Trace, 'features' | 'providers' | 'reasons'>): Conclusion {
  if (features === null || providers === null) throw new Error('the trace has lost its detail');
  expect(features.model_version).toBe(SEEDED_MODEL.version);
  const known = features.known_answers.map(({ provider, verdict }) => ({ provider: provider as ProviderId, verdict }));
  const ages = features.known_answers.filter(({ verdict }) => verdict !== 'unknown').map(({ age_s }) => age_s);
  return conclude({
    model: SEEDED_MODEL,
    host: features.host_class as HostClass,
    certain: reasons?.includes('no_mx') === true,
    known,
    knownAgeMs: ages.length === 0 ? 0 : Math.min(...ages) * 1_000,
    fresh: Object.entries(providers).map(([id, { verdict }]) => ({ provider: id as ProviderId, verdict })),
    acceptsAllOdds: features.accepts_all_odds,
  });
}
