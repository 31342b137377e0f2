import { describe, expect, it } from 'vitest';
import { LOSSES } from '../../src/domain/router/losses.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { PROVIDER_IDS } from '../../src/domain/belief/provider.ts';
import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import { believe } from '../calibration/methods.ts';
import { cheapest, enginePolicy, exactBounceIn, lossOf, type Policy, pricesIn } from '../calibration/spending.ts';
import { addressAt, ask, type SimulatedAddress } from '../population/addresses.ts';
import {
  bounceProbability,
  digitOf,
  exactly,
  NOTHING_SAID,
  numberOf,
  placeOf,
  SAID_COUNT,
  type Said,
} from '../population/exact-posterior.ts';
import { optimalPolicy } from '../population/optimal-policy.ts';
import { drawPopulation, NEAR, type Population, trueModel } from '../population/population.ts';

const POPULATION = drawPopulation(MODEL, NEAR, 7);
const [HOST] = POPULATION.hosts;
if (HOST === undefined) throw new Error('a population has hosts');
const EXACT = exactly(POPULATION, HOST);
const JOINT = EXACT.all();
const DIGITS = VERDICTS.map((_, verdict) => verdict + 1);
const UNKNOWN = VERDICTS.indexOf('unknown') + 1;

const saidOf = (number: number): Said => PROVIDER_IDS.map((_, provider) => digitOf(number, provider));
const some = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

describe('a population', () => {
  it('is the same from the same seed, and another from another', () => {
    expect(drawPopulation(MODEL, NEAR, 7)).toEqual(POPULATION);
    expect(drawPopulation(MODEL, NEAR, 8)).not.toEqual(POPULATION);
  });

  it.each([NEAR, 'counts'] as const)('has shares that add up, from %s', (origin) => {
    const { hosts } = drawPopulation(MODEL, origin, 3);
    const added = (shares: readonly number[]) => shares.reduce((sum, share) => sum + share, 0);
    for (const { cells, verdicts } of hosts) {
      expect(added(cells.map(({ share }) => share))).toBeCloseTo(1, 9);
      for (const rows of Object.values(verdicts)) {
        for (const row of Object.values(rows)) expect(added(row)).toBeCloseTo(1, 9);
      }
    }
  });

  it('keeps each parameter within half a unit of log-odds of the table', () => {
    const logit = (p: number) => Math.log(p / (1 - p));
    for (const { host, cells } of POPULATION.hosts) {
      MODEL.prior[host].forEach(({ bounced, landed }, at) => {
        const moved = logit(cells[at]?.bounceRate ?? 0) - Math.log(bounced / landed);
        expect(Math.abs(moved)).toBeLessThanOrEqual(0.5 + 1e-9);
      });
    }
  });

  it('has an address whatever others were looked at, and addresses of one domain alike', () => {
    const one = addressAt(POPULATION, 1_234, 10);
    expect(addressAt(POPULATION, 1_234, 10)).toEqual(one);
    for (const other of some(10, (at) => addressAt(POPULATION, 1_230 + at, 10))) {
      expect(other.domain).toBe(one.domain);
      expect(other.host).toBe(one.host);
      expect(other.cell.acceptsAll).toBe(one.cell.acceptsAll);
    }
  });

  it('has vendors that say the same whenever they answer, bill as they do, and fail now and then', () => {
    const address = addressAt(POPULATION, 5);
    for (const { id, priceMicros, billsUnknown } of POPULATION.vendors) {
      const replies = some(3_000, (at) => ask(POPULATION, address, id, at * 60_000));
      const answered = replies.filter(({ verdict }) => verdict !== null);
      expect(new Set(answered.map(({ verdict }) => verdict)).size).toBe(1);
      expect(3_000 - answered.length).toBeGreaterThan(5);
      expect(answered.length).toBeGreaterThan(2_800);
      const free = answered[0]?.verdict === 'unknown' && !billsUnknown;
      for (const { billedMicros } of answered) expect(billedMicros).toBe(free ? 0 : priceMicros);
      expect(replies.every(({ ms }) => ms > 0)).toBe(true);
    }
  });
});

describe('the exact posterior', () => {
  it('divides what is known among everything a provider may say next', () => {
    expect((JOINT.bounces[0] ?? 0) + (JOINT.lands[0] ?? 0)).toBeCloseTo(1, 9);
    for (let number = 0; number < SAID_COUNT; number += 1_009) {
      PROVIDER_IDS.forEach((_, provider) => {
        if (digitOf(number, provider) !== 0) return;
        const after = (of: Float64Array) =>
          DIGITS.reduce((sum, digit) => sum + (of[number + digit * placeOf(provider)] ?? 0), 0);
        expect(after(JOINT.bounces)).toBeCloseTo(JOINT.bounces[number] ?? 0, 12);
        expect(after(JOINT.lands)).toBeCloseTo(JOINT.lands[number] ?? 0, 12);
      });
    }
  });

  it('is the same one by one and all at once', () => {
    for (let number = 0; number < SAID_COUNT; number += 4_001) {
      const said = saidOf(number);
      expect(numberOf(said)).toBe(number);
      expect(EXACT.joint(said).bounces).toBeCloseTo(JOINT.bounces[number] ?? 0, 15);
    }
  });

  it('is what happens: as many addresses bounce as it says, among those of which the same is said', () => {
    const exactBounce = exactBounceIn(POPULATION);
    const groups = new Map<number, { expected: number; variance: number; bounced: number }>();
    for (const address of some(20_000, (at) => addressAt(POPULATION, at))) {
      const said = address.said.map((digit, at) => (at < 2 ? digit : 0));
      const bounce = exactBounce(address.host.host, said);
      const group = groups.get(numberOf(said)) ?? { expected: 0, variance: 0, bounced: 0 };
      group.expected += bounce;
      group.variance += bounce * (1 - bounce);
      group.bounced += address.bounces ? 1 : 0;
      groups.set(numberOf(said), group);
    }
    for (const { expected, variance, bounced } of groups.values())
      expect(Math.abs(bounced - expected)).toBeLessThan(4.5 * Math.sqrt(variance) + 2);
  });

  it('is the engine’s where no vendors share an engine and the engine knows the population', () => {
    const apart: Population = { ...POPULATION, engines: PROVIDER_IDS.map((id) => ({ members: [id], overlap: 0 })) };
    const [exact, model] = [exactly(apart, HOST), trueModel(apart)];
    for (let number = 0; number < SAID_COUNT; number += 2_003) {
      const said = saidOf(number);
      expect(believe(model, HOST.host, said).probability).toBeCloseTo(bounceProbability(exact.joint(said)), 9);
    }
  });

  it('learns nothing from a second vendor that reports the first one’s probe with the same skill', () => {
    const twins: Population = {
      ...POPULATION,
      engines: [
        { members: ['kickbox', 'bouncer'], overlap: 1 },
        ...PROVIDER_IDS.filter((id) => id !== 'kickbox' && id !== 'bouncer').map((id) => ({
          members: [id],
          overlap: 0,
        })),
      ],
    };
    const host = { ...HOST, verdicts: { ...HOST.verdicts, bouncer: HOST.verdicts.kickbox } };
    const exact = exactly(twins, host);
    const said = (kickbox: number, bouncer: number): Said =>
      PROVIDER_IDS.map((id) => (id === 'kickbox' ? kickbox : id === 'bouncer' ? bouncer : 0));
    for (const digit of DIGITS)
      expect(bounceProbability(exact.joint(said(digit, digit)))).toBeCloseTo(
        bounceProbability(exact.joint(said(digit, 0))),
        12,
      );
  });
});

/** Expected total cost of an address at the host under a policy, by following everything that may be said. */
function expectedCost(policy: Policy, purpose: 'outbound' | 'signup', said: Said = NOTHING_SAID): number {
  const { bounces, lands } = EXACT.joint(said);
  const next = policy.next(HOST?.host ?? 'relay', said);
  if (next === null) {
    const action = policy.act(HOST?.host ?? 'relay', said);
    return (bounces + lands) * lossOf(action, bounces / (bounces + lands), purpose);
  }
  const at = PROVIDER_IDS.indexOf(next);
  const { price = 0, time = 0, billsUnknown = true } = pricesIn(POPULATION, purpose)[at] ?? {};
  return DIGITS.reduce((sum, digit) => {
    const then = said.map((before, provider) => (provider === at ? digit : before));
    const joint = EXACT.joint(then);
    const billed = digit === UNKNOWN && !billsUnknown ? 0 : price;
    return sum + (joint.bounces + joint.lands) * (billed + time) + expectedCost(policy, purpose, then);
  }, 0);
}

describe.each(['outbound', 'signup'] as const)('the optimal policy for %s', (purpose) => {
  const best = optimalPolicy(JOINT, pricesIn(POPULATION, purpose), LOSSES[purpose]);

  it('costs what following it costs', () => {
    const policy: Policy = {
      next: (_host, said) => PROVIDER_IDS[best.choice[numberOf(said)] ?? -1] ?? null,
      act: (_host, said) => cheapest(bounceProbability(EXACT.joint(said)), purpose),
    };
    expect(expectedCost(policy, purpose)).toBeCloseTo(best.cost, 9);
  });

  it('is beaten by no other, and met within 2 % by two steps ahead that know the population', () => {
    const knowing = expectedCost(enginePolicy(POPULATION, trueModel(POPULATION), purpose), purpose);
    const unfitted = expectedCost(enginePolicy(POPULATION, MODEL, purpose), purpose);
    const unasked = expectedCost({ ...enginePolicy(POPULATION, MODEL, purpose), next: () => null }, purpose);
    for (const cost of [knowing, unfitted, unasked]) expect(cost).toBeGreaterThanOrEqual(best.cost - 1e-9);
    expect(knowing / best.cost).toBeLessThan(1.02);
  });
});

it('an address stands for what its population says: hosts are as frequent as their shares', () => {
  const addresses: SimulatedAddress[] = some(5_000, (at) => addressAt(POPULATION, at));
  const total = POPULATION.hosts.reduce((sum, { share }) => sum + share, 0);
  for (const { host, share } of POPULATION.hosts) {
    const expected = (5_000 * share) / total;
    const found = addresses.filter((address) => address.host.host === host).length;
    expect(Math.abs(found - expected)).toBeLessThan(4.5 * Math.sqrt(expected));
  }
});
