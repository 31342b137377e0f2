import type { Company, Person } from '../../contract/decision.ts';
import type { IcpFit, IcpProfile } from '../../contract/policy.ts';
import type { EnrichmentKind } from './paths.ts';

/** What each dimension of a profile is compared with. Case is ignored because vendors write industries in either case. */
const DIMENSIONS = [
  { of: 'company', list: 'industries', read: (company: Company | null) => company?.industry },
  { of: 'company', list: 'employees_ranges', read: (company: Company | null) => company?.employees_range },
  { of: 'company', list: 'countries', read: (company: Company | null) => company?.country },
  { of: 'person', list: 'seniorities', read: (_: Company | null, person: Person | null) => person?.seniority },
] as const;

const configured = (profile: IcpProfile | null) =>
  profile === null ? [] : DIMENSIONS.filter(({ list }) => profile[list].length > 0);

/** The kinds of enrichment that a profile needs; none without a profile. */
export const enrichmentOfIcp = (profile: IcpProfile | null): ReadonlySet<EnrichmentKind> =>
  new Set(configured(profile).map(({ of }) => of));

/**
 * How near a company and a person come to the profile. `strong`: every dimension that is set is known and matches;
 * `partial`: some match; `none`: some are known and none match; `unknown`: none are known, or the policy lacks a profile.
 */
export function icpFit(profile: IcpProfile | null, company: Company | null, person: Person | null): IcpFit {
  const dimensions = configured(profile);
  if (profile === null || dimensions.length === 0) return 'unknown';
  const matches = dimensions.map(({ list, read }) => {
    const actual = read(company, person)?.toLowerCase();
    return actual === undefined ? null : profile[list].some((wanted) => wanted.toLowerCase() === actual);
  });
  if (matches.every((match) => match === null)) return 'unknown';
  if (!matches.includes(true)) return 'none';
  return matches.every((match) => match === true) ? 'strong' : 'partial';
}
