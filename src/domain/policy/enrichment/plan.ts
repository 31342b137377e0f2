import type { EnrichmentKind } from '../paths.ts';
import type { EnrichmentScope, EnrichmentVendor } from './vendor.ts';

export interface PlanInput {
  /** What is wanted now and not known yet; not empty. */
  readonly needs: ReadonlySet<EnrichmentKind>;
  /** What may be wanted after that; holds `needs`. */
  readonly mayNeed: ReadonlySet<EnrichmentKind>;
  /** Sources not asked yet in this request, in order of preference. */
  readonly sources: readonly Pick<EnrichmentVendor, 'id' | 'prices'>[];
  /** What the request's ceiling and the month's budget leave, in micros; below 0: no vendor is asked. */
  readonly leftMicros: number;
}

export interface PlannedCall {
  readonly source: EnrichmentVendor['id'];
  readonly wants: EnrichmentScope;
}

/**
 * The next call to make: the cheapest that brings all that is wanted, else the cheapest for a part of it; null when there is
 * none within what is left. A vendor can be asked once only, so a call takes along what may be wanted later where no other vendor
 * would be left to ask for it.
 */
export function planCall({ needs, mayNeed, sources, leftMicros }: PlanInput): PlannedCall | null {
  const later = [...mayNeed].filter((want) => !needs.has(want));
  const cheapest = (wants: EnrichmentScope) =>
    sources
      .filter(({ prices }) => prices[wants] <= leftMicros)
      .reduce<PlanInput['sources'][number] | null>(
        (best, source) => (best === null || source.prices[wants] < best.prices[wants] ? source : best),
        null,
      );

  for (const wants of shapesOf(needs)) {
    const source = cheapest(wants);
    if (source === null) continue;
    const [other] = later;
    const widens = other !== undefined && wants !== 'both' && takesAlong(source, wants, other);
    return { source: source.id, wants: widens ? 'both' : wants };
  }
  return null;

  function takesAlong(source: PlanInput['sources'][number], wants: EnrichmentScope, other: EnrichmentKind): boolean {
    if (source.prices.both > leftMicros) return false;
    const left = leftMicros - source.prices[wants];
    return !sources.some(({ id, prices }) => id !== source.id && prices[other] <= left);
  }
}

/** The ways to ask for what is wanted, the fullest first. */
function shapesOf(needs: ReadonlySet<EnrichmentKind>): readonly EnrichmentScope[] {
  const parts = (['company', 'person'] as const).filter((want) => needs.has(want));
  return parts.length === 2 ? ['both', ...parts] : parts;
}
