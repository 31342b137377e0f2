import { createHash } from 'node:crypto';
import { multiplied, predict, baselineAt } from '../../src/domain/belief/groups.ts';
import type { HostClass } from '../../src/domain/belief/host-class.ts';
import { ANSWERS, MODEL, rowsAt, tablesAt } from '../../src/domain/belief/model.ts';
import type { ServerAnswer } from '../../src/domain/belief/prior-table.ts';
import type { ProviderId, ProviderVerdict } from '../../src/domain/belief/provider.ts';
import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import type { DemoPerson } from './world.ts';

/** What is true of an address of the demo. Drawn from the model, so that the numbers of the demo mean what they say. */
export interface Truth {
  readonly acceptsAll: boolean;
  readonly answer: ServerAnswer;
  readonly bounces: boolean;
}

/** Addresses at hosts without a name bounce more than usual, for the account's groups to find out: the odds, times this. */
const WORSE: Partial<Record<HostClass, number>> = { unknown_business: 2 };

/** A number from 0 to 1 that is always the same for a text. */
const fraction = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;

function choose<T>(at: number, options: readonly (readonly [T, number])[]): T {
  const total = options.reduce((sum, [, weight]) => sum + weight, 0);
  let left = at * total;
  for (const [option, weight] of options) {
    left -= weight;
    if (left < 0) return option;
  }
  const last = options.at(-1);
  if (last === undefined) throw new Error('there is nothing to choose from');
  return last[0];
}

/** Whether its domain accepts everything is the same for all addresses of a company. */
export function truthOf({ email, domain, features, purpose }: DemoPerson): Truth {
  const host = domain.cells;
  const stranger = predict(MODEL, baselineAt({ host, features, purpose, now: 0 }));
  const initial = multiplied(stranger.state, WORSE[host] ?? 1);
  const { kinds } = tablesAt(MODEL, host);
  const acceptsAll = fraction(`accepts all ${domain.name}`) < kinds[1].share;
  const rate = acceptsAll ? initial.bounceAcceptsAll : initial.bounceStrict;
  const bounces = domain.mailHosts.kind === 'none' || fraction(`bounces ${email}`) < rate;
  const shares = kinds[acceptsAll ? 1 : 0].answers[bounces ? 1 : 0];
  const answer = choose(
    fraction(`answer ${email}`),
    ANSWERS.map((each, at) => [each, shares[at] ?? 0] as const),
  );
  return { acceptsAll, answer, bounces };
}

/** What a provider says about it: always the same within a month. */
export function verdictOf(
  provider: ProviderId,
  email: string,
  month: string,
  host: HostClass,
  truth: Truth,
): ProviderVerdict {
  const counts = rowsAt(MODEL, provider, host)[truth.answer];
  return choose(
    fraction(`${provider} ${month} ${email}`),
    VERDICTS.map((verdict, at) => [verdict, counts[at] ?? 0] as const),
  );
}
