import type { Recommendations, Segments } from '../../api/schema.ts';
import { formatCount } from '../../lib/format.ts';
import { isSame } from '../../lib/same.ts';
import { segmentName } from './metric.ts';

type Evidence = Recommendations['recommendations'][number]['evidence'];

/** From this share of its addresses on, a segment is mostly another one. */
const MOST = 0.5;

/** How many addresses belong to both, as the segments count them; null: they do not tell. */
function sharedBy(one: Evidence, other: Evidence, { segments, too_few: few }: Segments): number | null {
  const both = { ...one.segment, ...other.segment };
  const isDisjoint = Object.entries(one.segment).some(([dimension, value]) => both[dimension] !== value);
  if (isDisjoint) return 0;
  return [...segments, ...few].find(({ key }) => isSame(key, both))?.exposures ?? null;
}

/** That a segment has mostly the addresses of another one, whose gain is then the same; null: it does not look so. */
export function overlapText(own: Evidence, other: Evidence, counted: Segments): string | null {
  const shared = sharedBy(own, other, counted);
  const name = `“${segmentName(other.segment)}”`;
  if (shared === null)
    return own.exposures === other.exposures && own.events === other.events
      ? `It has as many addresses and events as ${name}: probably they are the same ones. Count the gain once.`
      : null;
  if (shared >= own.exposures * MOST)
    return `Mostly the same addresses as ${name}: ${formatCount(shared)} are in both. Count the gain once.`;
  if (shared >= other.exposures * MOST)
    return `It has most of the addresses of ${name}: ${formatCount(shared)} are in both. Their gains do not add up.`;
  return null;
}
