import { describe, expect, it } from 'vitest';
import { withAcceptsAllLevel } from '../../../src/domain/calibration/accepts-all-level.ts';
import { documentOf, modelFrom } from '../../../src/domain/calibration/model-document.ts';
import {
  type FitRow,
  firstOf,
  likelihoodsOf,
  type PreparedRow,
  prepared,
} from '../../../src/domain/calibration/row-counts.ts';
import { filtered, firstWeights } from '../../../src/domain/verification/filter.ts';
import {
  type FirstState,
  firstState,
  NO_NEIGHBOURS,
  strangerState,
} from '../../../src/domain/verification/first-state.ts';
import type { DeliveryClass, Neighbours } from '../../../src/domain/verification/history.ts';
import type { HostClass } from '../../../src/domain/verification/host-class.ts';
import { tablesAt } from '../../../src/domain/verification/host-tables.ts';
import { levelUpdate } from '../../../src/domain/verification/level-update.ts';
import { type Model, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import type { ProviderVerdict } from '../../../src/domain/verification/provider.ts';
import { sightingsOf } from '../../../src/domain/verification/sightings.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { hashOf } from '../../support/histories.ts';
import { START_MS } from '../../support/records.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const NOW = START_MS + DAY_MS;

/** Mailed addresses at so many companies: what two providers say of each, and how often mail to it bounced. */
function mailed(
  count: number,
  verdict: ProviderVerdict,
  rate: number,
  { host = 'google_business', domains = count }: { readonly host?: HostClass; readonly domains?: number } = {},
): FitRow[] {
  const random = seededRandom(count + Math.round(1_000 * rate));
  return Array.from({ length: count }, (_, at) => ({
    fold: 0,
    address: {
      firstSeenAt: START_MS,
      host,
      features: [],
      purpose: 'outbound',
      domain: hashOf(`${verdict} ${at % domains}`),
      list: null,
      answers: (['kickbox', 'bouncer'] as const).map((provider) => ({
        provider,
        verdict,
        catch_all: verdict === 'catch_all',
        at: START_MS,
      })),
      reports: [{ class: random.uniform() < rate ? 'user_unknown' : 'delivered', at: START_MS, source: 'ffff' }],
      proofs: [],
      part: null,
    },
    around: { domain: null, list: null },
  }));
}
const levelled = (rows: readonly FitRow[]): Model => withAcceptsAllLevel(SEEDED_MODEL, prepared(rows, NOW));
const levelOf = (rows: readonly FitRow[]): number => levelled(rows).history.acceptsAllLevel;

/** Share of mail to companies' catch-alls that bounces by the table, of addresses that somebody mailed. */
const TABLE_RATE = tablesAt(SEEDED_MODEL, 'google_business').kinds[1].bounceRate;

const [accepted] = prepared(mailed(1, 'catch_all', 0), NOW) as [PreparedRow];
/** A catch-all at a company of its own, with reports that all count. */
const catchAll = (name: string, ...classes: readonly DeliveryClass[]): PreparedRow => ({
  ...accepted,
  address: {
    ...accepted.address,
    domain: hashOf(name),
    reports: classes.map((kind) => ({ class: kind, at: START_MS, source: 'ffff' })),
  },
});
const BOUNCED = catchAll('bounced', 'user_unknown');
const LANDED = catchAll('landed', 'delivered');

/** ln P(what was seen of the address), where addresses of catch-alls bounce at first as the level says, and by this step more often. */
function likelihoodBy(level: number, row: PreparedRow, step: number): number {
  const model = { ...SEEDED_MODEL, history: { ...SEEDED_MODEL.history, acceptsAllLevel: level } };
  const { host } = row.address;
  const first = firstOf(model, row);
  const odds = (first.deadAcceptsAll / (1 - first.deadAcceptsAll)) * Math.exp(step);
  const weights = firstWeights({ ...first, deadAcceptsAll: odds / (1 + odds) });
  const likely = likelihoodsOf(filtered(tablesAt(model, host), sightingsOf(model, host, row.address, row.now), null));
  return Math.log(likely.reduce((sum, each, state) => sum + each * (weights[state] ?? 0), 0));
}
/** How much likelier a small step makes so many that bounced and landed, by a Cauchy prior of .2 around the table's level. */
function slopeBy(level: number, bounced: number, landed: number): number {
  const STEP = 1e-4;
  const of = (row: PreparedRow): number =>
    (likelihoodBy(level, row, STEP) - likelihoodBy(level, row, -STEP)) / (2 * STEP);
  const prior = (at: number): number => -Math.log(1 + (at / 0.2) ** 2);
  return bounced * of(BOUNCED) + landed * of(LANDED) + (prior(level + STEP) - prior(level - STEP)) / (2 * STEP);
}

describe('where an account’s catch-alls lie', () => {
  it.each<[string, FitRow[]]>([
    ['nothing was mailed', []],
    ['catch-alls bounce as the table says', mailed(400, 'catch_all', TABLE_RATE)],
    ['only domains that tell mailboxes apart bounce more', mailed(400, 'deliverable', 0.2)],
    ['only a consumer host that accepts everything does', mailed(400, 'catch_all', 0.3, { host: 'unknown_consumer' })],
    ['one in five of ten bounced', mailed(10, 'catch_all', 0.2)],
    ['a single company’s bounce, however often', mailed(400, 'catch_all', 0.3, { domains: 1 })],
    ['its only source reports more refusals than anybody has', mailed(400, 'catch_all', 0.6)],
  ])('is where the table’s do where %s', (_, rows) => {
    expect(levelled(rows)).toBe(SEEDED_MODEL);
  });

  it('is found from reports about some companies, holds for all of them, and says fitted', () => {
    const model = levelled([...mailed(400, 'catch_all', 0.3), ...mailed(200, 'deliverable', 0.01)]);
    expect(model.calibration).toBe('fitted');
    for (const host of ['microsoft_business', 'google_business'] as const) {
      const [table, found] = [SEEDED_MODEL, model].map((each) => strangerState(each, host, null, NOW)) as [
        FirstState,
        FirstState,
      ];
      expect(found.deadAcceptsAll).toBeGreaterThan(1.5 * table.deadAcceptsAll);
      expect(found.deadStrict).toBe(table.deadStrict);
    }
    const [consumer, table] = [model, SEEDED_MODEL].map((each) => strangerState(each, 'google_consumer', null, NOW));
    expect(consumer).toEqual(table);
  });

  it('leaves a company that is well known where its own reports have it', () => {
    const rows = mailed(40, 'catch_all', 0.3, { domains: 1 });
    let around: Neighbours = NO_NEIGHBOURS;
    for (const { address } of rows)
      around = {
        ...levelUpdate(SEEDED_MODEL).learn(address, around, NOW, { purpose: 'outbound', at: START_MS }),
        list: null,
      };
    const input = {
      host: 'google_business',
      features: [],
      purpose: null,
      acceptsAllOdds: 1,
      around,
      now: NOW,
    } as const;
    const [table, moved] = [0, 1.2].map((acceptsAllLevel) => {
      const history = { ...SEEDED_MODEL.history, acceptsAllLevel };
      return firstState({ ...SEEDED_MODEL, history }, { ...input, own: null, isOwnList: false }).deadAcceptsAll;
    }) as [number, number];
    expect(table).toBeGreaterThan(0.2);
    expect(Math.abs(moved - table)).toBeLessThan(0.05);
  });

  it('rises with how often they bounce, and falls below the table where they never do', () => {
    const [never, more, most] = [0, 0.2, 0.3].map((rate) => levelOf(mailed(600, 'catch_all', rate)));
    expect(never).toBeLessThan(-0.5);
    expect(more).toBeGreaterThan(0.2);
    expect(most).toBeGreaterThan((more ?? 0) + 0.2);
  });

  const levelBy = (bounced: number, landed: number): number =>
    withAcceptsAllLevel(SEEDED_MODEL, [
      ...Array.from({ length: bounced }, (_, at) => catchAll(`bounced ${at}`, 'user_unknown')),
      ...Array.from({ length: landed }, (_, at) => catchAll(`landed ${at}`, 'delivered')),
    ]).history.acceptsAllLevel;

  it.each([
    [3, 200],
    [12, 200],
    [25, 100],
    [40, 100],
    [40, 60],
  ])(
    'is the level from which %d bounced and %d landed lead no further, as near as a thirty-second',
    (bounced, landed) => {
      const level = levelBy(bounced, landed);
      const sign = Math.sign(level);
      expect(sign).not.toBe(0);
      expect(sign * slopeBy(level, bounced, landed)).toBeGreaterThan(0);
      expect(sign * slopeBy(level + sign / 32, bounced, landed)).toBeLessThan(0);
    },
  );

  it.each([
    [0, 30],
    [20, 150],
  ])('is the table’s where %d bounced and %d landed do not lead .2 away from it', (bounced, landed) => {
    expect(levelBy(bounced, landed)).toBe(0);
    expect(slopeBy(0.2, bounced, landed)).toBeLessThan(0);
    expect(slopeBy(-0.2, bounced, landed)).toBeGreaterThan(0);
  });

  it.each([
    [0, 400],
    [300, 0],
  ])('ends at 3.2 where %d bounced and %d landed, which lead further', (bounced, landed) => {
    const far = Math.abs(levelBy(bounced, landed));
    expect(far).toBeLessThanOrEqual(3.2);
    expect(far).toBeGreaterThan(3.1);
  });

  it('is of mailed addresses, however many others of their companies are read before them', () => {
    const of = (...classes: readonly DeliveryClass[]) =>
      Array.from({ length: 40 }, (_, at) => catchAll(`company ${at}`, ...classes));
    const [unmailed, bounced] = [of(), of('user_unknown')];
    const before = Array.from({ length: 5 }, () => unmailed).flat();
    expect(withAcceptsAllLevel(SEEDED_MODEL, before)).toBe(SEEDED_MODEL);
    expect(withAcceptsAllLevel(SEEDED_MODEL, [...before, ...bounced]).history.acceptsAllLevel).toBeGreaterThan(1);
  });

  it('is read back from a stored model', () => {
    const model = levelled(mailed(400, 'catch_all', 0.3));
    expect(modelFrom(JSON.parse(JSON.stringify(documentOf(model))))).toEqual(model);
  });
});

describe('domains that are given up', () => {
  it('are fewer where the account’s strangers bounce far less, and as many as ever where they bounce more', () => {
    const shareAt = (listLevel: number): number =>
      tablesAt({ ...SEEDED_MODEL, history: { ...SEEDED_MODEL.history, listLevel } }, 'google_business').kinds[0]
        .levelShares[7] ?? 0;
    expect(shareAt(-3)).toBeLessThan(shareAt(0) / 4);
    expect(shareAt(2)).toBe(shareAt(0));
  });
});
