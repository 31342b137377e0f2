import type { Segments } from '../../contract/insights.ts';
import { type Count, fitPrior, rateOf, shownRate } from './rate.ts';

/** A segment's key maps dimensions to values; `{}` is everybody. */
export type SegmentKey = Readonly<Record<string, string | number | boolean>>;

export interface CellCount extends Count {
  readonly key: SegmentKey;
}

/** A segment with fewer exposures is shown without a rate. */
const RATED_FROM = 30;

/** A key's parts in a fixed order, so that equal keys give equal texts. */
export const keyEntries = (key: SegmentKey): [dimension: string, value: SegmentKey[string]][] =>
  Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1));

/** A key's dimension or pair of dimensions. */
const dimensionsOf = (key: SegmentKey): string => Object.keys(key).sort().join(' ');

/** Cells by their dimensions, without the cell of everybody. */
export function byDimension<C extends { readonly key: SegmentKey }>(cells: readonly C[]): ReadonlyMap<string, C[]> {
  const grouped = new Map<string, C[]>();
  for (const cell of cells) {
    const dimensions = dimensionsOf(cell.key);
    if (dimensions === '') continue;
    const group = grouped.get(dimensions);
    if (group === undefined) grouped.set(dimensions, [cell]);
    else group.push(cell);
  }
  return grouped;
}

export const everybody = <C extends { readonly key: SegmentKey }>(cells: readonly C[]): C | undefined =>
  cells.find(({ key }) => dimensionsOf(key) === '');

/** Every segment with its rate; segments with too few exposures are listed apart. */
export function rateSegments(cells: readonly CellCount[]): Pick<Segments, 'segments' | 'too_few'> {
  const overall = everybody(cells) ?? { exposures: 0, events: 0 };
  const [segments, tooFew]: [Segments['segments'], Segments['too_few']] = [[], []];
  for (const group of byDimension(cells).values()) {
    const prior = fitPrior(overall, group);
    for (const { key, exposures, events } of group) {
      if (exposures < RATED_FROM) {
        tooFew.push({ key, exposures });
        continue;
      }
      segments.push({ key, exposures, events, ...shownRate(rateOf({ exposures, events }, prior)) });
    }
  }
  return { segments, too_few: tooFew };
}
