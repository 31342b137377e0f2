import { FOLDS, type TracePattern } from '../../../src/domain/calibration/pattern.ts';
import type { HostClass } from '../../../src/domain/verification/host-class.ts';
import { rowsAt, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import type { ProviderId } from '../../../src/domain/verification/provider.ts';
import { VERDICTS } from '../../../src/domain/verification/provider-table.ts';
import { type SeededRandom, seededRandom } from '../../support/seeded-random.ts';

/** One pattern of an account, with these outcomes in each fold. */
export const patternOf = (
  pattern: Pick<TracePattern, 'host' | 'answers'>,
  bounced: number,
  landed: number,
): TracePattern[] =>
  Array.from({ length: FOLDS }, (_, fold) => ({
    ...pattern,
    fold,
    acceptsAllOdds: 1,
    weight: bounced + landed,
    bounced: { count: bounced, weight: bounced },
    landed: { count: landed, weight: landed },
  }));

const HOSTS: readonly HostClass[] = ['google_business', 'microsoft_business', 'google_consumer'];
const PROVIDERS: readonly ProviderId[] = ['zerobounce', 'kickbox'];

const ONCE = { count: 1, weight: 1 };
const NEVER = { count: 0, weight: 0 };

/** One address that was verified and mailed: what was answered and what became of it, drawn from the seeded table. */
function drawOutcome(random: SeededRandom, fold: number): TracePattern {
  const host = HOSTS[random.index(HOSTS.map(() => 1))] as HostClass;
  const prior = SEEDED_MODEL.prior[host];
  const { answer, bounced, landed } = prior[random.index(prior.map(({ alpha }) => alpha))] as (typeof prior)[number];
  const answers = PROVIDERS.map((provider) => ({
    provider,
    verdict: VERDICTS[random.index(rowsAt(SEEDED_MODEL, provider, host)[answer])] ?? 'unknown',
  }));
  const bounces = random.uniform() < bounced / (bounced + landed);
  return {
    fold,
    host,
    answers,
    acceptsAllOdds: 1,
    weight: 1,
    bounced: bounces ? ONCE : NEVER,
    landed: bounces ? NEVER : ONCE,
  };
}

/** An account whose addresses are as the seeded table has them, with so many outcomes. */
export function drawnAccount(seed: number, outcomes: number): TracePattern[] {
  const random = seededRandom(seed);
  return Array.from({ length: outcomes }, (_, at) => drawOutcome(random, at % FOLDS));
}
