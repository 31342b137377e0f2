import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/domain/belief/facts.ts';
import { NO_GROUNDS, groundsFrom } from '../../../src/domain/router/recommend.ts';
import { FEATURES, type KnownReport } from '../../../src/domain/belief/facts.ts';

const answer = (provider: Answer['provider'], verdict: Answer['verdict']): Answer => ({ provider, verdict });
const report = (kind: KnownReport['class'], at: number): KnownReport => ({ class: kind, at, source: '0000' });

describe('what speaks about the address itself', () => {
  it('is nothing without an answer that says something, a report or a certainty', () => {
    expect(groundsFrom([], [], [])).toEqual(NO_GROUNDS);
    expect(groundsFrom([answer('kickbox', 'unknown')], [], [])).toEqual(NO_GROUNDS);
  });

  it.each([
    ['an answer', groundsFrom([answer('kickbox', 'risky')], [], [])],
    ['a report', groundsFrom([], [report('soft', 1)], [])],
    ['a local part that its provider does not give out', groundsFrom([], [], ['impossible'])],
  ])('is there with %s', (_, { areOwn }) => {
    expect(areOwn).toBe(true);
  });

  it.each(FEATURES.filter((feature) => feature !== 'impossible'))(
    'is not %s, which many live addresses show',
    (feature) => {
      expect(groundsFrom([], [], [feature]).areOwn).toBe(false);
    },
  );

  it('counts refusals by engine, and other answers not at all', () => {
    const refused = [answer('kickbox', 'undeliverable'), answer('bouncer', 'undeliverable')];
    expect(groundsFrom(refused, [], []).refusingEngines).toBe(2);
    expect(groundsFrom([...refused.slice(1), answer('hunter', 'risky')], [], []).refusingEngines).toBe(1);
  });

  it.each<[what: string, reports: readonly KnownReport[], stands: boolean]>([
    ['alone', [report('user_unknown', 5)], true],
    ['after a delivery', [report('user_unknown', 5), report('delivered', 4)], true],
    ['before a delivery', [report('user_unknown', 5), report('delivered', 6)], false],
    ['before a complaint, which is delivered too', [report('user_unknown', 5), report('complaint', 6)], false],
    ['with another kind of refusal alone', [report('refused', 5)], false],
  ])('has an unknown user: %s', (_, reports, stands) => {
    expect(groundsFrom([], reports, []).isUserUnknown).toBe(stands);
  });
});
