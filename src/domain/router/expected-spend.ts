import { newestOfEach } from '../belief/facts.ts';
import { type PerAnswer, type State, stateNow } from '../belief/posterior.ts';
import { VERDICTS } from '../belief/provider-table.ts';
import type { ProviderVerdict } from '../belief/provider.ts';
import { dot } from './lookahead.ts';
import type { Askable } from './provider-health.ts';
import { optionOf, type RouteInput, route } from './router.ts';

/** Answers less likely than this are not followed: providers asked after them would not change the estimate. */
const NEGLIGIBLE = 0.001;

const chance = ({ bounce, land }: State, verdict: PerAnswer): number => dot(bounce, verdict) + dot(land, verdict);

/** The router's first step: stop, or ask a provider, with the likelihood of each verdict. */
function firstOf(input: RouteInput) {
  const { choice } = route(input);
  const provider = input.providers.find(({ id }) => id === choice);
  if (provider === undefined) return null;
  const state = stateNow(input);
  return {
    provider,
    answers: optionOf(input, provider).verdicts.map((likely, column) => ({
      verdict: VERDICTS[column] as ProviderVerdict,
      share: chance(state, likely),
    })),
  };
}

const billed = ({ priceMicros, billsUnknown }: Askable, verdict: string): number =>
  verdict === 'unknown' && !billsUnknown ? 0 : priceMicros;

/** The expected spend on one address with what is known now. Failed calls count as answered. */
function spendOf(input: RouteInput, weight = 1): number {
  const first = weight < NEGLIGIBLE ? null : firstOf(input);
  if (first === null) return 0;
  const { provider } = first;
  const { id, priceMicros } = provider;
  const left = { ...input.left, costMicros: input.left.costMicros - priceMicros };
  const asked = new Set([...input.asked, id]);
  return first.answers.reduce((sum, { verdict, share }) => {
    const answers = newestOfEach([...input.answers, { provider: id, verdict, at: input.now }]);
    return sum + share * (billed(provider, verdict) + spendOf({ ...input, left, asked, answers }, weight * share));
  }, 0);
}

/**
 * Micros that the router is expected to spend on an address of this kind, at most the prices of all providers; 0 if it
 * would not ask.
 */
export const expectedSpend = (input: RouteInput): number => spendOf(input);
