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
