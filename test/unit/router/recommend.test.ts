import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Purpose, type Recommendation } from '../../../src/contract/vocabulary.ts';
import { type Answer, type DatedReport, FEATURES, type Feature } from '../../../src/domain/belief/facts.ts';
import {
  type GroundFacts,
  type Grounds,
  LOSSES,
  type Losses,
  NO_GROUNDS,
  groundsFrom,
  leastCost,
  mayDrop,
  openActions,
  recommend,
} from '../../../src/domain/router/losses.ts';

const certainOf = (probability: number) => ({ probability, interval: [probability, probability] as const });
const anyPurpose = fc.constantFrom(...Purpose.options);
const anyProbability = fc.double({ min: 0, max: 1, noNaN: true });
const dollars = fc.double({ min: 0, max: 10, noNaN: true });
const anyLosses = fc.record({ bounce: dollars, contactLost: dollars, heldGood: dollars, heldBad: dollars });

/** Losses are whole tenths of a cent. */
const NEAR = 5e-4;

/** One provider refuses the address, and nothing makes it surer than its interval. */
const REFUSED: Grounds = { ...NO_GROUNDS, refusingEngines: 1 };

const at = (belief: Parameters<typeof recommend>[0], purpose: Purpose, grounds: Grounds = REFUSED) =>
  recommend(belief, { purpose, losses: LOSSES[purpose] }, grounds, false);

const costsAt = (p: number, { bounce, contactLost, heldGood, heldBad }: Losses) => {
  const held = (1 - p) * heldGood + p * heldBad;
  return { send: p * bounce, drop: (1 - p) * contactLost, hold: held, challenge: held };
};

describe('recommend', () => {
  // The public thresholds; each follows from the purpose's losses.
  it.each<[Purpose, below: number, between: Recommendation, above: number]>([
    ['outbound', 0.1, 'hold', 0.7],
    ['signup', 0.1, 'challenge', 0.88],
    ['list_hygiene', 0.1, 'hold', 0.7],
  ])('%s: sends below %d, drops above, between them asks for a %s', (purpose, below, between, above) => {
    const actions = (...all: number[]) => all.map((probability) => at(certainOf(probability), purpose));
    expect(actions(0, below - NEAR)).toEqual(['send', 'send']);
    expect(actions(below + NEAR, above - NEAR)).toEqual([between, between]);
    expect(actions(above + NEAR, 1)).toEqual(['drop', 'drop']);
  });

  // Halves of these sums are exact.
  it.each<[string, Losses, Recommendation]>([
    ['sending', { bounce: 1, contactLost: 4, heldGood: 0.5, heldBad: 0.5 }, 'hold'],
    ['dropping', { bounce: 4, contactLost: 1, heldGood: 0.5, heldBad: 0.5 }, 'hold'],
    ['both', { bounce: 1, contactLost: 1, heldGood: 0.5, heldBad: 0.5 }, 'hold'],
  ])('holds where %s costs the same', (_, losses, action) => {
    expect(recommend(certainOf(0.5), { purpose: 'outbound', losses }, REFUSED, false)).toBe(action);
  });

  it('sends where dropping costs the same and holding more', () => {
    const losses: Losses = { bounce: 1, contactLost: 1, heldGood: 2, heldBad: 2 };
    expect(recommend(certainOf(0.5), { purpose: 'outbound', losses }, REFUSED, false)).toBe('send');
  });

  it('is the cheapest action under any losses where two engines refuse', () => {
    const refused: Grounds = { ...NO_GROUNDS, refusingEngines: 2 };
    fc.assert(
      fc.property(anyPurpose, anyLosses, anyProbability, (purpose, losses, p) => {
        const costs = costsAt(p, losses);
        const action = recommend(certainOf(p), { purpose, losses }, refused, false);
        expect(costs[action]).toBeCloseTo(Math.min(...Object.values(costs)), 8);
      }),
    );
  });

  it('is the cheapest action that can be undone where it is not sure enough to drop', () => {
    fc.assert(
      fc.property(anyPurpose, anyLosses, anyProbability, (purpose, losses, p) => {
        const { send, hold } = costsAt(p, losses);
        const action = recommend(certainOf(p), { purpose, losses }, NO_GROUNDS, false);
        expect(action === 'send' ? send : hold).toBeCloseTo(Math.min(send, hold), 8);
      }),
    );
  });

  it.each<[Purpose, low: number]>([
    ['outbound', 0.3],
    ['list_hygiene', 0.3],
    ['signup', 0.5],
  ])(
    '%s: drops where the interval begins above %d, two engines refuse, or the server knows no such user',
    (purpose, low) => {
      const unsure = { probability: 0.95, interval: [low, 1] as const };
      expect(at(unsure, purpose)).not.toBe('drop');
      expect(at({ ...unsure, interval: [low + 1e-6, 1] }, purpose)).toBe('drop');
      expect(at(unsure, purpose, { ...NO_GROUNDS, refusingEngines: 2 })).toBe('drop');
      expect(at(unsure, purpose, { ...NO_GROUNDS, isUserUnknown: true })).toBe('drop');
      expect(at(unsure, purpose, { ...NO_GROUNDS, isCertain: true })).not.toBe('drop');
      expect(at({ ...unsure, interval: [low + 1e-6, 1] }, purpose, { ...NO_GROUNDS, isCertain: true })).toBe('drop');
    },
  );

  it('never drops for its neighbours alone', () => {
    for (const purpose of Purpose.options) expect(at(certainOf(1), purpose, NO_GROUNDS)).not.toBe('drop');
  });

  it('drops on a terminal reason whatever the probability', () => {
    for (const purpose of Purpose.options)
      expect(recommend(certainOf(0), { purpose, losses: LOSSES[purpose] }, NO_GROUNDS, true)).toBe('drop');
  });

  it('challenges visitors of a signup only', () => {
    fc.assert(
      fc.property(anyPurpose, anyProbability, (purpose, p) => {
        expect(at(certainOf(p), purpose)).not.toBe(purpose === 'signup' ? 'hold' : 'challenge');
      }),
    );
  });

  it('never sends to an address that is warned of, however good the number', () => {
    for (const purpose of Purpose.options)
      expect(at(certainOf(0), purpose, { ...NO_GROUNDS, isWarned: true })).toBe(
        purpose === 'signup' ? 'challenge' : 'hold',
      );
  });

  it('is what the router uses: the least cost of the open actions', () => {
    fc.assert(
      fc.property(anyPurpose, anyProbability, fc.constantFrom(NO_GROUNDS, REFUSED), (purpose, p, grounds) => {
        const belief = certainOf(p);
        const costs = costsAt(p, LOSSES[purpose]);
        const open = openActions(belief, purpose, grounds);
        expect(leastCost(p, 1 - p, LOSSES[purpose], open)).toBeCloseTo(costs[at(belief, purpose, grounds)], 8);
      }),
    );
  });
});

describe('what speaks about the address itself', () => {
  const grounds = (change: Partial<GroundFacts> = {}): Grounds =>
    groundsFrom({ answers: [], reports: [], features: [], isFile: false, warning: null, ...change });
  const answer = (provider: Answer['provider'], verdict: Answer['verdict']): Answer => ({ provider, verdict });
  const report = (kind: DatedReport['class'], when: number): DatedReport => ({ class: kind, at: when });

  it('is nothing without a refusal, a certainty or a warning', () => {
    expect(grounds()).toEqual(NO_GROUNDS);
    for (const verdict of ['unknown', 'risky', 'deliverable', 'catch_all'] as const)
      expect(grounds({ answers: [answer('kickbox', verdict)] })).toEqual(NO_GROUNDS);
    expect(grounds({ reports: [report('soft', 1), report('full', 2), report('refused', 3)] })).toEqual(NO_GROUNDS);
  });

  it.each<[what: string, change: Partial<GroundFacts>]>([
    ['a refusal', { answers: [answer('kickbox', 'undeliverable')] }],
    ['an own user-unknown', { reports: [report('user_unknown', 1)] }],
    ['a local part that its provider does not give out', { features: ['impossible'] }],
    ['in a file, a typo whose hosts are parked', { features: ['typo_domain', 'parked_mail_hosts'], isFile: true }],
  ])('may lead to drop: %s', (_, change) => {
    expect(mayDrop(grounds(change))).toBe(true);
  });

  it.each<[what: string, features: readonly Feature[], isFile: boolean]>([
    ['a typo whose hosts are parked, at a form, where it may be mended', ['typo_domain', 'parked_mail_hosts'], false],
    ...FEATURES.filter((feature) => feature !== 'impossible').map((feature): [string, readonly Feature[], boolean] => [
      feature,
      [feature],
      true,
    ]),
  ])('leads to no drop: %s', (_, features, isFile) => {
    expect(mayDrop(grounds({ features, isFile }))).toBe(false);
  });

  it('counts refusals by engine, and other answers not at all', () => {
    const refused = [answer('kickbox', 'undeliverable'), answer('bouncer', 'undeliverable')];
    expect(grounds({ answers: refused }).refusingEngines).toBe(2);
    expect(grounds({ answers: [...refused.slice(1), answer('hunter', 'risky')] }).refusingEngines).toBe(1);
  });

  it.each<[what: string, reports: readonly DatedReport[], stands: boolean]>([
    ['alone', [report('user_unknown', 5)], true],
    ['after a delivery', [report('user_unknown', 5), report('delivered', 4)], true],
    ['before a delivery', [report('user_unknown', 5), report('delivered', 6)], false],
    ['before a complaint, which is delivered too', [report('user_unknown', 5), report('complaint', 6)], false],
    ['with another kind of refusal alone', [report('refused', 5)], false],
  ])('has an unknown user: %s', (_, reports, stands) => {
    expect(grounds({ reports }).isUserUnknown).toBe(stands);
  });

  it.each<[what: string, change: Partial<GroundFacts>, isWarned: boolean]>([
    ['a provider warns', { warning: 'spam_trap' }, true],
    ['it looks typed only to pass a form', { features: ['placeholder'] }, true],
    ['neither', { features: ['gibberish'] }, false],
  ])('is warned of where %s', (_, change, isWarned) => {
    expect(grounds(change).isWarned).toBe(isWarned);
  });
});
