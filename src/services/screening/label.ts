import type { ScreeningLabels, ScreeningReason } from '../../contract/screening.ts';
import type { CheckReason } from '../../contract/vocabulary.ts';
import type { KeyMode } from '../../domain/access/key-format.ts';
import { mailboxFault } from '../../domain/address/mailbox-rules.ts';
import { parseAddress } from '../../domain/address/parse.ts';
import type { Lists } from '../../domain/lists/types.ts';
import { leavesDoubt, modelName } from '../../domain/screening/model/name-shape.ts';
import type { NameMatcher, NameMatchResult } from '../../domain/screening/names/match-name.ts';
import { isPlaceholder } from '../../domain/screening/placeholder/placeholder.ts';
import { splitTyped, type TypedAddress } from '../../domain/screening/placeholder/typed.ts';
import type { DomainSuggester } from '../../domain/screening/typo/suggest.ts';
import type { Id } from '../../kernel/ids.ts';
import type { LocalFacts } from '../verification/local-facts.ts';
import { type AskModelDeps, askModel, type ModelAnswers, NOTHING_ASKED } from './ask-model.ts';

export interface LabelDeps {
  readonly lists: Lists;
  readonly suggestDomain: DomainSuggester;
  readonly matchName: NameMatcher;
  readonly model: AskModelDeps;
}

export interface ScreeningSubject {
  readonly organisationId: Id<'org'>;
  /** As typed. */
  readonly email: string;
  /** Trimmed; null: none was sent. */
  readonly name: string | null;
  readonly mode: KeyMode;
  readonly facts: LocalFacts;
}

export interface Labelled {
  readonly labels: ScreeningLabels;
  /** The domain of `typo_suggestion` where that is what was put right; it tells nothing of the address. */
  readonly suggestedDomain: string | null;
  readonly costMicros: number;
}

/** What the code and, where it is left in doubt, the model say of an address and a name. Never rejects. */
export async function label(deps: LabelDeps, subject: ScreeningSubject): Promise<Labelled> {
  const { email, name, facts } = subject;
  const typed = typedAs(email);
  const named = nameMatch(deps, typed, name);
  const asked = await askAbout(deps, subject, named);
  const suggested = facts.sandbox === null ? suggestedDomain(deps, typed, facts) : (facts.sandbox.typoOf ?? null);
  const suggestion = corrected(typed, suggested, named.correctedLocalPart);
  const isOfName = FITS.has(named.match);
  const placeholder =
    facts.sandbox === null ? isPlaceholder(typed, deps.lists, isOfName) : facts.sandbox.placeholder === true;
  const found: ReadonlySet<ScreeningReason | CheckReason> = new Set(facts.precheck.reasons);
  // In the contract's order.
  const present: Readonly<Record<ScreeningReason, boolean>> = {
    syntax_invalid: found.has('syntax_invalid'),
    address_blocklisted: found.has('address_blocklisted'),
    domain_blocklisted: found.has('domain_blocklisted'),
    no_mx: found.has('no_mx'),
    disposable_domain: found.has('disposable_domain'),
    typo_domain: suggestion !== null && suggested !== null,
    typo_name: named.match === 'typo',
    placeholder,
    name_mismatch: named.match === 'mismatch',
    fake_name: asked.fakeName === 'likely',
    domain_suspicious: SUSPICIOUS.has(asked.domainCheck),
    role_account: facts.traits.role,
  };
  const reasons = (Object.keys(present) as ScreeningReason[]).filter((reason) => present[reason]);
  return {
    labels: {
      typo_suggestion: suggestion,
      typo_source: suggestion === null ? null : suggested === null ? 'name_match' : 'domain',
      name_match: named.match,
      fake_name: asked.fakeName,
      domain_check: asked.domainCheck,
      placeholder,
      recommendation: reasons.some((reason) => !HARMLESS.has(reason)) ? 'review' : 'allow',
      reasons,
      degraded: asked.degraded,
    },
    suggestedDomain: suggestion === null ? null : suggested,
    costMicros: asked.costMicros,
  };
}

/** The suggestion again, from the domain it was made with: the rest of it follows from the address and the name alone. */
export function suggestionAgain(
  deps: Pick<LabelDeps, 'matchName'>,
  email: string,
  name: string | null,
  domain: string | null,
): string | null {
  const typed = typedAs(email);
  return corrected(typed, domain, nameMatch(deps, typed, name).correctedLocalPart);
}

function typedAs(email: string): TypedAddress {
  const parsed = parseAddress(email);
  return parsed.ok ? parsed.address : splitTyped(email.trim());
}

/** A local part that the provider does not give out (five letters at Gmail) is not what a person meant: no slip then. */
function nameMatch(
  { matchName }: Pick<LabelDeps, 'matchName'>,
  { local, domain }: TypedAddress,
  name: string | null,
): NameMatchResult {
  if (name === null) return { match: 'not_checked', correctedLocalPart: null };
  const found = matchName(name, local);
  const { correctedLocalPart } = found;
  const isGivenOut = correctedLocalPart === null || mailboxFault(correctedLocalPart, domain) === null;
  return isGivenOut ? found : { match: 'partial', correctedLocalPart: null };
}

/** What tells that a local part is made of the name sent with it. */
const FITS: ReadonlySet<NameMatchResult['match']> = new Set(['match', 'typo', 'partial']);

const SUSPICIOUS: ReadonlySet<ScreeningLabels['domain_check']> = new Set([
  'typo_like',
  'lookalike',
  'placeholder',
  'throwaway_like',
]);

/** Alone these are no ground for a second look: desks sign up, and people use names we don't know them by. */
const HARMLESS: ReadonlySet<ScreeningReason> = new Set(['name_mismatch', 'role_account']);

/** Live, the model is asked where the code is left in doubt, once the request is admitted; the sandbox only pretends. */
async function askAbout(deps: LabelDeps, subject: ScreeningSubject, named: NameMatchResult): Promise<ModelAnswers> {
  const { organisationId, mode, facts } = subject;
  if (mode === 'test') return { ...NOTHING_ASKED, degraded: facts.sandbox?.fails === true };
  const name = modelName(subject.name ?? '');
  const subjects = {
    organisationId,
    name: leavesDoubt(name, named.match) ? name : null,
    domain: isWorthAsking(deps.lists, facts) ? facts.domain : null,
  };
  return askModel(deps.model, subjects, facts.admission.reached);
}

/** About a listed domain nothing is left to ask; about one without mail enough is known, however it looks. */
const isWorthAsking = (lists: Lists, { address, domain, precheck }: LocalFacts): boolean =>
  address !== null && !precheck.reasons.includes('no_mx') && !isListed(lists, domain);

const isGenuine = (lists: Lists, domain: string): boolean =>
  lists.isKnown(domain) || lists.isFreeProvider(domain) || lists.isRelay(domain) || lists.isAgent(domain);

const isListed = (lists: Lists, domain: string): boolean =>
  isGenuine(lists, domain) || lists.disposableTier(domain) !== null;

function suggestedDomain(
  { lists, suggestDomain }: LabelDeps,
  typed: TypedAddress,
  { precheck }: LocalFacts,
): string | null {
  // The account has said that the domain, or the address as it is, is meant.
  if (precheck.reasons.some((reason) => reason === 'domain_allowlisted' || reason === 'address_allowlisted'))
    return null;
  const known = (domain: string): boolean => isGenuine(lists, domain);
  return suggestDomain(typed.domain, { known, receivesMail: precheck.mx })?.domain ?? null;
}

/** The address with what is wrong put right; null when nothing is, or when it would be no address. */
function corrected(typed: TypedAddress, domain: string | null, local: string | null): string | null {
  if (domain === null && local === null) return null;
  const address = `${local ?? typed.local}@${domain ?? typed.domain}`;
  return parseAddress(address).ok ? address : null;
}
