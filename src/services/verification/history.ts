import type { Purpose } from '../../contract/vocabulary.ts';
import type { Feature, ObservationContext } from '../../domain/belief/facts.ts';
import type { HostClass } from '../../domain/belief/host-class.ts';
import { listOfCalls, listOfJob, rowName } from '../../domain/belief/names.ts';
import type { Lists } from '../../domain/lists/types.ts';
import { localFeatures } from '../../domain/screening/local-features.ts';
import type { NameMatcher } from '../../domain/screening/names/match-name.ts';
import type { Id } from '../../kernel/ids.ts';
import type { RuleProbe } from '../../organisation/api.ts';
import type { Admission } from '../admission.ts';
import type { Caller } from '../caller.ts';
import { sandboxFeatures } from './in-sandbox.ts';
import { type LocalFacts, type LocalFactsDeps, type ParsedSubject, rulesProbe } from './local-facts.ts';
import { isAllowlisted } from './meant-domain.ts';

export type HashDeps = Pick<LocalFactsDeps, 'hashAddress'>;

/** A hash of the domain alone, since no address begins with `@`. */
export const hashDomain = ({ hashAddress }: HashDeps, organisationId: Id<'org'>, domain: string): string =>
  hashAddress(organisationId, `@${domain}`);

/** Asks the object for the account's rules, and, under a live key, for what it knows of the address. */
export function verificationProbe(
  deps: HashDeps,
  { organisationId, mode }: Pick<Caller, 'organisationId' | 'mode'>,
  subject: ParsedSubject,
  of: { readonly purpose: Purpose } | { readonly jobId: Id<'bj'> },
): RuleProbe | null {
  const rules = rulesProbe(subject);
  if (rules === null || !subject.ok || mode !== 'live') return rules;
  const domain = rowName(hashDomain(deps, organisationId, subject.address.domain));
  return { ...rules, history: 'jobId' in of ? { domain, list: listOfJob(of.jobId) } : { domain, purpose: of.purpose } };
}

/** What the address shows by itself. `name`: the person's, where one was sent. */
export function featuresOf(
  { lists, matchName }: { readonly lists: Lists; readonly matchName: NameMatcher },
  { address, mail, provider, traits, precheck, meantDomain, sandbox }: LocalFacts,
  name: string | null,
): readonly Feature[] {
  if (address === null || mail === null) return [];
  if (sandbox !== null) return sandboxFeatures(sandbox);
  const isAllowed = isAllowlisted(precheck.reasons);
  const nameMatch = name === null ? null : matchName(name, address.local).match;
  return localFeatures({ address, mail, provider, traits, lists, isSlip: meantDomain !== null, isAllowed, nameMatch });
}

/** The list that a request's address belongs to: its job, or its key's calls for this purpose. Null: no object. */
const listOf = ({ jobId }: { readonly jobId?: Id<'bj'> }, admission: Admission, purpose: Purpose): string | null => {
  if (jobId !== undefined) return listOfJob(jobId);
  return admission.reached ? listOfCalls(admission.key.id, purpose) : null;
};

/** How the address is seen by this request; null where its history takes no part: a test key, a certain finding, no object. */
export function contextOf(
  deps: HashDeps,
  {
    organisationId,
    mode,
    startedAt,
    jobId,
  }: Pick<Caller, 'organisationId' | 'mode' | 'startedAt'> & { readonly jobId?: Id<'bj'> },
  facts: LocalFacts,
  features: readonly Feature[],
  host: HostClass,
  purpose: Purpose,
): ObservationContext | null {
  const { address, addressHash, admission, precheck } = facts;
  if (address === null || addressHash === null || mode !== 'live' || !admission.reached || precheck.certain)
    return null;
  return {
    address: rowName(addressHash),
    domain: rowName(hashDomain(deps, organisationId, address.domain)),
    list: listOf({ ...(jobId && { jobId }) }, admission, purpose),
    at: startedAt,
    host,
    features,
    purpose,
  };
}
