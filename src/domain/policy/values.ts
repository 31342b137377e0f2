import type { Decision, EmployeesRange, IcpFit, Op, Seniority } from '../../contract/policy.ts';

/** The members of a closed set, in order. Leaving out a member of `T` does not compile. */
export const membersOf = <T extends string>(members: Readonly<Record<T, true>>): readonly T[] =>
  Object.keys(members) as T[];

export const DECISIONS = membersOf<Decision>({
  allow: true,
  allow_with_flow: true,
  review: true,
  challenge: true,
  deny: true,
});

export const OPS = membersOf<Op>({
  eq: true,
  ne: true,
  in: true,
  not_in: true,
  gt: true,
  gte: true,
  lt: true,
  lte: true,
  exists: true,
  contains: true,
  starts_with: true,
  ends_with: true,
});

/** From small to large. */
export const EMPLOYEES_RANGES = membersOf<EmployeesRange>({
  '1-10': true,
  '11-50': true,
  '51-200': true,
  '201-500': true,
  '501-1000': true,
  '1001-5000': true,
  '5001-10000': true,
  '10001+': true,
});

/** Low to high. */
export const SENIORITIES = membersOf<Seniority>({
  junior: true,
  senior: true,
  manager: true,
  director: true,
  executive: true,
});

export const ICP_FITS = membersOf<IcpFit>({ strong: true, partial: true, none: true, unknown: true });
