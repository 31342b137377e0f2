import type { CompiledPolicy } from './compile.ts';
import type { EnrichmentScope, EnrichmentVendor, Prices } from './enrichment/vendor.ts';
import { comparisonsOf } from './evaluate.ts';
import type { FactSource as PathSource } from './paths.ts';

/** The most that a decision may cost beside the verification, whatever the address, in micros. */
export interface HighestCost {
  readonly enrichmentMicros: number;
  readonly screeningMicros: number;
}

/**
 * The most that a policy's rules can cause: each vendor is asked once, for the dearest scope that the rules read.
 * @param modelMicros what the model's requests about one address cost
 */
export function highestCost(
  { rules, icpSources }: CompiledPolicy,
  vendors: readonly Pick<EnrichmentVendor, 'prices'>[],
  modelMicros: number,
): HighestCost {
  const read = new Set<PathSource>(rules.flatMap(({ when }) => comparisonsOf(when).map(({ source }) => source)));
  if (read.has('icp')) for (const source of icpSources) read.add(source);
  const shapes: readonly EnrichmentScope[] = (['company', 'person', 'both'] as const).filter((wants) =>
    wants === 'both' ? read.has('company') && read.has('person') : read.has(wants),
  );
  const dearest = (prices: Prices): number => Math.max(0, ...shapes.map((wants) => prices[wants]));
  return {
    enrichmentMicros: vendors.reduce((sum, { prices }) => sum + dearest(prices), 0),
    screeningMicros: read.has('screening') ? modelMicros : 0,
  };
}
