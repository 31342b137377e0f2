import type { BulkJob } from '../../api/schema.ts';

type Breakdown = NonNullable<BulkJob['breakdown']>;

/** Addresses by what the policy decided. Null without one, and where the release before of the API answers, which does not count them. */
export const decisionsOf = ({ decision }: Partial<Breakdown>): Breakdown['decision'] => decision ?? null;
