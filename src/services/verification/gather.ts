import { type DomainEvidence, NO_DOMAIN_EVIDENCE } from '../../domain/verification/known-evidence.ts';
import type { Clock } from '../../kernel/clock.ts';
import { LATE, within } from '../../kernel/deadline.ts';
import { type EvidenceKeys, readEvidence } from '../../storage/evidence.ts';
import type { FactStore } from '../../storage/kv.ts';
import type { Caller } from '../caller.ts';
import { hashDomain } from './history.ts';
import { type LocalFactsDeps, type LookedUp, lookUp, type ParsedSubject } from './local-facts.ts';

/** What may be used before a request is admitted: none of it gives what a key needs permission for. */
export interface BeginDeps extends Pick<LocalFactsDeps, 'lists' | 'findMailHosts' | 'hashAddress'> {
  readonly now: Clock;
  /** Null: without providers no evidence is read or kept. */
  readonly readEvidence: ((keys: EvidenceKeys, now: number) => Promise<DomainEvidence>) | null;
}

interface GatherSources extends Omit<BeginDeps, 'readEvidence'> {
  readonly evidence: FactStore;
  readonly providers: readonly unknown[];
}

/** A value of its own: what runs before the admission holds neither the store of evidence nor a provider that bills. */
export const beginDeps = ({
  lists,
  findMailHosts,
  hashAddress,
  now,
  evidence,
  providers,
}: GatherSources): BeginDeps => ({
  lists,
  findMailHosts,
  hashAddress,
  now,
  readEvidence: providers.length === 0 ? null : (keys, at) => readEvidence(evidence, keys, at),
});

/** What `gather` finds about an address while its request is authorised. */
export interface Gathered extends LookedUp {
  /** Null where no evidence of the domain is read or kept: without providers, under a test key, for broken syntax. */
  readonly keys: EvidenceKeys | null;
  readonly ofDomain: DomainEvidence;
}

/** Looks the domain up and reads its stored evidence, side by side. Never rejects. */
export async function gather(
  deps: BeginDeps,
  caller: Pick<Caller, 'organisationId' | 'mode' | 'startedAt'>,
  subject: ParsedSubject,
  deadlineMs: number,
): Promise<Gathered> {
  const { readEvidence: read } = deps;
  const keys = read === null ? null : evidenceKeys(deps, caller, subject);
  const [lookedUp, ofDomain] = await Promise.all([
    lookUp(deps, caller, subject, deadlineMs),
    read === null || keys === null
      ? NO_DOMAIN_EVIDENCE
      : inTime(read(keys, caller.startedAt), deadlineMs - caller.startedAt),
  ]);
  return { ...lookedUp, keys, ofDomain };
}

/** None where the store is slower than the deadline. */
async function inTime(reading: Promise<DomainEvidence>, patienceMs: number): Promise<DomainEvidence> {
  const known = await within(reading, Math.max(0, patienceMs));
  return known === LATE ? NO_DOMAIN_EVIDENCE : known;
}

const SEEN_AS_DIGITS = 16;

function evidenceKeys(
  deps: Pick<BeginDeps, 'hashAddress'>,
  { organisationId, mode }: Pick<Caller, 'organisationId' | 'mode'>,
  subject: ParsedSubject,
): EvidenceKeys | null {
  if (!subject.ok || mode !== 'live') return null;
  const { addressHash, address } = subject;
  const { domain } = address;
  // Cut to the digits that tell organisations apart.
  const seenAs = () => hashDomain(deps, organisationId, domain).slice(0, SEEN_AS_DIGITS);
  return { organisationId, addressHash, domain, seenAs };
}
