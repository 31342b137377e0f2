import type { BulkJob } from '../../api/schema.ts';

/** A part of a list's result. */
export interface ListPart {
  /** The API's `segment`. */
  readonly segment: 'deliverable' | 'review' | 'undeliverable' | 'allow' | 'deny';
  /** Distinct addresses. */
  readonly count: number;
  /** Short description. */
  readonly note: string;
}

/** The three parts by policy decision, else by recommendation; null before counting. */
export function partsOf({ breakdown, policy_slug: policy }: BulkJob): readonly ListPart[] | null {
  if (breakdown === null) return null;
  const { send = 0, hold = 0, challenge = 0, drop = 0 } = breakdown.recommendation;
  if (policy === null || breakdown.decision === null)
    return [
      { segment: 'deliverable', count: send, note: 'Safe to send' },
      { segment: 'review', count: hold + challenge, note: 'Look before you send' },
      { segment: 'undeliverable', count: drop, note: 'Don’t send' },
    ];
  const { allow = 0, allow_with_flow: flow = 0, review = 0, challenge: asked = 0, deny = 0 } = breakdown.decision;
  return [
    { segment: 'allow', count: allow + flow, note: 'Allowed by the policy' },
    { segment: 'review', count: review + asked, note: 'To review or challenge' },
    { segment: 'deny', count: deny, note: 'Denied by the policy' },
  ];
}

/** Parts as shares of a bar. */
export const sharesOf = (parts: readonly ListPart[]) => parts.map(({ segment, count }) => ({ term: segment, count }));

export type BlockedPart = Extract<ListPart['segment'], 'review' | 'undeliverable' | 'deny'>;

/** Addresses of a part that can become rules, without invalid syntax. `isMost`: an upper bound. */
export function blockable(job: BulkJob, { segment, count }: ListPart): { count: number; isMost: boolean } {
  const malformed = job.breakdown?.reason.syntax_invalid ?? 0;
  if (job.policy_slug !== null) return { count, isMost: count > 0 && malformed > 0 };
  return { count: segment === 'undeliverable' ? count - malformed : count, isMost: false };
}

/** Why no provider was asked, and what would change that, if anything. */
const UNASKED: Readonly<Record<string, { readonly why: string; readonly remedy?: string }>> = {
  no_provider: { why: 'no provider is connected', remedy: 'Ask your operator to connect one.' },
  test_key: { why: 'a test key asks no provider' },
  settled: { why: 'free checks already settle them' },
  known: { why: 'an earlier answer or report already covers them' },
  not_worth_its_price: {
    why: 'a lookup costs more than the mistake it prevents',
    remedy: 'Raise your costs of mistakes to have more of them checked.',
  },
  budget_spent: { why: 'the month’s provider budget is spent', remedy: 'Ask your operator for a larger budget.' },
  over_the_ceiling: { why: 'a lookup is over the price ceiling', remedy: 'Ask your operator for a higher ceiling.' },
  unavailable: { why: 'every provider was failing', remedy: 'Check them again later.' },
};

/** Why the estimate excludes addresses. */
export const NOT_ASKED: Readonly<Record<string, string>> = {
  terminal: 'settled by free checks',
  rule: 'decided by your rules',
  recent: 'known from the last 30 days',
  catch_all: 'at catch-all domains',
  budget: 'beyond the provider budget',
  no_provider: 'no provider connected',
};

/** The main reason with a remedy, in words; null if nothing needs to change. */
export function whyUnchecked(
  counts: Readonly<Partial<Record<string, number>>>,
): { readonly why: string; readonly remedy: string } | null {
  const found = Object.entries(counts)
    .filter(([reason, count = 0]) => count > 0 && UNASKED[reason]?.remedy !== undefined)
    .toSorted(([, one = 0], [, other = 0]) => other - one)[0];
  const { why = '', remedy = '' } = (found && UNASKED[found[0]]) ?? {};
  return found === undefined ? null : { why, remedy };
}
