import { canonicalise } from '../../domain/address/canonical.ts';
import { type Address, parseAddress } from '../../domain/address/parse.ts';
import { type LookedUp, type Observed, sandboxOf } from '../../domain/answer/observed.ts';
import { type SandboxCase, sandboxName } from '../../domain/answer/sandbox.ts';
import { traitsOf } from '../../domain/answer/precheck.ts';
import { type AcceptsAllFlag, seenAgainAs, toldTo } from '../../domain/belief/accepts-all.ts';
import type { Feature } from '../../domain/belief/facts.ts';
import { listOfJob, rowName } from '../../domain/belief/names.ts';
import type { FindMailHosts, MailHosts } from '../../domain/dns/resolve.ts';
import type { DisposableTier, Lists } from '../../domain/lists/lists.ts';
import type { BackEnds } from '../../domain/mailbox-provider/back-ends.ts';
import {
  type MailHostClassifier,
  NO_HOSTS,
  areConsumerHosts,
  isConsumerDomain,
} from '../../domain/mailbox-provider/classify.ts';
import type { Meter } from '../../domain/metering/usage.ts';
import { localFeatures } from '../../domain/screening/local-features.ts';
import { correctionOf, typedAs } from '../../domain/screening/typed-address.ts';
import type { NameMatcher } from '../../domain/screening/names/match-name.ts';
import type { DomainSuggester } from '../../domain/screening/typo/suggest.ts';
import { LATE, pause, within } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import type { RuleLookup } from '../../organisation/api.ts';
import type { DomainFacts } from '../../storage/domain-facts.ts';
import type { Caller } from '../caller.ts';
import { meantDomain } from './meant-domain.ts';

export interface HashDeps {
  /** Keyed hash of a normalised address within an organisation, 64 hex digits. */
  hashAddress(organisationId: Id<'org'>, normalised: string): string;
}

/** While `HASH_SECRET` is rotated, what stands under earlier hashes is moved as it is seen. */
export interface RotationDeps extends HashDeps {
  /** The same under the secrets of before, the newest first. */
  earlierHashes(organisationId: Id<'org'>, normalised: string): readonly string[];
}

/** Look-ups of an address and its domain: nothing here needs a key's permission. */
export interface LookUpDeps extends HashDeps {
  readonly lists: Lists;
  readonly findMailHosts: FindMailHosts;
  readonly classifyMailHosts: MailHostClassifier;
  readonly suggestDomain: DomainSuggester;
  readonly backEnds: BackEnds;
  /** Updates the lists and the suspected back ends, until `deadlineMs` at most. Never rejects. */
  freshLists(deadlineMs?: number): Promise<void>;
}

export interface ObserveDeps extends LookUpDeps, RotationDeps {
  readonly matchName: NameMatcher;
  /** Keyed hash of an address's canonical form within an organisation, 64 hex digits. */
  hashIdentity(organisationId: Id<'org'>, canonical: string): string;
  readonly domainFacts: Pick<DomainFacts, 'acceptsAll'>;
  /** Without providers no shared facts about a domain are read or stored. */
  readonly providers: readonly unknown[];
}

/** A request's address, with its keyed hash in the organisation. */
export type Subject =
  | { readonly ok: true; readonly address: Address; readonly addressHash: string }
  /** `typedDomain`: the text after the last `@`, without the address's surroundings. */
  | { readonly ok: false; readonly domain: string; readonly typedDomain: string };

export function subjectOf(deps: HashDeps, { organisationId }: Pick<Caller, 'organisationId'>, email: string): Subject {
  const parsed = parseAddress(email);
  if (!parsed.ok) return { ok: false, domain: parsed.domain, typedDomain: typedAs(email).domain };
  const { address } = parsed;
  return { ok: true, address, addressHash: deps.hashAddress(organisationId, address.normalised) };
}

/** A hash of the domain alone, since no address begins with `@`. */
export const hashDomain = (deps: HashDeps, organisationId: Id<'org'>, domain: string): string =>
  deps.hashAddress(organisationId, `@${domain}`);

/** The hashes of an address under the present secret and those before it, the newest first. */
export const hashesOf = (deps: RotationDeps, organisationId: Id<'org'>, text: string): readonly string[] => [
  deps.hashAddress(organisationId, text),
  ...deps.earlierHashes(organisationId, text),
];

/** The same of a domain. */
export const hashesOfDomain = (deps: RotationDeps, organisationId: Id<'org'>, domain: string): readonly string[] =>
  hashesOf(deps, organisationId, `@${domain}`);

export interface ObserveInput {
  readonly email: string;
  readonly subject: Subject;
  /** The person's, as typed; null means none was sent. */
  readonly name: string | null;
  /** Service time until which the domain may be looked up. */
  readonly deadlineMs: number;
}

/** A domain's shared facts, and the organisation's name in them; null means neither read nor written. */
export interface SharedFlag {
  readonly flag: AcceptsAllFlag | null;
  readonly seenAs: string;
}

type Observer = Pick<Caller, 'organisationId' | 'mode' | 'startedAt'>;

/** Looks the domain up until the deadline, and combines it with the text and the lists. Never rejects. */
export async function lookUp(
  deps: LookUpDeps,
  caller: Observer,
  { subject, name, deadlineMs }: Omit<ObserveInput, 'email'>,
): Promise<LookedUp> {
  const fresh = deps.freshLists(deadlineMs);
  if (!subject.ok) {
    await fresh;
    return malformed(deps, subject, name);
  }
  const { address, addressHash } = subject;
  const { domain } = address;
  const sandbox = sandboxName(caller, address);
  const played = sandboxOf({ sandbox });
  const lists = played === null ? deps.lists : sandboxLists(deps.lists, played);
  const patienceMs = Math.max(0, deadlineMs - caller.startedAt);
  const finding = played === null ? deps.findMailHosts(domain, deadlineMs) : sandboxMail(played, patienceMs);
  const [mail] = await Promise.all([finding, fresh]);
  const hosts = mail.kind === 'found' ? mail.hosts : [];
  const traits = traitsOf(address, lists, isConsumerDomain(lists, deps.classifyMailHosts, domain, hosts));
  const backEnds = deps.backEnds.of(domain, mail);
  return {
    address,
    addressHash,
    domain,
    sandbox,
    mail,
    provider: deps.classifyMailHosts({ hosts, domain, isFree: traits.consumer }),
    backEnds,
    ...disposal(deps, lists.disposableTier(domain), domain, backEnds),
    traits,
    meantDomain: played === null ? meantAt(deps, lists, domain, mail, name) : (played.meantDomain ?? null),
  };
}

const malformed = (
  { suggestDomain, lists }: Pick<LookUpDeps, 'suggestDomain' | 'lists'>,
  { domain, typedDomain }: Extract<Subject, { ok: false }>,
  name: string | null,
): LookedUp => ({
  address: null,
  addressHash: null,
  domain,
  sandbox: null,
  mail: null,
  provider: NO_HOSTS,
  backEnds: [],
  disposableTier: null,
  disposableBy: null,
  traits: traitsOf(null, lists, false),
  meantDomain: meantDomain(suggestDomain, lists, typedDomain, null, name),
});

/** An observed address, and its domain's shared facts. */
export interface ObservedAddress {
  readonly observed: Observed;
  readonly shared: SharedFlag | null;
}

/** Looks the address up, with everything else a verification is judged by. Never rejects. */
export async function observe(deps: ObserveDeps, caller: Observer, input: ObserveInput): Promise<ObservedAddress> {
  const { email, name } = input;
  const [looked, shared] = await Promise.all([lookUp(deps, caller, input), sharedFlag(deps, caller, input)]);
  const { address, meantDomain: meant } = looked;
  return {
    observed: {
      ...looked,
      identityHash: address && deps.hashIdentity(caller.organisationId, canonicalise(address)),
      domainName: address && rowName(hashDomain(deps, caller.organisationId, address.domain)),
      isCorrected: {
        asTyped: correctionOf(email, null) !== null,
        toMeant: meant !== null && correctionOf(email, meant) !== null,
      },
      features: featuresOf(deps, looked, name),
      sharedAcceptsAll: shared && shared.flag && toldTo(shared.seenAs, shared.flag, caller.startedAt),
    },
    shared,
  };
}

function featuresOf({ lists, matchName }: ObserveDeps, looked: LookedUp, name: string | null): readonly Feature[] {
  const { address, mail, provider, traits, meantDomain: meant } = looked;
  if (address === null || mail === null) return [];
  const played = sandboxOf(looked);
  if (played !== null) return sandboxFeatures(played);
  const nameMatch = name === null || name === '' ? null : matchName(name, address.local).match;
  return localFeatures({ address, mail, provider, traits, lists, isTypo: meant !== null, nameMatch });
}

const SEEN_AS_DIGITS = 16;

/** Null without providers, under a test key and for invalid syntax. A store slower than the deadline has no flag. */
async function sharedFlag(
  deps: ObserveDeps,
  { organisationId, mode, startedAt }: Observer,
  { subject, deadlineMs }: ObserveInput,
): Promise<SharedFlag | null> {
  if (!subject.ok || mode !== 'live' || deps.providers.length === 0) return null;
  const { domain } = subject.address;
  const flag = await within(deps.domainFacts.acceptsAll(domain), Math.max(0, deadlineMs - startedAt));
  // Cut to the digits that distinguish organisations.
  const [seenAs = '', ...before] = hashesOfDomain(deps, organisationId, domain).map((hash) =>
    hash.slice(0, SEEN_AS_DIGITS),
  );
  return { flag: flag === LATE || flag === null ? null : seenAgainAs(flag, before, seenAs), seenAs };
}

/** The corrected domain. One whose mail a consumer provider takes is the provider's own, however similar to another. */
function meantAt(
  { classifyMailHosts, suggestDomain }: Pick<LookUpDeps, 'classifyMailHosts' | 'suggestDomain'>,
  lists: Lists,
  domain: string,
  mail: MailHosts,
  name: string | null,
): string | null {
  if (mail.kind === 'found' && areConsumerHosts(lists, classifyMailHosts, mail.hosts)) return null;
  return meantDomain(suggestDomain, lists, domain, mail.kind === 'unresolved' ? null : mail.kind === 'found', name);
}

/** A listed domain; else one whose mail hosts serve only listed domains. */
function disposal(
  { backEnds }: Pick<LookUpDeps, 'backEnds'>,
  listed: DisposableTier | null,
  domain: string,
  behind: readonly string[],
): Pick<Observed, 'disposableTier' | 'disposableBy'> {
  if (listed !== null) return { disposableTier: listed, disposableBy: 'list' };
  return backEnds.areSuspected(domain, behind)
    ? { disposableTier: 'signal', disposableBy: 'mail_hosts' }
    : { disposableTier: null, disposableBy: null };
}

const SANDBOX_HOSTS: MailHosts = { kind: 'found', hosts: ['aspmx.l.google.com'], implicit: false };

/** A slow case takes `patienceMs` at most. */
async function sandboxMail({ delayMs = 0, mail = SANDBOX_HOSTS }: SandboxCase, patienceMs: number): Promise<MailHosts> {
  await pause(Math.min(delayMs, patienceMs));
  return mail;
}

const sandboxLists = (real: Lists, played: SandboxCase): Lists => ({
  ...real,
  disposableTier: () => played.disposableTier ?? null,
  isRelay: () => played.relay === true,
  isAgent: () => false,
  isImitated: () => false,
  isFreeProvider: () => false,
  isSharedName: () => false,
  isRoleName: () => played.role === true,
});

/** Only what the case says, whatever `example.com` is. */
const sandboxFeatures = ({ meantDomain: meant, placeholder, role }: SandboxCase): Feature[] => [
  ...(meant === undefined ? [] : (['typo_domain'] as const)),
  ...(placeholder === true ? (['placeholder'] as const) : []),
  ...(role === true ? (['role'] as const) : []),
];

export function refuseInSandbox(looked: Pick<LookedUp, 'sandbox'>, meter: Meter | null): void {
  const refusal = sandboxOf(looked)?.refuses?.(meter) ?? null;
  if (refusal !== null) throw refusal;
}

/** Looks up the account's rules for the subject. */
export const rulesLookup = (subject: Subject): RuleLookup | null =>
  subject.ok ? { addressHash: subject.addressHash, domain: subject.address.domain } : null;

/** The same for a row of a file and, under a live key, its history. */
export function rowLookup(
  deps: HashDeps,
  { organisationId, mode }: Pick<Caller, 'organisationId' | 'mode'>,
  subject: Subject,
  jobId: Id<'bj'>,
): RuleLookup | null {
  const rules = rulesLookup(subject);
  if (rules === null || !subject.ok || mode !== 'live') return rules;
  const domain = rowName(hashDomain(deps, organisationId, subject.address.domain));
  return { ...rules, history: { domain, list: listOfJob(jobId) } };
}
