import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Purpose } from '../../../src/contract/vocabulary.ts';
import { BITS, filtered, placeOf } from '../../../src/domain/verification/filter.ts';
import { NO_NEIGHBOURS, offsetOf } from '../../../src/domain/verification/first-state.ts';
import {
  type AddressHistory,
  type DeliveryClass,
  DOMAIN_LEVELS,
  FEATURES,
  type KnownReport,
  type Levels,
  type LevelsAround,
  LIST_LEVELS,
  type Neighbours,
  NO_LEVELS,
  type Reach,
} from '../../../src/domain/verification/history.ts';
import { ANSWER_COUNT, DEAD, DOMAIN_STEPS, isShared, tablesAt } from '../../../src/domain/verification/host-tables.ts';
import { isRefused, levelUpdate } from '../../../src/domain/verification/level-update.ts';
import { SEEDED_MODEL as MODEL } from '../../../src/domain/verification/model.ts';
import { PROVIDER_IDS, type ProviderVerdict } from '../../../src/domain/verification/provider.ts';
import { VERDICTS } from '../../../src/domain/verification/provider-table.ts';
import { dayOf } from '../../../src/domain/verification/report-gate.ts';
import { sightingsOf } from '../../../src/domain/verification/sightings.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { addressOf, NOW } from '../../support/address-history.ts';
import { anyHost } from '../../support/any-belief.ts';

const UPDATE = levelUpdate(MODEL);
const EVERYWHERE = (): Reach => 'all';

const reportOf = (kind: DeliveryClass, at = NOW): KnownReport => ({ class: kind, at, source: 'ffff' });
const answerOf = (verdict: ProviderVerdict, at = NOW, provider: (typeof PROVIDER_IDS)[number] = 'kickbox') => ({
  provider,
  verdict,
  catch_all: null,
  at,
});

const CLASSES: readonly DeliveryClass[] = ['user_unknown', 'refused', 'full', 'soft', 'delivered', 'complaint'];
const REACHES: readonly Reach[] = ['all', 'domain', 'none'];
/** Facts of so few days that every answer still counts at the newest of them. */
const anyTime = fc.oneof(fc.constant(0), fc.nat(150)).map((days) => NOW - days * DAY_MS);
const anyLogOdds = fc.double({ min: -5, max: 5, noNaN: true });
const logOddsOf = (length: number) =>
  fc.option(fc.array(anyLogOdds, { minLength: length, maxLength: length }), { nil: null });

const anyCase = fc
  .record({
    host: anyHost,
    purpose: fc.constantFrom<Purpose>('signup', 'outbound', 'list_hygiene'),
    features: fc.subarray([...FEATURES], { maxLength: 3 }),
    answers: fc.uniqueArray(
      fc.record({
        provider: fc.constantFrom(...PROVIDER_IDS),
        verdict: fc.constantFrom(...VERDICTS),
        catch_all: fc.constant(null),
        at: anyTime,
      }),
      { selector: ({ provider }) => provider, maxLength: 3 },
    ),
    reached: fc.array(
      fc.record({
        report: fc.record({ class: fc.constantFrom(...CLASSES), at: anyTime, source: fc.constant('ffff') }),
        reach: fc.constantFrom(...REACHES),
      }),
      { maxLength: 4 },
    ),
    around: fc.record({ domain: logOddsOf(DOMAIN_LEVELS), list: logOddsOf(LIST_LEVELS) }),
    laterDays: fc.nat(500),
  })
  .filter(({ answers, reached }) => answers.length > 0 || reached.some(({ reach }) => reach !== 'none'));
type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never;

/** One way that the world may be. */
interface World {
  readonly kind: 0 | 1;
  readonly level: number;
  readonly listLevel: number;
  readonly bounces: 0 | 1;
  readonly weight: number;
}

/** All ways, by what is known before the address is seen. */
function worldsOf({ host, purpose, features, around }: Case): World[] {
  const { kinds, listShares } = tablesAt(MODEL, host);
  const raised = (values: LevelsAround['domain'], at: number): number => Math.exp(values?.[at] ?? 0);
  return BITS.flatMap((kind) =>
    Array.from({ length: DOMAIN_STEPS * LIST_LEVELS }, (_, at) => {
      const [level, listLevel] = [Math.floor(at / LIST_LEVELS), at % LIST_LEVELS];
      const { share, levelShares, logOdds } = kinds[kind];
      const offset = level === DEAD ? 0 : offsetOf(MODEL, { features, purpose });
      const bounce = 1 / (1 + Math.exp(-(logOdds[at] ?? Number.NaN) - offset));
      const ofDomain = share * (levelShares[level] ?? Number.NaN) * raised(around.domain, kind * DOMAIN_STEPS + level);
      const ofList = (listShares.get(purpose)?.[listLevel] ?? Number.NaN) * raised(around.list, listLevel);
      return BITS.map((bounces): World => {
        const weight = ofDomain * ofList * (bounces === 1 ? bounce : 1 - bounce);
        return { kind, level, listLevel, bounces, weight };
      });
    }).flat(),
  );
}

/** log P(what was seen | what `placeIn` tells of the world), from the largest down, by adding up all worlds. */
function logsBy(drawn: Case, reaches: readonly Reach[], count: number, placeIn: (world: World) => number): number[] {
  const { host, answers, reached } = drawn;
  const reports = reached.filter(({ reach }) => reaches.includes(reach)).map(({ report }) => report);
  const masses = filtered(tablesAt(MODEL, host), sightingsOf(MODEL, host, { answers, reports, proofs: [] }, NOW), null);
  const seenIf = (kind: 0 | 1, bounces: 0 | 1): number =>
    BITS.flatMap((now) => masses.slice(placeOf(kind, bounces, now), placeOf(kind, bounces, now) + ANSWER_COUNT)).reduce(
      (sum, mass) => sum + mass,
      0,
    );
  const [joint, prior] = [new Float64Array(count), new Float64Array(count)];
  for (const world of worldsOf(drawn)) {
    const at = placeIn(world);
    joint[at] = (joint[at] ?? 0) + world.weight * seenIf(world.kind, world.bounces);
    prior[at] = (prior[at] ?? 0) + world.weight;
  }
  const logs = Array.from(joint, (mass, at) => Math.log(mass / (prior[at] ?? Number.NaN)));
  const top = Math.max(...logs.filter((log) => !Number.isNaN(log)));
  return logs.map((log) => Math.max(-8, log - top));
}
const domainLogs = (drawn: Case): number[] =>
  logsBy(drawn, ['all', 'domain'], DOMAIN_LEVELS, ({ kind, level }) => kind * DOMAIN_STEPS + level);
const listLogs = (drawn: Case): number[] => logsBy(drawn, ['all'], LIST_LEVELS, ({ listLevel }) => listLevel);

function saidBy({ reached, around, laterDays, ...facts }: Case) {
  const address = addressOf({ ...facts, reports: reached.map(({ report }) => report) });
  const reachOf = (report: KnownReport): Reach => reached.find((one) => one.report === report)?.reach ?? 'none';
  const said = UPDATE.shown(address, reachOf)?.(around, newestOf({ reached, ...facts }) + laterDays * DAY_MS);
  if (said === undefined) throw new Error('an address that shows something');
  return said;
}
const newestOf = ({ reached, answers }: Pick<Case, 'reached' | 'answers'>): number =>
  Math.max(
    ...[...answers, ...reached.flatMap(({ report, reach }) => (reach === 'none' ? [] : [report]))].map(({ at }) => at),
  );

describe('what an address says of its domain and list', () => {
  it('is how likely each level makes what was seen, by adding up all that may be; it halves in 365 and 120 days', () => {
    fc.assert(
      fc.property(anyCase, (drawn) => {
        const said = saidBy(drawn);
        const halved = (days: number): number => 0.5 ** (drawn.laterDays / days);
        domainLogs(drawn).forEach((log, at) => {
          if (!Number.isNaN(log)) expect(said.domain[at]).toBeCloseTo(halved(365) * log, 9);
        });
        listLogs(drawn).forEach((log, at) => expect(said.list[at]).toBeCloseTo(halved(120) * log, 9));
      }),
    );
  });

  it('leaves that a shared domain is given up where its middle level is: such domains are never given up', () => {
    fc.assert(
      fc.property(
        anyCase.filter(({ host }) => isShared(host)),
        (drawn) => {
          const { domain } = saidBy(drawn);
          for (const kind of BITS)
            expect(domain[kind * DOMAIN_STEPS + DEAD]).toBe(domain[kind * DOMAIN_STEPS + (DEAD - 1) / 2]);
        },
      ),
    );
  });

  it('is as of its newest fact: an answer that is 180 days older says nothing beside it', () => {
    const [old, fresh] = [answerOf('undeliverable', NOW - 180 * DAY_MS, 'bouncer'), answerOf('deliverable')];
    const by = (answers: AddressHistory['answers']) =>
      UPDATE.shown(addressOf({ answers }), EVERYWHERE)?.({ domain: null, list: null }, NOW);
    expect(by([old, fresh])).toEqual(by([fresh]));
  });

  it('is nothing where neither an answer nor a report says anything', () => {
    expect(UPDATE.shown(addressOf(), EVERYWHERE)).toBeNull();
    expect(UPDATE.shown(addressOf({ reports: [reportOf('soft')] }), () => 'none')).toBeNull();
  });

  it('is its count alone where its only report reaches nothing', () => {
    const gate = { reachOf: (): Reach => 'none' };
    const address = addressOf({ reports: [reportOf('user_unknown')] });
    const { domain, list, part } = UPDATE.learn(address, NO_NEIGHBOURS, NOW, { purpose: 'outbound', at: NOW }, gate);
    expect(domain).toEqual({ ...levelsOf(DOMAIN_LEVELS), refused: 1 });
    expect(list).toEqual(levelsOf(LIST_LEVELS));
    expect(part).toMatchObject({ counted: 'refused' });
  });
});

/** Levels of which nothing is known. */
function levelsOf(count: number, change: Partial<Levels> = {}): Levels {
  return {
    values: new Float32Array(count),
    at: NOW,
    isReported: false,
    stoppedOn: null,
    refused: 0,
    delivered: 0,
    ...change,
  };
}
const learn = (address: AddressHistory, around: Neighbours, reach: Reach = 'all', purpose = address.purpose) =>
  UPDATE.learn(address, around, NOW, { purpose, at: NOW }, { reachOf: () => reach });

/** Facts of one address that move its levels. */
const NEWS: [what: string, facts: Partial<AddressHistory>][] = [
  ['a refusal', { reports: [reportOf('user_unknown')] }],
  ['a delivery', { reports: [reportOf('delivered')] }],
  ['a full mailbox', { reports: [reportOf('full')] }],
  ['an answer', { answers: [answerOf('undeliverable')] }],
];
const AROUND: Neighbours = {
  domain: levelsOf(DOMAIN_LEVELS, {
    values: Float32Array.from({ length: DOMAIN_LEVELS }, (_, at) => -at / 4),
    isReported: true,
    stoppedOn: dayOf(NOW) - 1,
    refused: 2,
    delivered: 3,
  }),
  list: levelsOf(LIST_LEVELS, {
    values: Float32Array.from({ length: LIST_LEVELS }, (_, at) => -at / 8),
    isReported: true,
  }),
};

describe('levels that an address moved', () => {
  it.each(NEWS)('are what they were once it is put in and taken out: %s', (_, facts) => {
    const { part, ...moved } = learn(addressOf(facts), AROUND);
    if (part === null) throw new Error('an address with a part');
    expect(moved).not.toEqual(AROUND);
    expectSame(UPDATE.shift(moved, part, -1, NOW), AROUND);
  });

  it.each([
    ['whose report no longer reaches them', { reports: [reportOf('full')] }],
    ['of which no fact is kept', {}],
  ])('are what they were once an address shows nothing more: one %s', (_, left) => {
    const { part, ...moved } = learn(addressOf({ reports: [reportOf('full')] }), AROUND);
    const { part: none, ...back } = learn(addressOf({ ...left, part }), moved, 'none');
    expect(none).toBeNull();
    expectSame(back, AROUND);
  });

  it('stay as they are where an address that has no part shows nothing', () => {
    expect(learn(addressOf(), AROUND)).toEqual({ ...AROUND, part: null });
    const later = NOW + 90 * DAY_MS;
    expect(UPDATE.learn(addressOf(), AROUND, later, { purpose: 'outbound', at: later }).domain).toBe(AROUND.domain);
  });

  it.each(NEWS)(
    'remember that a report has moved them, and the day of their last refused signup: after %s',
    (_, facts) => {
      const { domain, list } = learn(addressOf(facts), AROUND);
      expect(domain).toMatchObject({ isReported: true, stoppedOn: dayOf(NOW) - 1 });
      expect(list).toMatchObject({ isReported: true, stoppedOn: null });
    },
  );

  it('keep their counts, and no others, where an address is in none of them', () => {
    const { domain, list } = learn(addressOf({ answers: [answerOf('deliverable')] }), AROUND);
    for (const levels of [domain, list])
      expect(Object.keys(levels ?? {}).sort()).toEqual(Object.keys(levelsOf(1)).sort());
    expect(domain).toMatchObject({ refused: 2, delivered: 3 });
  });

  it.each<[purpose: Purpose, verdict: ProviderVerdict, stops: boolean]>([
    ['signup', 'undeliverable', true],
    ['signup', 'deliverable', false],
    ['outbound', 'undeliverable', false],
    ['list_hygiene', 'undeliverable', false],
    ['outbound', 'deliverable', false],
  ])('stop for the day after a refused signup alone: %s that is %s', (purpose, verdict, stops) => {
    const { domain } = learn(addressOf({ purpose, answers: [answerOf(verdict)] }), NO_NEIGHBOURS);
    expect(domain?.stoppedOn).toBe(stops ? dayOf(NOW) : null);
  });

  it('are not kept where no levels are: a call leaves what it is given', () => {
    expect(NO_LEVELS.learn(addressOf({ part: null }), AROUND, NOW, { purpose: 'outbound', at: NOW })).toEqual({
      ...AROUND,
      part: null,
    });
  });
});

/** As exact as parts are kept: in steps of 1/256, and sums in single precision. */
function expectSame(levels: Neighbours, others: Neighbours): void {
  for (const kind of ['domain', 'list'] as const) {
    expect({ ...levels[kind], values: [] }).toEqual({ ...others[kind], values: [] });
    levels[kind]?.values.forEach((value, at) => expect(value).toBeCloseTo(others[kind]?.values[at] ?? Number.NaN, 5));
  }
}

describe('an address is refused', () => {
  it.each<[verdicts: ProviderVerdict[], reports: DeliveryClass[], is: boolean]>([
    [[], [], false],
    [['undeliverable'], [], true],
    [['deliverable', 'undeliverable'], [], true],
    [['deliverable', 'unknown', 'catch_all', 'risky'], [], false],
    [[], ['user_unknown'], true],
    [[], ['refused', 'delivered'], true],
    [[], ['delivered', 'soft', 'full', 'complaint'], false],
    [['deliverable'], ['delivered'], false],
    [['deliverable'], ['user_unknown'], true],
    [['undeliverable'], ['delivered'], true],
  ])('where any answer or report says so: answers %j, reports %j: %s', (verdicts, reports, is) => {
    const [answers, known] = [verdicts.map((verdict) => answerOf(verdict)), reports.map((kind) => reportOf(kind))];
    expect(isRefused({ answers, reports: known })).toBe(is);
  });
});
