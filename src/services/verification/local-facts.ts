import { parseAddress } from '../../domain/address/parse.ts';
import type { Address } from '../../domain/address/types.ts';
import { type Precheck, precheck } from '../../domain/answer/precheck.ts';
import { type SandboxCase, sandboxCase } from '../../domain/answer/sandbox.ts';
import { type Traits, traitsOf } from '../../domain/answer/signals.ts';
import type { FindMailHosts, MailHosts } from '../../domain/dns/mail-hosts.ts';
import type { Lists } from '../../domain/lists/types.ts';
import type { BackEnds } from '../../domain/mailbox-provider/back-ends.ts';
import { type MailboxProvider, type MailHostClassifier, NO_HOSTS } from '../../domain/mailbox-provider/classify.ts';
import { areConsumerHosts, isConsumerDomain } from '../../domain/mailbox-provider/consumer.ts';
import { typedAs } from '../../domain/screening/typo/corrected.ts';
import type { DomainSuggester } from '../../domain/screening/typo/suggest.ts';
import type { Id } from '../../kernel/ids.ts';
import type { RuleProbe } from '../../organisation/api.ts';
import type { Admission } from '../admission.ts';
import type { AdmittedRequest, Caller } from '../caller.ts';
import { inSandbox } from './in-sandbox.ts';
import { meantDomain } from './meant-domain.ts';

export interface LocalFactsDeps {
  readonly lists: Lists;
  readonly findMailHosts: FindMailHosts;
  readonly classifyMailHosts: MailHostClassifier;
  readonly suggestDomain: DomainSuggester;
  readonly backEnds: BackEnds;
  /** Keyed hash of a normalised address within an organisation, 64 hex digits. */
  hashAddress(organisationId: Id<'org'>, normalised: string): string;
}

/** What is known of an address without asking a provider: from its text, the lists, DNS and the account's rules. */
export interface LocalFacts {
  /** Null: the syntax is broken. */
  readonly address: Address | null;
  readonly addressHash: string | null;
  /** The address's domain. Of broken syntax, the text after the last `@` as far as it can be read, or `""`. */
  readonly domain: string;
  readonly admission: Admission;
  /** The sandbox's case, where a test key names one. */
  readonly sandbox: SandboxCase | null;
  /** Null for broken syntax. */
  readonly mail: MailHosts | null;
  readonly provider: MailboxProvider;
  /** Names of what stands behind the mail hosts. */
  readonly backEnds: readonly string[];
  /** Which rule calls the domain disposable or suspected, rules of the account aside. */
  readonly disposableBy: 'list' | 'mail_hosts' | null;
  readonly traits: Traits;
  readonly precheck: Precheck;
  /** The well-known domain that was meant, where the typed one is a slip of it; also of an address with broken syntax. */
  readonly meantDomain: string | null;
}

/** The address that a request is about, with its keyed hash in the organisation. */
export type ParsedSubject =
  | { readonly ok: true; readonly address: Address; readonly addressHash: string }
  /** `typedDomain`: the text after the last `@`, without what stands around the address. */
  | { readonly ok: false; readonly domain: string; readonly typedDomain: string };

export function subjectOf(
  { hashAddress }: Pick<LocalFactsDeps, 'hashAddress'>,
  { organisationId }: Pick<Caller, 'organisationId'>,
  email: string,
): ParsedSubject {
  const parsed = parseAddress(email);
  if (!parsed.ok) return { ok: false, domain: parsed.domain, typedDomain: typedAs(email).domain };
  const { address } = parsed;
  return { ok: true, address, addressHash: hashAddress(organisationId, address.normalised) };
}

/** The facts that need no permission: the domain's mail hosts, real or of the sandbox. */
export interface LookedUp {
  readonly subject: ParsedSubject;
  /** The sandbox's case, where a test key names one. */
  readonly sandbox: SandboxCase | null;
  /** The real ones, or the sandbox's. */
  readonly lists: Lists;
  /** Null for broken syntax. */
  readonly mail: MailHosts | null;
}

/** Looks the domain up, until `deadlineMs` at most. A failed look-up is a finding. Never rejects. */
export async function lookUp(
  deps: Pick<LocalFactsDeps, 'lists' | 'findMailHosts'>,
  { mode, startedAt }: Pick<Caller, 'mode' | 'startedAt'>,
  subject: ParsedSubject,
  deadlineMs: number,
): Promise<LookedUp> {
  if (!subject.ok) return { subject, sandbox: null, lists: deps.lists, mail: null };
  const sandbox = sandboxCase({ mode }, subject.address);
  const { findMailHosts, lists } =
    sandbox === null ? deps : inSandbox(deps, sandbox, Math.max(0, deadlineMs - startedAt));
  const mail = await findMailHosts(subject.address.domain, deadlineMs);
  return { subject, sandbox, lists, mail };
}

/** Asks the object which of the account's rules match the subject. */
export const rulesProbe = (subject: ParsedSubject): RuleProbe | null =>
  subject.ok ? { addressHash: subject.addressHash, domain: subject.address.domain } : null;

/**
 * Puts together what was looked up and what the object answered. `name`: the person's, where one was sent. Throws the refusal
 * of a sandbox's case.
 */
export function localFacts(
  deps: Pick<LocalFactsDeps, 'classifyMailHosts' | 'suggestDomain' | 'backEnds'>,
  { meter, admitted: admission }: Pick<AdmittedRequest<Admission>, 'meter' | 'admitted'>,
  { subject, sandbox, lists, mail }: LookedUp,
  name: string | null,
): LocalFacts {
  const refusal = sandbox?.refuses?.(meter) ?? null;
  if (refusal !== null) throw refusal;
  if (!subject.ok || mail === null) {
    const checked = precheck(null);
    const typed = subject.ok ? subject.address.domain : subject.typedDomain;
    return {
      address: null,
      addressHash: null,
      domain: subject.ok ? subject.address.domain : subject.domain,
      admission,
      sandbox: null,
      mail: null,
      provider: NO_HOSTS,
      backEnds: [],
      disposableBy: null,
      traits: traitsOf(null, lists, false),
      precheck: checked,
      meantDomain: meantDomain(deps.suggestDomain, lists, typed, checked, name),
    };
  }
  const { address, addressHash } = subject;
  const { domain } = address;
  const hosts = mail.kind === 'found' ? mail.hosts : [];
  const traits = traitsOf(address, lists, isConsumerDomain(lists, deps.classifyMailHosts, domain, hosts));
  const backEnds = deps.backEnds.of(domain, mail);
  const listed = lists.disposableTier(domain);
  const isSuspected = listed === null && deps.backEnds.areSuspected(domain, backEnds);
  const checked = precheck({ mail, disposableTier: isSuspected ? 'signal' : listed, rules: admission.rules });
  // A domain whose mail a consumer provider takes is one of its own, however near it is to another.
  const meant = areConsumerHosts(lists, deps.classifyMailHosts, hosts)
    ? null
    : meantDomain(deps.suggestDomain, lists, domain, checked, name);
  return {
    address,
    addressHash,
    domain,
    admission,
    sandbox,
    mail,
    provider: deps.classifyMailHosts({ hosts, domain, isFree: traits.consumer }),
    backEnds,
    disposableBy: listed !== null ? 'list' : isSuspected ? 'mail_hosts' : null,
    traits,
    precheck: checked,
    meantDomain: sandbox === null ? meant : (sandbox.meantDomain ?? null),
  };
}
