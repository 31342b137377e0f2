import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { initialBounce } from '../../../src/domain/belief/chain.ts';
import type { AddressFacts, DeliveryClass, KnownAnswer, KnownReport } from '../../../src/domain/belief/facts.ts';
import {
  acceptsAllShown,
  type DomainGroup,
  type Groups,
  initialState,
  predict,
  baselineAt,
  withTerm,
} from '../../../src/domain/belief/groups.ts';
import { isReportMoved } from '../../../src/domain/belief/learning.ts';
import { MODEL } from '../../../src/domain/belief/model.ts';
import { believe } from '../../../src/domain/belief/posterior.ts';
import type { ProviderVerdict } from '../../../src/domain/belief/provider.ts';
import { ReportTallies } from '../../../src/domain/belief/trust.ts';
import { SERVICE_LOSSES, groundsFrom, recommend, stakesOf } from '../../../src/domain/router/losses.ts';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import { oddsOf } from '../../../src/kernel/probability.ts';
import { Account } from '../../support/account.ts';
import { addressOf, daysAgo, hashOf, NOW } from '../../support/addresses.ts';
import { anyHost, CLASSES } from '../../support/any-belief.ts';

const report = (kind: DeliveryClass, change: Partial<KnownReport> = {}): KnownReport => ({
  class: kind,
  at: NOW,
  of: ['vr_1'],
  source: 'aaaa',
  ...change,
});
const said = (verdict: ProviderVerdict, at = NOW): KnownAnswer => ({
  provider: 'zerobounce',
  verdict,
  at,
});

/** What the account's groups say about a stranger at the usual domain, in the usual list. */
const predicted = (groups: Groups, host: AddressFacts['host'] = 'unknown_business', now = NOW) =>
  predict(MODEL, { ...baselineAt({ host, features: [], purpose: 'outbound', now }), groups });
const bounceOf = (account: Account, host?: AddressFacts['host']): number =>
  initialBounce(predicted(account.groups(), host).state);

/** All numbers of the groups that a prediction reads. */
const numbersOf = ({ domain, list, account, catchAlls }: Groups): number[] => [
  ...[domain, list, account, catchAlls].flatMap((effect) => [effect?.mean ?? 0, effect?.varianceReduction ?? 0]),
  domain?.givenUp ?? 0,
];

describe('an address', () => {
  it('makes its neighbours look worse when it is refused, better when it is reached', () => {
    for (const [facts, worse] of [
      [{ reports: [report('user_unknown')] }, true],
      [{ answers: [said('undeliverable')] }, true],
      [{ reports: [report('delivered')] }, false],
      [{ answers: [said('deliverable')] }, false],
    ] as const) {
      const account = new Account();
      const before = bounceOf(account);
      account.learn('ada', facts);
      expect(bounceOf(account) > before).toBe(worse);
    }
  });

  it.each(['refused', 'full', 'soft'] as const)('moves no neighbour by a report of %s', (kind) => {
    const account = new Account();
    account.learn('ada', { reports: [report(kind)] });
    expect(numbersOf(account.groups()).every((value) => value === 0)).toBe(true);
    account.learn('bob', { answers: [said('undeliverable')] });
    const before = numbersOf(account.groups());
    account.learn('bob', { answers: [said('undeliverable')], reports: [report(kind)] });
    expect(numbersOf(account.groups())).toEqual(before);
  });

  const anyFacts = fc.record({
    host: anyHost,
    reports: fc.array(
      fc
        .record({ kind: fc.constantFrom(...CLASSES), age: fc.nat(300) })
        .map(({ kind, age }) => report(kind, { at: daysAgo(age), of: [`vr_${age}`] })),
      { maxLength: 3 },
    ),
    answers: fc
      .array(
        fc.record({
          verdict: fc.constantFrom<ProviderVerdict[]>('deliverable', 'undeliverable', 'catch_all', 'unknown'),
          age: fc.nat(300),
        }),
        { maxLength: 1 },
      )
      .map((all) => all.map(({ verdict, age }) => said(verdict, daysAgo(age)))),
  });

  it('removes its whole contribution again, whatever came in between and however late', () => {
    fc.assert(
      fc.property(anyFacts, fc.array(anyFacts, { maxLength: 4 }), fc.nat(100), (own, others, days) => {
        const [account, without] = [new Account(), new Account()];
        const later = NOW + days * DAY_MS;
        const host = own.host;
        account.learn('ada', own);
        account.forget('ada', later);
        expect(Math.max(...numbersOf(account.groups()).map(Math.abs))).toBeLessThan(1e-9);
        others.forEach((facts, place) => without.learn(`other ${place}`, { ...facts, host }));
        const before = numbersOf(without.groups());
        without.learn('ada', own);
        without.forget('ada');
        numbersOf(without.groups()).forEach((value, place) => expect(value).toBeCloseTo(before[place] ?? 0, 9));
      }),
    );
  });

  it('counts once however often the same is learned of it', () => {
    const account = new Account();
    account.learn('ada', { reports: [report('user_unknown')] });
    const before = numbersOf(account.groups());
    for (let time = 0; time < 5; time += 1) account.learn('ada', { reports: [report('user_unknown')] });
    numbersOf(account.groups()).forEach((value, place) => expect(value).toBeCloseTo(before[place] ?? 0, 9));
  });

  it('never makes an effect surer than sure, however many there are', () => {
    const account = new Account();
    for (let place = 0; place < 300; place += 1) account.learn(`person ${place}`, { reports: [report('delivered')] });
    expect(account.groups().account?.varianceReduction).toBeLessThanOrEqual(MODEL.evidence.effects.account.sd ** 2);
  });

  it('is no younger where the clock has moved back', () => {
    const account = new Account();
    account.learn('ada', { reports: [report('user_unknown')] });
    const before = account.groups().account?.mean ?? 0;
    account.learn('bob', { answers: [said('deliverable', daysAgo(400))] }, daysAgo(399));
    expect(account.groups().account?.at).toBe(NOW);
    account.forget('bob', daysAgo(399));
    expect(account.groups().account?.mean).toBeCloseTo(before, 9);
  });

  it('is not its own neighbour', () => {
    const account = new Account();
    account.learn('ada', { reports: [report('user_unknown')] });
    const asOwn = predict(MODEL, {
      host: 'unknown_business',
      features: [],
      purpose: 'outbound',
      sharedAcceptsAll: 0,
      groups: account.groups(),
      own: { name: hashOf('ada'), contribution: account.contribution('ada') },
      isOwnList: true,
      now: NOW,
    });
    expect(initialBounce(asOwn.state)).toBeCloseTo(bounceOf(new Account()), 12);
  });
});

describe('the order of arrival', () => {
  const refused = Array.from({ length: 10 }, (_, place) => `bounced ${place}`);
  const landed = Array.from({ length: 90 }, (_, place) => `landed ${place}`);
  const fold = (names: readonly string[], facts: Partial<AddressFacts> = {}): Account => {
    const account = new Account();
    for (const name of names)
      account.learn(name, { ...facts, reports: [report(name.startsWith('bounced') ? 'user_unknown' : 'delivered')] });
    return account;
  };

  // The covariance of effects is not kept, so three that always act together move most.
  it.each<[where: string, most: number, facts: Partial<AddressFacts>]>([
    ['at one domain', 4, { list: null }],
    ['at one domain of many people, in one list', 4, { host: 'google_consumer' }],
    ['at one company, in one list', 6, {}],
  ])(
    'of 10 refusals and 90 deliveries %s moves the odds by less than a factor of %i, and not at all once recomputed',
    (_, most, facts) => {
      const [one, other] = [fold([...refused, ...landed], facts), fold([...landed, ...refused], facts)];
      const [first, last] = [one, other].map((account) => oddsOf(bounceOf(account, facts.host))) as [number, number];
      expect(Math.max(first / last, last / first)).toBeLessThan(most);
      one.recompute();
      other.recompute();
      expect(numbersOf(one.groups())).toEqual(numbersOf(other.groups()));
    },
  );

  it('learns a bounce rate of about 10 % from 10 % of refusals', () => {
    const account = fold([...refused, ...landed]);
    account.recompute();
    expect(bounceOf(account)).toBeGreaterThan(0.03);
    expect(bounceOf(account)).toBeLessThan(0.25);
  });
});

describe('a domain that accepts every recipient', () => {
  const DOMAIN = { host: 'google_business' } as const;
  const catchAll = (count: number): Account => {
    const account = new Account();
    for (let place = 0; place < count; place += 1)
      account.learn(`person ${place}`, {
        ...DOMAIN,
        answers: [{ ...said('catch_all', daysAgo(30)), catch_all: true }],
      });
    return account;
  };
  const shown = (account: Account) => acceptsAllShown(MODEL, DOMAIN.host, account.groups().domain, NOW);

  it('is known as such by what providers say of its addresses', () => {
    expect(shown(catchAll(0))).toBeNull();
    expect(shown(catchAll(20))).toBe(true);
  });

  it('is noticed when it starts to refuse: the next refused address is dropped', () => {
    const account = catchAll(20);
    for (let place = 0; place < 8; place += 1)
      account.learn(`refused ${place}`, { ...DOMAIN, answers: [said('undeliverable')] });
    expect(shown(account)).toBe(false);
    const facts = { answers: [said('undeliverable')], reports: [], proofs: [] };
    const bounds = { isTrusted: false, isFile: false };
    const stranger = baselineAt({ ...DOMAIN, features: [], purpose: 'outbound', now: NOW });
    const context = { ...stranger, groups: account.groups() };
    const initial = initialState(MODEL, context, facts, bounds);
    const belief = believe({ model: MODEL, ...context, initial, ...facts });
    const grounds = groundsFrom({ ...facts, features: [], isFile: false, warning: null });
    expect(recommend(belief, stakesOf(SERVICE_LOSSES, 'outbound'), grounds, false)).toBe('drop');
  });

  it('loses an address’s evidence with the address', () => {
    const account = catchAll(1);
    const [term] = account.groups().domain?.acceptsAll.terms ?? [];
    expect(term?.value).toBeGreaterThan(0);
    account.learn('person 0', { ...DOMAIN, answers: [] });
    expect(account.groups().domain?.acceptsAll.terms).toEqual([]);
  });

  it('weighs each address by its age, in whatever order they are folded', () => {
    const terms = Array.from({ length: 20 }, (_, place) => ({
      of: `${place}`,
      at: daysAgo(400 - 20 * place),
      value: 0.1,
    }));
    const folded = (order: typeof terms) =>
      order.reduce((all, term) => withTerm(MODEL.evidence, all, term.of, term), {
        terms: [],
        folded: 0,
        at: 0,
      } as DomainGroup['acceptsAll']);
    const [one, other] = [folded(terms), folded(terms.toReversed())];
    expect(other).toEqual({ ...one, folded: expect.closeTo(one.folded, 12) });
  });

  it('keeps no more than the last twelve addresses apart', () => {
    expect(catchAll(40).groups().domain?.acceptsAll.terms).toHaveLength(12);
  });
});

describe('a domain that is given up', () => {
  const UNTRUSTED = new ReportTallies([]);
  const after = (
    reports: readonly KnownReport[],
    trust = UNTRUSTED,
    host: AddressFacts['host'] = 'unknown_business',
  ) => {
    const account = new Account(trust);
    reports.forEach((each, place) => account.learn(`person ${place}`, { host, reports: [each] }));
    return bounceOf(account, host);
  };
  const stranger = bounceOf(new Account());
  const onDays = (days: number, sources = ['aaaa'], per = 4) =>
    Array.from({ length: per * days }, (_, place) =>
      report('user_unknown', {
        at: daysAgo(place % days),
        of: [`vr_${place}`],
        source: sources[place % sources.length] as string,
      }),
    );

  it.each<[what: string, reports: readonly KnownReport[], isShown: boolean]>([
    ['on two days by one source', onDays(2), false],
    ['on three days', onDays(3), true],
    ['on one day by two sources', onDays(1, ['aaaa', 'bbbb'], 12), true],
    [
      'on three days, and one delivered',
      [...onDays(3), report('delivered', { of: ['vr_d'], at: NOW - HOUR_MS })],
      false,
    ],
  ])('is recognised by refusals of its people even from untrusted sources: %s', (_, reports, isShown) => {
    expect(after(reports) > stranger + 0.05).toBe(isShown);
  });

  it.each(['delivered', 'complaint'] as const)('does not hold where a message arrived, first or last: %s', (kind) => {
    const arrived = report(kind, { of: ['vr_d'], at: NOW - HOUR_MS });
    const refused = onDays(3).slice(0, 9);
    expect(after([arrived, ...refused])).toBeLessThanOrEqual(stranger);
    expect(after([...refused, arrived])).toBeLessThanOrEqual(stranger);
  });

  it('counts days on which a refusal began, for one address as often as when all is recomputed', () => {
    const account = new Account(UNTRUSTED);
    for (const day of [5, 4, 3])
      account.learn('ada', { reports: [report('user_unknown', { at: daysAgo(day), from: daysAgo(5) })] });
    const before = account.groups().domain?.days;
    account.recompute();
    expect(account.groups().domain?.days).toEqual(before);
  });

  it('is all that an untrusted source can show: nothing else moves, and no domain of many people does', () => {
    const account = new Account(UNTRUSTED);
    for (const [place, each] of onDays(3).entries()) account.learn(`person ${place}`, { reports: [each] });
    const { domain, list, account: whole, catchAlls } = account.groups();
    for (const effect of [domain, list, whole, catchAlls]) expect(effect?.mean ?? 0).toBeCloseTo(0, 12);
    expect(domain?.givenUp).toBeGreaterThan(0);
    const shared = after(onDays(3), UNTRUSTED, 'google_consumer');
    expect(shared).toBe(bounceOf(new Account(), 'google_consumer'));
  });
});

describe('the account’s own reports', () => {
  it('have moved the number where an effect has moved by more than .01 by them, and not by what providers say', () => {
    const moved = (facts: Partial<AddressFacts>): boolean => {
      const account = new Account();
      account.learn('ada', facts);
      return isReportMoved(MODEL, 'unknown_business', account.groups(), NOW);
    };
    expect(moved({ reports: [report('user_unknown')] })).toBe(true);
    expect(moved({ answers: [said('undeliverable')] })).toBe(false);
    expect(moved({ reports: [report('soft')] })).toBe(false);
  });

  it('have moved it where they show a domain given up, and not where their source is not trusted and they show nothing', () => {
    const movedAfter = (days: number): boolean => {
      const account = new Account(new ReportTallies([]));
      for (let day = 0; day < days; day += 1)
        account.learn(`person ${day}`, {
          answers: [said('undeliverable')],
          reports: [report('user_unknown', { at: daysAgo(day) })],
        });
      return isReportMoved(MODEL, 'unknown_business', account.groups(), NOW);
    };
    expect([movedAfter(2), movedAfter(3)]).toEqual([false, true]);
  });

  it('move nobody at another domain, in another list, but by the account', () => {
    const account = new Account();
    account.learn('ada', { reports: [report('user_unknown')] });
    const elsewhere = account.groups({ domain: hashOf('other.test'), list: hashOf('another') });
    expect([elsewhere.domain, elsewhere.list]).toEqual([null, null]);
    expect(elsewhere.account?.mean).toBeGreaterThan(0);
    expect(addressOf().domain).not.toBe(hashOf('other.test'));
  });
});
