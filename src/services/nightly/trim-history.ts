import { DAY_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { askObject, type HistorySlice, type TrimmedHistory } from '../../organisation/api.ts';
import type { BackgroundDeps } from '../deps.ts';

/** Addresses of which an organisation keeps a history: about 150 MB of its object. */
const ADDRESSES_MAX = 1_000_000;

/** Removes the addresses that nothing new was learnt of for so long; of too many, those whose newest is oldest. */
export async function trimHistory(
  { objects }: Pick<BackgroundDeps, 'objects'>,
  id: Id<'org'>,
  runAt: number,
  keptMs: number,
  most: number = ADDRESSES_MAX,
): Promise<object> {
  const days = await trim(objects, id, { ...NOTHING, before: runAt - keptMs });
  const addresses = sum(days);
  if (addresses <= most) return { addresses };
  const left = await trim(objects, id, oldest(days, addresses - most));
  return { addresses: sum(left), over: addresses - most };
}

const sum = (days: ReadonlyMap<number, number>): number =>
  [...days.values()].reduce((total, count) => total + count, 0);

type Removed = Pick<HistorySlice, 'before' | 'keep'>;

const NOTHING: Removed = { before: 0, keep: Number.POSITIVE_INFINITY };

/** So many addresses: all of the oldest days, and what is missing then of the next. */
function oldest(days: ReadonlyMap<number, number>, surplus: number): Removed {
  let left = surplus;
  for (const [day, count] of [...days].toSorted(([one], [other]) => one - other)) {
    if (count >= left) return { before: day * DAY_MS, keep: count - left };
    left -= count;
  }
  return NOTHING;
}

/** Slice by slice, so that requests of the organisation run between. How many addresses are left of each day. */
async function trim(
  objects: BackgroundDeps['objects'],
  id: Id<'org'>,
  { before, keep }: Removed,
): Promise<ReadonlyMap<number, number>> {
  const days = new Map<number, number>();
  let slice: HistorySlice | null = { after: null, before, keep };
  while (slice !== null) {
    const trimmed: TrimmedHistory = await askObject(objects, id).trimHistory(slice);
    for (const [day, count] of Object.entries(trimmed.days))
      days.set(Number(day), (days.get(Number(day)) ?? 0) + count);
    slice = trimmed.next === null ? null : { after: trimmed.next, before, keep: trimmed.keep };
  }
  return days;
}
