import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Purpose } from '../../../src/contract/vocabulary.ts';
import type { KnownAnswer } from '../../../src/domain/belief/facts.ts';
import { MODEL } from '../../../src/domain/belief/model.ts';
import { PROVIDER_IDS, type ProviderId, type ProviderVerdict } from '../../../src/domain/belief/provider.ts';
import { VERDICTS } from '../../../src/domain/belief/provider-table.ts';
import { type RouteInput, type RouteStep, costLeft, route, settledBy } from '../../../src/domain/router/router.ts';
import type { Askable } from '../../../src/domain/router/provider-health.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { inputOf } from '../../support/any-belief.ts';
import { baselineWith } from '../../support/beliefs.ts';
import { askable, HOSTS, INPUT, PLENTY, stakesFor } from './route-input.ts';

const PURPOSES: readonly Purpose[] = ['outbound', 'signup', 'list_hygiene'];

const anyHealth = fc.record({
  typicalMs: fc.nat(8_000),
  latencyMs: fc.nat(8_000),
  failureRate: fc.double({ min: 0, max: 1, noNaN: true }),
  open: fc.boolean(),
});
const anyAskable = fc
  .record({
    id: fc.constantFrom(...PROVIDER_IDS),
    priceMicros: fc.nat(15_000),
    billsUnknown: fc.boolean(),
    health: anyHealth,
  })
  .map((one): Askable => one);
const anyAskables = fc.uniqueArray(anyAskable, { selector: ({ id }) => id, maxLength: PROVIDER_IDS.length });
const anyAnswers = fc.uniqueArray(
  fc.record({ provider: fc.constantFrom(...PROVIDER_IDS), verdict: fc.constantFrom(...VERDICTS) }),
  { selector: ({ provider }) => provider, maxLength: 4 },
);
const anyInput: fc.Arbitrary<RouteInput> = fc
  .record({
    host: fc.constantFrom(...HOSTS),
    stakes: fc.constantFrom(...PURPOSES).map(stakesFor),
    answers: anyAnswers,
    ageMs: fc.nat(30 * 86_400_000),
    told: fc.double({ min: -4, max: 4, noNaN: true }),
    isFile: fc.boolean(),
    warning: fc.constantFrom(null, 'spam_trap'),
    providers: anyAskables,
    left: fc.record({ costMicros: fc.integer({ min: -1, max: 30_000 }), timeMs: fc.nat(10_000) }),
  })
  .map(({ host, answers, ageMs, told, ...drawn }) => ({
    ...baselineWith(MODEL, host, answers, told),
    isCatchAll: false,
    isRuled: false,
    ...drawn,
    now: ageMs,
    asked: new Set(answers.map(({ provider }) => provider)),
  }));

const bestOf = ({ stop_value_usd, candidates }: RouteStep): number =>
  Math.min(stop_value_usd, ...candidates.map(({ value_usd }) => value_usd));

/** The value of the best provider. An unsettled row of a file asks one provider whatever it costs. */
const leastOf = ({ candidates }: RouteStep): number => Math.min(...candidates.map(({ value_usd }) => value_usd));
const isFirstOfFile = ({ isFile, asked }: RouteInput): boolean => isFile && asked.size === 0;

/** Values are shown to a millionth of a dollar. */
const SHOWN = 1.5e-6;

describe('the choice', () => {
  it('is the least value of the step, and stopping when nothing is less', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const step = route(input);
        const chosen = step.candidates.find(({ provider }) => provider === step.choice);
        const least = isFirstOfFile(input) && chosen ? leastOf(step) : bestOf(step);
        expect(chosen?.value_usd ?? step.stop_value_usd).toBeLessThanOrEqual(least + SHOWN);
        expect(chosen === undefined).toBe(step.choice === 'stop');
      }),
    );
  });

  it('is stopping on a tie: a provider that always fails gains nothing, even for nothing', () => {
    const providers = [askable('kickbox', 0, { failureRate: 1 }), askable('bouncer', 0, { failureRate: 1 })];
    const { choice, stop_value_usd, candidates } = route({ ...INPUT, providers });
    expect(candidates.map(({ value_usd }) => value_usd)).toEqual([stop_value_usd, stop_value_usd]);
    expect(choice).toBe('stop');
  });

  it('is one provider a time, each named once with what speaks for or against it', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { candidates, excluded } = route(input);
        const named = [...candidates, ...excluded].map(({ provider }) => provider);
        expect(named.sort()).toEqual(input.providers.map(({ id }) => id).sort());
      }),
    );
  });

  it('does not depend on the order of the answers, and is replayed from what the step was made of', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const step = route(input);
        const kept = JSON.parse(JSON.stringify({ ...input, asked: [...input.asked] })) as RouteInput;
        expect(route({ ...kept, asked: new Set(kept.asked) })).toEqual(step);
        expect(JSON.parse(JSON.stringify(step))).toEqual(step);
        const turned = route({ ...input, answers: [...input.answers].reverse() });
        expect(bestOf(turned)).toBeCloseTo(bestOf(step), 5);
      }),
    );
  });

  it('asks an informative provider that costs neither money nor time', () => {
    // Behind Barracuda nearly every server accepts everything.
    for (const host of HOSTS.filter((one) => one !== 'barracuda_business')) {
      for (const purpose of PURPOSES) {
        expect(
          route({ ...INPUT, host, stakes: stakesFor(purpose), providers: [askable('zerobounce', 0)] }).choice,
        ).toBe('zerobounce');
      }
    }
  });

  it('stops where no answer could save what it costs', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const step = route({ ...input, left: PLENTY });
        for (const { cost_usd, value_usd } of step.candidates)
          expect(value_usd).toBeGreaterThanOrEqual(cost_usd - SHOWN);
        const worth = step.candidates.some(({ cost_usd }) => cost_usd < step.stop_value_usd + SHOWN);
        if (!worth && !isFirstOfFile(input)) expect(step.choice).toBe('stop');
      }),
    );
  });

  it('never asks a provider that always fails and may be billed', () => {
    fc.assert(
      fc.property(anyInput, fc.integer({ min: 100, max: 9_000 }), (input, priceMicros) => {
        const dead = askable('kickbox', priceMicros, { failureRate: 1 });
        const providers = [...input.providers.filter(({ id }) => id !== 'kickbox'), dead];
        expect(route({ ...input, isFile: false, providers }).choice).not.toBe('kickbox');
      }),
    );
  });

  it('is worth no less the less often a provider fails', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...HOSTS),
        fc.constantFrom(...PURPOSES),
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        (host, purpose, failureRate) => {
          const value = (rate: number) =>
            route({
              ...INPUT,
              host,
              stakes: stakesFor(purpose),
              providers: [askable('bouncer', 4_500, { failureRate: rate })],
            }).candidates[0]?.value_usd ?? 0;
          expect(value(failureRate)).toBeLessThanOrEqual(value(failureRate + 0.1) + SHOWN);
        },
      ),
    );
  });

  it('looks two steps ahead: another provider to ask afterwards never makes one worth less', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const together = route(input);
        for (const provider of input.providers) {
          const alone = route({ ...input, providers: [provider] }).candidates[0];
          const among = together.candidates.find((one) => one.provider === provider.id);
          if (alone && among) expect(among.value_usd).toBeLessThanOrEqual(alone.value_usd + SHOWN);
        }
      }),
    );
  });

  it('asks a second opinion that neither of two providers alone would be worth', () => {
    const price = (micros: number) => [askable('kickbox', micros), askable('bouncer', micros)];
    const gains = [2_000, 4_000, 6_000, 8_000].map((micros) => {
      const both = bestOf(route({ ...INPUT, providers: price(micros) }));
      const one = bestOf(route({ ...INPUT, providers: price(micros).slice(0, 1) }));
      return one - both;
    });
    expect(Math.max(...gains)).toBeGreaterThan(0.0005);
  });

  it('counts a price as it is, however little the account has reported', () => {
    const provider = askable('bouncer', 4_000, { typicalMs: 1_000, latencyMs: 1_000 });
    expect(route({ ...INPUT, providers: [provider] }).candidates[0]?.cost_usd).toBeCloseTo(0.004 + 0.0001, 6);
  });

  it('counts an `unknown` that is free as free', () => {
    const cost = (billsUnknown: boolean) =>
      route({ ...INPUT, providers: [{ ...askable('emailable', 6_000), billsUnknown }] }).candidates[0]?.cost_usd ?? 0;
    expect(cost(true)).toBeCloseTo(0.006, 6);
    // 6 in 100 servers at Google Workspace give no answer, and .7 + .3 × .285 of those are left unknown; of the others 12 in 100.
    expect(cost(false)).toBeCloseTo(0.006 * (1 - (0.06 * 0.7855 + 0.94 * 0.12)), 6);
  });

  it('counts a call that fails as billed, whatever the vendor gives for nothing', () => {
    const cost = (failureRate: number) =>
      route({ ...INPUT, providers: [askable('emailable', 6_000, { failureRate })] }).candidates[0]?.cost_usd ?? 0;
    expect(cost(1)).toBeCloseTo(0.006, 6);
    expect(cost(0.5)).toBeCloseTo((cost(0) + cost(1)) / 2, 6);
  });

  it('counts a second of waiting most where a visitor waits, and never for more than the cheapest check', () => {
    const second = (purpose: Purpose) =>
      route({ ...INPUT, stakes: stakesFor(purpose), providers: [askable('bouncer', 0, { latencyMs: 1_000 })] })
        .candidates[0]?.cost_usd ?? 0;
    expect(second('signup')).toBeGreaterThan(second('outbound'));
    expect(second('outbound')).toBeGreaterThan(second('list_hygiene'));
    expect(second('signup')).toBeLessThan(0.0045);
  });

  it('asks again once what was said is old', () => {
    const step = (days: number) =>
      route({
        ...INPUT,
        ...inputOf({ answers: [{ provider: 'zerobounce', verdict: 'deliverable', at: 0 }], now: days * DAY_MS }),
        providers: [askable('bouncer', 4_500)],
      });
    expect(step(0).choice).toBe('stop');
    expect(step(170).choice).toBe('bouncer');
    expect(step(30).probability - step(0).probability).toBeGreaterThan(0.01);
  });

  // Free Reacher comes first, then the cheapest informative provider; a clear answer ends the route.
  it.each([
    [[], 'reacher'],
    [[{ provider: 'reacher', verdict: 'deliverable' }], 'stop'],
    [[{ provider: 'reacher', verdict: 'catch_all' }], 'stop'],
    [[{ provider: 'reacher', verdict: 'undeliverable' }], 'neverbounce'],
    [[{ provider: 'reacher', verdict: 'unknown' }], 'neverbounce'],
  ] as const)('after %j at Google Workspace is %s', (answers, choice) => {
    const priced = { zerobounce: 12_900, neverbounce: 5_000, kickbox: 7_000, emailable: 6_000, bouncer: 4_500 };
    const providers = Object.entries({ ...priced, hunter: 7_500, reacher: 0 }).map(([id, micros]) =>
      askable(id as ProviderId, micros, { typicalMs: 500, latencyMs: 1_500, failureRate: 0.02 }),
    );
    const asked = new Set<ProviderId>(answers.map(({ provider }) => provider));
    const input = { ...INPUT, ...inputOf({ answers: answers.map((answer) => ({ ...answer, at: 0 })) }) };
    expect(route({ ...input, asked, providers }).choice).toBe(choice);
  });
});

describe('the ceilings', () => {
  it('keep out whatever does not fit, is asked already, or has its circuit open', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { candidates, excluded } = route(input);
        for (const { provider } of candidates) {
          const one = input.providers.find(({ id }) => id === provider);
          expect(one?.priceMicros).toBeLessThanOrEqual(input.left.costMicros);
          expect(one?.health.typicalMs).toBeLessThanOrEqual(input.left.timeMs);
          expect(one?.health.open).toBe(false);
          expect(input.asked.has(provider)).toBe(false);
        }
        if (input.left.costMicros < 0) expect(excluded).toHaveLength(input.providers.length);
      }),
    );
  });

  it('let the last step be asked that still fits, and no two that do not fit together', () => {
    const providers = [askable('kickbox', 2_000), askable('bouncer', 2_000)];
    const value = (costMicros: number) =>
      route({ ...INPUT, providers, left: { costMicros, timeMs: 1 } }).candidates[0]?.value_usd ?? 0;
    expect(value(4_000)).toBeLessThan(value(3_999));
    expect(value(3_999)).toBe(value(2_000));
  });

  it('count the time of both steps', () => {
    const providers = [askable('kickbox', 2_000, { typicalMs: 500 }), askable('bouncer', 2_000, { typicalMs: 500 })];
    const value = (timeMs: number) =>
      route({ ...INPUT, providers, left: { costMicros: 1_000_000, timeMs } }).candidates[0]?.value_usd ?? 0;
    expect(value(1_000)).toBeLessThan(value(999));
    expect(value(999)).toBe(value(500));
  });

  it.each([
    [0, -1, 'nothing is asked, not even for nothing'],
    [0.02, 20_000, 'the default'],
    [0.0129, 12_900, 'a price in dollars, to the micro'],
    [0.00435, 4_350, 'no cent is lost to binary fractions'],
    [0.000_001_9, 1, 'what is not a whole micro does not count'],
    [1e300, Number.MAX_SAFE_INTEGER, 'huge'],
  ])('of $%d is %d micros: %s', (ceiling, left) => {
    expect(costLeft(ceiling, [])).toBe(left);
  });
});

const NOW = 1_000 * DAY_MS;
const answered = (verdict: ProviderVerdict, ageMs: number, provider: ProviderId = 'kickbox'): KnownAnswer => ({
  provider,
  verdict,
  at: NOW - ageMs,
});

describe('a row of a file', () => {
  const row = (change: Partial<RouteInput> = {}): RouteInput => ({
    ...INPUT,
    ...inputOf({ purpose: 'list_hygiene', now: NOW }),
    stakes: stakesFor('list_hygiene'),
    isFile: true,
    providers: [askable('kickbox', 900_000), askable('bouncer', 950_000)],
    ...change,
  });

  it.each<[what: string, by: ReturnType<typeof settledBy>, change: Partial<RouteInput>]>([
    ['a stranger', null, {}],
    ['one that a rule of the account names', 'rule', { isRuled: true }],
    [
      'an own user-unknown with no delivery since',
      'recent',
      { reports: [{ class: 'user_unknown', at: NOW - 200 * DAY_MS }] },
    ],
    [
      '… with one since, months ago',
      null,
      {
        reports: [
          { class: 'user_unknown', at: NOW - 250 * DAY_MS },
          { class: 'delivered', at: NOW - 200 * DAY_MS },
        ],
      },
    ],
    ['a delivery of this week', 'recent', { reports: [{ class: 'delivered', at: NOW - DAY_MS }] }],
    ['a proof that leaves next to no risk', 'recent', { proofs: [{ class: 'confirmed', at: NOW - DAY_MS }] }],
    ['a proof of long ago', null, { proofs: [{ class: 'paid', at: NOW - 290 * DAY_MS }] }],
    ['an answer of 29 days', 'recent', { answers: [answered('undeliverable', 29 * DAY_MS)] }],
    ['an answer of 30 days', null, { answers: [answered('undeliverable', 30 * DAY_MS)] }],
    ['one that a provider could not tell', null, { answers: [answered('unknown', DAY_MS)] }],
    ['one at a domain known to accept every recipient', 'catch_all', { isCatchAll: true }],
  ])('is settled by what it is: %s', (_, by, change) => {
    expect(settledBy(row(change))).toBe(by);
  });

  it('is asked about once when nothing settles it, whatever that costs and at every host', () => {
    for (const host of HOSTS) {
      const first = row(inputOf({ host, purpose: 'list_hygiene', now: NOW }));
      expect(route(first).choice).not.toBe('stop');
      expect(route({ ...first, asked: new Set(['kickbox']), answers: [answered('catch_all', 0)] }).choice).toBe('stop');
    }
  });

  it('is asked about by nobody when it is settled, even for nothing', () => {
    const step = route(row({ isCatchAll: true, providers: [askable('kickbox', 0)] }));
    expect(step).toMatchObject({ choice: 'stop', excluded: [{ provider: 'kickbox', why: 'settled' }] });
  });

  it('is asked about within the ceilings, the budget and who is well', () => {
    expect(route(row({ left: { costMicros: 899_999, timeMs: 60_000 } })).choice).toBe('stop');
    expect(route(row({ budgetMicros: 899_999 })).choice).toBe('stop');
    expect(route(row({ providers: [askable('kickbox', 0, { open: true })] })).choice).toBe('stop');
  });

  it('of a single call is asked about only where that is worth its price', () => {
    expect(route(row({ isFile: false })).choice).toBe('stop');
  });
});

describe('a provider that is left out', () => {
  const one = askable('kickbox', 2_000, { typicalMs: 500 });
  const whyOf = (change: Partial<RouteInput>, provider: Askable = one) =>
    route({ ...INPUT, now: NOW, providers: [provider], ...change }).excluded.map(({ why }) => why);

  it.each([
    ['for nothing', {}, []],
    ['it was asked', { asked: new Set(['kickbox']) }, ['asked']],
    ['the account’s own report says more', { reports: [{ class: 'delivered', at: NOW }] }, ['reported']],
    ['an old report says no more', { reports: [{ class: 'delivered', at: NOW - 7 * DAY_MS }] }, []],
    ['it has answered', { answers: [answered('deliverable', 0)] }, ['known']],
    [
      'it was silent since its old answer',
      { answers: [{ ...answered('deliverable', 10 * DAY_MS), silentAt: NOW - DAY_MS }] },
      ['known'],
    ],
    [
      'two others were silent since their old answers',
      {
        answers: (['bouncer', 'hunter'] as const).map((id) => ({
          ...answered('deliverable', 10 * DAY_MS, id),
          silentAt: NOW,
        })),
      },
      ['silent'],
    ],
    ['its answer is old', { answers: [answered('deliverable', 2 * DAY_MS)] }, []],
    [
      'two others had no answer',
      { answers: [answered('unknown', 0, 'bouncer'), answered('unknown', 0, 'hunter')] },
      ['silent'],
    ],
    ['one other had none', { answers: [answered('unknown', 0, 'bouncer')] }, []],
    ['the month’s budget is a micro short', { budgetMicros: 1_999 }, ['budget']],
    ['the month’s budget just reaches', { budgetMicros: 2_000 }, []],
    ['the request’s money is a micro short', { left: { costMicros: 1_999, timeMs: 60_000 } }, ['cost']],
    ['the request’s time is a millisecond short', { left: { costMicros: 2_000, timeMs: 499 } }, ['time']],
    ['both just reach', { left: { costMicros: 2_000, timeMs: 500 } }, []],
  ] as [string, Partial<RouteInput>, string[]][])('says why: %s', (_, change, why) => {
    expect(whyOf(change)).toEqual(why);
  });

  it('says why: its circuit is open', () => {
    expect(whyOf({}, askable('kickbox', 2_000, { open: true }))).toEqual(['circuit_open']);
  });

  it('is missed where it would have been asked if it failed as seldom as usual, open or not', () => {
    const step = (open: boolean, failureRate: number) =>
      route({ ...INPUT, now: NOW, providers: [askable('kickbox', 4_000, { open, failureRate })] });
    expect(step(false, 0.02).choice).toBe('kickbox');
    for (const open of [true, false]) expect(step(open, 0.99)).toMatchObject({ choice: 'stop', missed: true });
    expect(step(false, 0.02).missed).toBe(false);
  });

  it('is not missed where nothing is at stake', () => {
    const losses = { bounce: 0, contactLost: 0, heldGood: 0, heldBad: 0 };
    const providers = [askable('kickbox', 0, { open: true, failureRate: 0.9 })];
    const step = route({ ...INPUT, stakes: { ...INPUT.stakes, losses }, now: NOW, providers });
    expect(step).toMatchObject({ choice: 'stop', stop_value_usd: 0, missed: false });
  });

  it('is missed, when left out for its failures alone, only where a healthy one would have been asked', () => {
    const missed = (open: boolean, change: Partial<RouteInput> = {}) =>
      route({ ...INPUT, now: NOW, providers: [askable('kickbox', 0, { open, failureRate: 0.9 })], ...change }).missed;
    expect(missed(true)).toBe(true);
    // A free provider would still be asked.
    expect(missed(false)).toBe(false);
    expect(missed(true, { answers: [answered('deliverable', 0)] })).toBe(false);
  });
});

it('a step says what the ceilings leave: never less than nothing', () => {
  const left = (costMicros: number) => route({ ...INPUT, left: { costMicros, timeMs: 1_200 } }).left;
  expect(left(20_000)).toEqual({ cost_usd: 0.02, latency_ms: 1_200 });
  expect(left(-1)).toEqual({ cost_usd: 0, latency_ms: 1_200 });
});
