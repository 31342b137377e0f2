import type { Recommendations, Segments } from '../../api/schema.ts';
import { formatShare } from '../../lib/format.ts';
import { isSame } from '../../lib/same.ts';
import { segmentName } from './metric.ts';

type Evidence = Recommendations['recommendations'][number]['evidence'];

/** From this share of its addresses on, a segment is mostly another one. */
const MOST = 0.5;

/** Whether segments of these two dimensions are counted together. Those that few addresses have in common are left out. */
const isPair = (key: Evidence['segment']): boolean =>
  Object.keys(key).length === 2 && !Object.keys(key).some((dimension) => dimension.startsWith('attributes.'));

const countOf = (key: Evidence['segment'], { segments, too_few: few }: Segments): number | undefined =>
  [...segments, ...few].find((each) => isSame(each.key, key))?.exposures;

/**
 * Which shares of either segment's addresses are the other's too; null: the counts do not tell. Recommendations count fewer addresses
 * than segments do, so all of it comes from the segments.
 */
function sharesOf(
  one: Evidence,
  other: Evidence,
  counted: Segments,
): { readonly own: number; readonly others: number } | null {
  const both = { ...one.segment, ...other.segment };
  const isDisjoint = Object.entries(one.segment).some(([dimension, value]) => both[dimension] !== value);
  if (isDisjoint) return { own: 0, others: 0 };
  const [own, others] = [one.segment, other.segment].map((key) => countOf(key, counted));
  const shared = countOf(both, counted) ?? (isPair(both) ? 0 : undefined);
  return shared !== undefined && own && others ? { own: shared / own, others: shared / others } : null;
}

/** Whether a segment has mostly the addresses of another one, as far as the counts tell. */
export const isMostly = (own: Evidence, other: Evidence, counted: Segments): boolean =>
  (sharesOf(own, other, counted)?.own ?? 0) >= MOST;

/** That a segment has mostly the addresses of another one, whose gain is then the same; null: it does not look so. */
export function overlapText(own: Evidence, other: Evidence, counted: Segments): string | null {
  const shares = sharesOf(own, other, counted);
  const name = `“${segmentName(other.segment)}”`;
  if (shares === null)
    return own.exposures === other.exposures && own.events === other.events
      ? `Probably the same addresses as ${name}.`
      : null;
  if (shares.own >= MOST) return `${formatShare(shares.own)} of these addresses are also in ${name}.`;
  if (shares.others >= MOST) return `Includes ${formatShare(shares.others)} of ${name}.`;
  return null;
}
