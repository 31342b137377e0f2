import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EvidenceCode, type EvidenceShift, evidenceShifts } from '../../../src/domain/answer/evidence-shifts.ts';
import {
  type FirstStateInput,
  NO_NEIGHBOURS,
  firstBounce,
  firstState,
  levelsAround,
  stateAmong,
} from '../../../src/domain/verification/first-state.ts';
import { DOMAIN_LEVELS, LIST_LEVELS, type Levels } from '../../../src/domain/verification/history.ts';
import { MODEL } from '../../../src/domain/belief/model.ts';
import { type BeliefInput, bounceProbability } from '../../../src/domain/belief/posterior.ts';
import { NO_FACTS } from '../../../src/domain/belief/facts.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { anyCase, NOW } from './any-case.ts';

const sum = (shifts: readonly EvidenceShift[]) => shifts.reduce((all, { shift }) => all + shift, 0);
const logOdds = (probability: number) => Math.log(probability / (1 - probability));

const ADDRESS: FirstStateInput = {
  host: 'google_business',
  features: [],
  purpose: null,
  acceptsAllOdds: 1,
  around: NO_NEIGHBOURS,
  own: null,
  isOwnList: false,
  now: NOW,
};

/** The shifts of an address by what is around it and what was seen of it. */
function shiftsOf(change: Partial<FirstStateInput>, seen: Partial<BeliefInput> = {}): EvidenceShift[] {
  const of = { ...ADDRESS, ...change };
  const first = firstState(MODEL, of);
  const { host, features } = of;
  return evidenceShifts({ model: MODEL, host, features, first, ...NOTHING_SEEN, now: NOW, ...seen }, of);
}
const codesOf = (...given: Parameters<typeof shiftsOf>) => shiftsOf(...given).map(({ code }) => code);
const shiftBy = (code: EvidenceCode, ...given: Parameters<typeof shiftsOf>) =>
  shiftsOf(...given).find((each) => each.code === code)?.shift;

/** Levels in steps from mailboxes that take mail to those that bounce: above 0 they speak for a bounce, below against it. */
const levels = (count: number, towards: number, steps = count): Levels => ({
  values: Float32Array.from({ length: count }, (_, at) => towards * (at % steps)),
  at: NOW,
  isReported: false,
  stoppedOn: null,
  refused: 0,
  delivered: 0,
});
/** A domain’s levels come twice: for those that tell mailboxes apart, and for those that accept everything. */
const domain = (towards: number) => levels(DOMAIN_LEVELS, towards, DOMAIN_LEVELS / 2);
const list = (towards: number) => levels(LIST_LEVELS, towards);

describe('the evidence of a trace', () => {
  it('adds up to the log-odds of the probability', () => {
    fc.assert(
      fc.property(anyCase, ({ of, inputs }) => {
        expect(sum(evidenceShifts(inputs, of))).toBeCloseTo(logOdds(bounceProbability(inputs)), 6);
      }),
    );
  });

  it('names what was known, each piece once and with its sign', () => {
    const shifts = shiftsOf(
      { features: ['role'], purpose: 'signup' },
      {
        answers: [{ provider: 'kickbox', verdict: 'deliverable', at: NOW }],
        reports: [{ class: 'user_unknown', at: NOW - 10 * DAY_MS }],
        proofs: [{ class: 'confirmed', at: NOW - 5 * DAY_MS }],
      },
    );
    expect(shifts.map(({ code, shift }) => [code, Math.sign(shift)])).toEqual([
      ['stranger', -1],
      ['purpose', -1],
      ['role', 1],
      ['bounced_before', 1],
      ['confirmed', -1],
      ['answer', -1],
      ['age', expect.any(Number)],
    ]);
    expect(shifts.find(({ code }) => code === 'answer')).toMatchObject({ provider: 'kickbox', verdict: 'deliverable' });
  });

  it.each<[what: string, known: Partial<FirstStateInput>, seen: Partial<BeliefInput>, codes: EvidenceCode[]]>([
    ['nothing beyond where it begins for a stranger of no stated purpose', {}, {}, []],
    ['the purpose where one is stated', { purpose: 'outbound' }, {}, ['purpose']],
    ['the flag that organisations share where there is one', { acceptsAllOdds: 3 }, {}, ['shared_flag']],
    [
      'the domain alone where no list is known',
      { around: { domain: domain(0.2), list: null } },
      {},
      ['domain_bounces'],
    ],
    ['the list alone where no domain is known', { around: { domain: null, list: list(0.2) } }, {}, ['list_bounces']],
    [
      'both where both are known',
      { around: { domain: domain(-0.2), list: list(-0.2) } },
      {},
      ['domain_delivers', 'list_delivers'],
    ],
    [
      'no time where all was seen just now',
      {},
      { answers: [{ provider: 'kickbox', verdict: 'deliverable', at: NOW }] },
      ['answer'],
    ],
    [
      'the time since what was seen earlier',
      {},
      { answers: [{ provider: 'kickbox', verdict: 'deliverable', at: NOW - DAY_MS }] },
      ['answer', 'age'],
    ],
  ])('names %s', (_, known, seen, codes) => {
    expect(codesOf(known, seen)).toEqual(['stranger', ...codes]);
  });

  it('gives each feature its own part, as much as it adds beside those before it', () => {
    const both = shiftsOf({ features: ['role', 'name_match'] });
    expect(both.map(({ code, shift }) => [code, Math.sign(shift)])).toEqual([
      ['stranger', -1],
      ['role', 1],
      ['name_match', -1],
    ]);
    expect(both[1]?.shift).toBe(shiftBy('role', { features: ['role'] }));
  });

  it.each<[what: string, around: FirstStateInput['around'], code: EvidenceCode, sign: 1 | -1]>([
    ['a domain that bounces', { domain: domain(0.2), list: null }, 'domain_bounces', 1],
    ['a domain that takes mail', { domain: domain(-0.2), list: null }, 'domain_delivers', -1],
    ['a list that bounces', { domain: null, list: list(0.2) }, 'list_bounces', 1],
    ['a list that takes mail', { domain: null, list: list(-0.2) }, 'list_delivers', -1],
  ])('is named for what it moved the number to: %s', (_, around, code, sign) => {
    const shift = shiftBy(code, { around });
    expect(Math.sign(shift ?? 0)).toBe(sign);
  });

  it('takes back what neighbours say beyond their bound, and nothing where they keep to it', () => {
    const unboundedOf = (around: FirstStateInput['around']) => {
      const of = { ...ADDRESS, purpose: 'signup', around } as const;
      const { domain: ofDomain, list: ofList } = levelsAround(of);
      return { of, odds: logOdds(firstBounce(stateAmong(MODEL, of, ofDomain, ofList))) };
    };
    const far = unboundedOf({ domain: domain(2), list: list(2) });
    const taken = shiftBy('neighbours_bound', far.of);
    expect(taken).toBeLessThan(0);
    expect(sum(shiftsOf(far.of))).toBeCloseTo(far.odds + (taken ?? 0), 9);
    const near = unboundedOf({ domain: domain(-0.2), list: list(-0.2) });
    expect(codesOf(near.of)).not.toContain('neighbours_bound');
    expect(sum(shiftsOf(near.of))).toBeCloseTo(near.odds, 9);
  });
});
