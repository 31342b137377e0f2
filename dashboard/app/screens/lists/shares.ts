import type { BulkJob } from '../../api/schema.ts';

/** A part of a list that has a name, a download, and a colour. */
export interface ListPart {
  /** As `segment` of the API names it. */
  readonly segment: 'deliverable' | 'review' | 'undeliverable' | 'allow' | 'deny';
  /** Different addresses. */
  readonly count: number;
  /** What it has, in a few words. */
  readonly note: string;
}

/** The three parts of a list: by its policy's decisions, else by the recommendations. Null: nothing is counted yet. */
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

/** The parts as a bar takes them. */
export const sharesOf = (parts: readonly ListPart[]) => parts.map(({ segment, count }) => ({ term: segment, count }));

export type BlockedPart = Extract<ListPart['segment'], 'review' | 'undeliverable' | 'deny'>;

/** How many addresses of a part a list of rules takes: those with broken syntax stay out. `isMost`: some of them may be such. */
export function blockable(job: BulkJob, { segment, count }: ListPart): { count: number; isMost: boolean } {
  const malformed = job.breakdown?.reason.syntax_invalid ?? 0;
  if (job.policy_slug !== null) return { count, isMost: count > 0 && malformed > 0 };
  return { count: segment === 'undeliverable' ? count - malformed : count, isMost: false };
}

/** Why no provider was asked, and what would change it; without a remedy, nothing needs to. */
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

/** Why the estimate leaves addresses out. */
export const NOT_ASKED: Readonly<Record<string, string>> = {
  terminal: 'settled by free checks',
  rule: 'decided by your rules',
  recent: 'known from the last 30 days',
  catch_all: 'at catch-all domains',
  budget: 'beyond the provider budget',
  no_provider: 'no provider connected',
};

/** The main reason that something can be done about, in words; null: nothing has to be done. */
export function whyUnchecked(
  counts: Readonly<Partial<Record<string, number>>>,
): { readonly why: string; readonly remedy: string } | null {
  const found = Object.entries(counts)
    .filter(([reason, count = 0]) => count > 0 && UNASKED[reason]?.remedy !== undefined)
    .toSorted(([, one = 0], [, other = 0]) => other - one)[0];
  const { why = '', remedy = '' } = (found && UNASKED[found[0]]) ?? {};
  return found === undefined ? null : { why, remedy };
}
