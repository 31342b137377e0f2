import { createHash } from 'node:crypto';
import type { ServerAnswer } from '../../src/domain/verification/belief.ts';
import type { HostClass } from '../../src/domain/verification/host-class.ts';
import { rowsAt, SEEDED_MODEL } from '../../src/domain/verification/model.ts';
import type { ProviderId, ProviderVerdict } from '../../src/domain/verification/provider.ts';
import { VERDICTS } from '../../src/domain/verification/provider-table.ts';

/** What is true of an address of the demo. Drawn from the seeded tables, so that the numbers of the demo mean what they say. */
export interface Truth {
  readonly acceptsAll: boolean;
  readonly answer: ServerAnswer;
  readonly bounces: boolean;
}

/** The demo's lists are worse than usual, for the nightly fit to find out. */
const REFUSED_MORE = 1.8;

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
export function truthOf(email: string, domain: string, host: HostClass): Truth {
  const cells = SEEDED_MODEL.prior[host];
  const weights = new Map([true, false].map((all) => [all, 0]));
  for (const { acceptsAll, alpha } of cells) weights.set(acceptsAll, (weights.get(acceptsAll) ?? 0) + alpha);
  const acceptsAll = choose(fraction(`accepts all ${domain}`), [...weights]);
  const own = cells.filter((cell) => cell.acceptsAll === acceptsAll);
  const cell = choose(
    fraction(`answer ${email}`),
    own.map((each) => [each, each.alpha * (each.answer === 'refuses' ? REFUSED_MORE : 1)] as const),
  );
  const bounces = fraction(`bounces ${email}`) < cell.bounced / (cell.bounced + cell.landed);
  return { acceptsAll, answer: cell.answer, bounces };
}

/** What a provider says of it: always the same within a month. */
export function verdictOf(
  provider: ProviderId,
  email: string,
  month: string,
  host: HostClass,
  truth: Truth,
): ProviderVerdict {
  const counts = rowsAt(SEEDED_MODEL, provider, host)[truth.answer];
  return choose(
    fraction(`${provider} ${month} ${email}`),
    VERDICTS.map((verdict, at) => [verdict, counts[at] ?? 0] as const),
  );
}
