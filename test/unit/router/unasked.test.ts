import { describe, expect, it } from 'vitest';
import { type ProviderQueries, unaskedBy, whyUnasked } from '../../../src/domain/router/provider-queries.ts';
import type { Exclusion, RouteStep } from '../../../src/domain/router/router.ts';

type Stop = Pick<RouteStep, 'candidates' | 'excluded'>;
type Queries = Pick<ProviderQueries, 'results' | 'failures' | 'steps'>;

const CANDIDATE: RouteStep['candidates'][number] = {
  provider: 'kickbox',
  value_usd: 1,
  cost_usd: 0.01,
  price_usd: 0.01,
  latency_ms: 500,
  failure_rate: 0,
};
const without = (...reasons: Exclusion[]): Stop => ({
  candidates: [],
  excluded: reasons.map((why) => ({ provider: 'bouncer', why })),
});

describe('why the router stopped before it asked', () => {
  it.each([
    ['reported', 'known'],
    ['known', 'known'],
    ['budget', 'budget_spent'],
    ['cost', 'over_the_ceiling'],
    ['time', 'unavailable'],
    ['circuit_open', 'unavailable'],
    ['asked', 'no_provider'],
  ] as const)('of a provider left out as %s: %s', (exclusion, reason) => {
    expect(unaskedBy(without(exclusion))).toBe(reason);
  });

  it.each<[Exclusion, Exclusion, string]>([
    ['circuit_open', 'cost', 'over_the_ceiling'],
    ['time', 'budget', 'budget_spent'],
    ['cost', 'budget', 'budget_spent'],
    ['budget', 'known', 'known'],
    ['circuit_open', 'reported', 'known'],
  ])('of one left out as %s and one as %s: %s', (one, other, reason) => {
    expect(unaskedBy(without(one, other))).toBe(reason);
    expect(unaskedBy(without(other, one))).toBe(reason);
  });

  it('is the lack of providers where there are none, and the price where one could be asked', () => {
    expect(unaskedBy(without())).toBe('no_provider');
    expect(unaskedBy({ ...without('budget'), candidates: [CANDIDATE] })).toBe('not_worth_its_price');
  });
});

describe('why no provider was asked about an address', () => {
  const none: Queries = { results: [], failures: [], steps: [] };
  const step = without('budget') as RouteStep;
  const earlier = without('cost') as RouteStep;
  const result = {} as Queries['results'][number];
  const failure = {} as Queries['failures'][number];

  it.each<[string, Parameters<typeof whyUnasked>, ReturnType<typeof whyUnasked>]>([
    ['one answered', ['live', { terminal: null }, { ...none, results: [result] }], null],
    ['one failed to answer', ['live', { terminal: null }, { ...none, failures: [failure] }], null],
    [
      'a test key asks none, whatever it shows',
      ['test', { terminal: null }, { ...none, results: [result] }],
      'test_key',
    ],
    ['a test key, of a settled address', ['test', { terminal: 'syntax_invalid' }, none], 'test_key'],
    ['the first checks settled it', ['live', { terminal: 'syntax_invalid' }, none], 'settled'],
    ['the router never ran', ['live', { terminal: null }, none], 'unavailable'],
    [
      'the router’s last step says so',
      ['live', { terminal: null }, { ...none, steps: [earlier, earlier, step] }],
      'budget_spent',
    ],
  ])('%s', (_, args, reason) => {
    expect(whyUnasked(...args)).toBe(reason);
  });
});
