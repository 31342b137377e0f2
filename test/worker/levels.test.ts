import { beforeEach, describe, expect, it } from 'vitest';
import { faded } from '../../src/domain/verification/first-state.ts';
import type { Levels } from '../../src/domain/verification/history.ts';
import { decodeAddress, decodeLevels } from '../../src/domain/verification/history-codec.ts';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { anyNews } from '../support/histories.ts';
import { type SeededRandom, seededRandom, seedOf } from '../support/seeded-random.ts';
import { captureLog, createOrganisation, holdAlarms, passTime, runAlarm } from '../support/worker.ts';

captureLog();
beforeEach(holdAlarms);
type Mine = Awaited<ReturnType<typeof createOrganisation>>;
type News = ReturnType<typeof anyNews>;

const PAGE = 40;

/** The news, page by page, as they come: `daysEach` later each. */
async function tell({ object }: Mine, news: News, daysEach = 0): Promise<void> {
  for (let from = 0; from < news.length; from += PAGE) {
    await object.restoreHistory({ learnt: news.slice(from, from + PAGE) });
    passTime(daysEach * DAY_MS);
  }
}

/** The night's pass over the history. */
async function night({ object }: Mine): Promise<void> {
  expect((await object.trimHistory({ after: null, before: 0 })).next).toBeNull();
  passTime(MINUTE_MS);
  await runAlarm(object);
  // Levels in memory reach their rows.
  passTime(MINUTE_MS);
  await runAlarm(object);
}

async function read({ object }: Mine) {
  const { addresses, domains, lists } = await object.sampleHistory({ after: null, limit: 1_000 });
  const levels = (rows: Record<string, ArrayBuffer>, count: 16 | 11) =>
    new Map(Object.entries(rows).map(([name, row]) => [name, decodeLevels(row, count)]));
  return {
    addresses: new Map(addresses.map(({ name, row }) => [name, decodeAddress(row)])),
    domain: levels(domains, 16),
    list: levels(lists, 11),
  };
}

/** Levels as of one time. */
const asOf = (kind: 'domain' | 'list', levels: Levels | null | undefined, now: number): number[] =>
  Array.from(levels?.values ?? [], (value) => value * faded(kind, now - (levels?.at ?? now)));

const shuffled = <T>(all: readonly T[], { uniform }: SeededRandom): T[] =>
  all
    .map((each) => ({ each, at: uniform() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ each }) => each);

/** What is kept of addresses, but for their parts: whether they have one. */
const factsOf = ({ addresses }: Awaited<ReturnType<typeof read>>) =>
  new Map([...addresses].map(([name, address]) => [name, { ...address, part: address?.part === null }]));

/** How far the levels of two histories are apart at most. */
function distance(one: Awaited<ReturnType<typeof read>>, other: Awaited<ReturnType<typeof read>>): number {
  const now = Date.now();
  return Math.max(
    ...(['domain', 'list'] as const).flatMap((kind) =>
      [...one[kind]].flatMap(([name, levels]) => {
        const [before, after] = [asOf(kind, levels, now), asOf(kind, other[kind].get(name), now)];
        return before.map((value, at) => Math.abs(value - (after[at] ?? Number.POSITIVE_INFINITY)));
      }),
    ),
  );
}

describe('after a night', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'a history that was lost and restored has the same levels, to .01 in log-odds: world %i',
    async (seed) => {
      const random = seededRandom(seedOf(seed, 4_711));
      const [mine, rebuilt] = [await createOrganisation(), await createOrganisation()];
      const news = anyNews(random, 150, Date.now());
      // Learnt over months, with nights between, and with addresses that were known in part when they were swept.
      await tell(mine, news.slice(0, news.length / 2), 3);
      await night(mine);
      await tell(mine, news.slice(news.length / 2), 2);
      await night(mine);
      await night(mine);
      // Restored at once. Addresses come in any order; the news of one in the order of time.
      const names = shuffled([...new Set(news.map(({ sight }) => sight.address))], random);
      await tell(
        rebuilt,
        names.flatMap((name) => news.filter(({ sight }) => sight.address === name)),
      );
      const unswept = await read(rebuilt);
      await night(rebuilt);
      const [known, restored] = [await read(mine), await read(rebuilt)];
      expect(factsOf(restored)).toEqual(factsOf(known));
      for (const kind of ['domain', 'list'] as const)
        expect([...restored[kind].keys()].toSorted()).toEqual([...known[kind].keys()].toSorted());
      expect(distance(known, restored)).toBeLessThanOrEqual(0.01);
      // Calls alone leave levels that depend on the order.
      expect(distance(known, unswept)).toBeGreaterThan(0.01);
    },
  );
});
