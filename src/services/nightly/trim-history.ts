import { DAY_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import type { BackgroundDeps } from '../deps.ts';

/** Addresses of which an organisation keeps a history: about 150 MB of its object. */
const ADDRESSES_MAX = 1_000_000;

/**
 * Removes the addresses that nothing new was learnt of for so long. Of an organisation with too many, those go whose newest is
 * oldest, by whole days.
 */
export async function trimHistory(
  { objects }: Pick<BackgroundDeps, 'objects'>,
  id: Id<'org'>,
  runAt: number,
  keptMs: number,
  most: number = ADDRESSES_MAX,
): Promise<object> {
  const days = await trimBefore(objects, id, runAt - keptMs);
  const addresses = [...days.values()].reduce((sum, count) => sum + count, 0);
  if (addresses <= most) return { addresses };
  const left = await trimBefore(objects, id, cutOff(days, addresses - most));
  return { addresses: [...left.values()].reduce((sum, count) => sum + count, 0), over: addresses - most };
}

/** The time before which at least so many addresses had their newest. */
function cutOff(days: ReadonlyMap<number, number>, surplus: number): number {
  let gone = 0;
  for (const [day, count] of [...days].toSorted(([one], [other]) => one - other)) {
    gone += count;
    if (gone >= surplus) return (day + 1) * DAY_MS;
  }
  return 0;
}

/** Slice by slice, so that requests of the organisation run between. How many addresses are left of each day. */
async function trimBefore(
  objects: BackgroundDeps['objects'],
  id: Id<'org'>,
  before: number,
): Promise<ReadonlyMap<number, number>> {
  const days = new Map<number, number>();
  for (let after: string | null | undefined = null; after !== undefined;) {
    const asked = askObject(objects, id).trimHistory({ after, before });
    const slice: Awaited<typeof asked> = await asked;
    for (const [day, count] of Object.entries(slice.days)) days.set(Number(day), (days.get(Number(day)) ?? 0) + count);
    after = slice.next ?? undefined;
  }
  return days;
}
