import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type EvidenceCode,
  type EvidenceShift,
  evidenceShifts,
  groupSteps,
} from '../../../src/domain/answer/evidence-shifts.ts';
import { type Facts, NO_FACTS } from '../../../src/domain/belief/facts.ts';
import {
  type Bounds,
  type Effect,
  type Groups,
  initialState,
  baselineAt,
  type PredictionContext,
} from '../../../src/domain/belief/groups.ts';
import { MODEL } from '../../../src/domain/belief/model.ts';
import { type BeliefInput, bounceProbability } from '../../../src/domain/belief/posterior.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { logOddsOf } from '../../../src/kernel/probability.ts';
import { anyCase, NOW } from './any-case.ts';

const sum = (shifts: readonly EvidenceShift[]) => shifts.reduce((all, { shift }) => all + shift, 0);

/** As a trace has them when it is read. */
const shiftsIn = (input: BeliefInput, context: PredictionContext): EvidenceShift[] =>
  evidenceShifts(input, context.sharedAcceptsAll, groupSteps(input.model, context));

const STRANGER = baselineAt({ host: 'google_business', features: [], purpose: null, now: NOW });
const FREE: Bounds = { isTrusted: true, isFile: false };

/** The shifts of an address by what surrounds it and what is known of it. */
function shiftsOf(change: Partial<PredictionContext>, facts: Partial<Facts> = {}): EvidenceShift[] {
  const context = { ...STRANGER, ...change };
  const { host, features, purpose } = context;
  const known = { ...NO_FACTS, ...facts };
  const initial = initialState(MODEL, context, known, FREE);
  return shiftsIn({ model: MODEL, host, features, purpose, initial, ...known, now: NOW }, context);
}
const codesOf = (...given: Parameters<typeof shiftsOf>) => shiftsOf(...given).map(({ code }) => code);
const shiftBy = (code: EvidenceCode, ...given: Parameters<typeof shiftsOf>) =>
  shiftsOf(...given).find((each) => each.code === code)?.shift;

const effect = (mean: number): Effect => ({ mean, varianceReduction: 0, reportedMean: 0, at: NOW });
const groups = (change: { [Name in keyof Groups]?: number }): Groups => {
  const { domain, list, account, catchAlls } = change;
  const of = (mean: number | undefined) => (mean === undefined ? null : effect(mean));
  const nothing = { acceptsAll: { terms: [], folded: 0, at: 0 }, givenUp: 0, days: [], sources: [], deliveredAt: null };
  return {
    domain: domain === undefined ? null : { ...effect(domain), ...nothing },
    list: of(list),
    account: of(account),
    catchAlls: of(catchAlls),
  };
};

describe('the evidence of a trace', () => {
  it('adds up to the log-odds of the probability', () => {
    fc.assert(
      fc.property(anyCase, ({ context, inputs }) => {
        expect(sum(shiftsIn(inputs, context))).toBeCloseTo(logOddsOf(bounceProbability(inputs)), 6);
      }),
    );
  });

  it('is finite, however sure the number', () => {
    fc.assert(
      fc.property(anyCase, ({ context, inputs }) => {
        for (const { shift } of shiftsIn(inputs, context)) expect(Number.isFinite(shift)).toBe(true);
      }),
    );
  });

  it('names what was known, each piece once and with its sign', () => {
    const shifts = shiftsOf(
      { features: ['role'], purpose: 'outbound' },
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

  it.each<[what: string, context: Partial<PredictionContext>, facts: Partial<Facts>, codes: EvidenceCode[]]>([
    ['nothing beyond where it begins for a stranger of no stated purpose', {}, {}, []],
    ['the purpose where one is stated', { purpose: 'outbound' }, {}, ['purpose']],
    ['the account', { groups: groups({ account: 0.2 }) }, {}, ['account_bounces']],
    [
      'the account’s catch-all companies as the account',
      { groups: groups({ catchAlls: -0.2 }) },
      {},
      ['account_delivers'],
    ],
    ['the domain alone where no list is known', { groups: groups({ domain: 0.2 }) }, {}, ['domain_bounces']],
    ['the list alone where no domain is known', { groups: groups({ list: 0.2 }) }, {}, ['list_bounces']],
    [
      'all where all are known',
      { groups: groups({ account: -0.2, domain: -0.2, list: -0.2 }) },
      {},
      ['account_delivers', 'domain_delivers', 'list_delivers'],
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
  ])('names %s', (_, context, facts, codes) => {
    expect(codesOf(context, facts)).toEqual(['stranger', ...codes]);
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

  it('takes back what groups say beyond their bound, and nothing where they keep to it', () => {
    expect(shiftBy('neighbours_bound', { groups: groups({ domain: 3, list: 3 }) })).toBeLessThan(0);
    expect(codesOf({ groups: groups({ domain: -0.2, list: -0.2 }) })).not.toContain('neighbours_bound');
  });
});
