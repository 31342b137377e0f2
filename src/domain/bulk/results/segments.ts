import { isTerminal } from '../../answer/precheck.ts';
import type { RowKind } from './row-result.ts';

type Checked = Extract<RowKind, { status: 'ok' }>;
type Segment = (result: Checked) => boolean;

/** By the verification's recommendation. */
const WITHOUT_POLICY: Readonly<Record<string, Segment>> = {
  deliverable: ({ recommendation }) => recommendation === 'send',
  undeliverable: ({ recommendation, reason }) => recommendation === 'drop' || (reason !== null && isTerminal(reason)),
  review: ({ recommendation }) => recommendation === 'hold' || recommendation === 'challenge',
};

/** By the policy's decision. */
const WITH_POLICY: Readonly<Record<string, Segment>> = {
  allow: ({ decision }) => decision?.decision === 'allow' || decision?.decision === 'allow_with_flow',
  deny: ({ decision }) => decision?.decision === 'deny',
  review: ({ decision }) => decision?.decision === 'review' || decision?.decision === 'challenge',
};

const ALWAYS: Readonly<Record<string, Segment>> = { business: ({ emailType }) => emailType === 'business' };

/** The segments of a job beside `all`. */
export const segmentsOf = (hasPolicy: boolean): Readonly<Record<string, Segment>> => ({
  ...(hasPolicy ? WITH_POLICY : WITHOUT_POLICY),
  ...ALWAYS,
});

/** The segments whose addresses may be blocked. */
export const blockableOf = (hasPolicy: boolean): readonly string[] => [hasPolicy ? 'deny' : 'undeliverable', 'review'];

/** Tests whether a row belongs to the segment; only checked rows do. Null: the segment does not exist. */
export function segment(name: string, hasPolicy: boolean): ((row: RowKind | null) => boolean) | null {
  const segments = segmentsOf(hasPolicy);
  const test = Object.hasOwn(segments, name) ? segments[name] : undefined;
  return test === undefined ? null : (row) => row?.status === 'ok' && test(row);
}

/** Whether the row's address can be a rule; one with broken syntax can't. */
export const canBeRule = (row: RowKind | null): boolean => row?.status === 'ok' && row.reason !== 'syntax_invalid';
