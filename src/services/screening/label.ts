import type { ScreeningLabels, ScreeningReason } from '../../contract/screening.ts';
import type { CheckReason } from '../../contract/vocabulary.ts';
import type { KeyMode } from '../../domain/access/keys.ts';
import { isAllowlisted, type LocalFacts, sandboxOf } from '../../domain/answer/observed.ts';
import { mailboxFault } from '../../domain/address/mailbox-rules.ts';
import { isLegitimate } from '../../domain/lists/review-list.ts';
import type { Lists } from '../../domain/lists/lists.ts';
import { leavesDoubt, modelName } from '../../domain/screening/model.ts';
import type { NameMatcher, NameMatchResult } from '../../domain/screening/names/match-name.ts';
import type { Labelled } from '../../domain/screening/record.ts';
import { isPlaceholder } from '../../domain/screening/placeholder/placeholder.ts';
import { type TypedAddress, corrected, typedAs } from '../../domain/screening/typed-address.ts';
import { isImitation } from '../../domain/screening/typo/imitation.ts';
import type { Id } from '../../kernel/ids.ts';
import { type AskModelDeps, askModel, type ModelAnswers, NOTHING_ASKED } from './ask-model.ts';

export interface LabelDeps {
  readonly lists: Lists;
  readonly matchName: NameMatcher;
  readonly model: AskModelDeps;
}

export interface ScreeningSubject {
  readonly organisationId: Id<'org'>;
  /** As typed. */
  readonly email: string;
  /** Trimmed; null means none was sent. */
  readonly name: string | null;
  readonly mode: KeyMode;
  readonly facts: LocalFacts;
  /** False: the organisation's object is unreachable. */
  readonly isReached: boolean;
}

/** Screens an address and a name by code and, in doubt, by the model. Never rejects. */
export async function label(deps: LabelDeps, subject: ScreeningSubject): Promise<Labelled> {
  const { email, name, facts } = subject;
  const typed = typedAs(email);
  const suggested = facts.meantDomain;
  const named = nameMatch(deps, typed, suggested, name);
  const asked = await askAbout(deps, subject, named);
  const suggestion = corrected(typed, suggested, named.correctedLocalPart);
  const isOfName = FITS.has(named.match);
  const played = sandboxOf(facts);
  const placeholder = played === null ? isPlaceholder(typed, deps.lists, isOfName) : played.placeholder === true;
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
    domain_suspicious: SUSPICIOUS.has(asked.domainCheck) || imitates(deps, typed, facts),
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

/** Recreates a suggestion from its domain: the rest follows from the address and the name. */
export function suggestionAgain(
  deps: Pick<LabelDeps, 'matchName'>,
  email: string,
  name: string | null,
  domain: string | null,
): string | null {
  const typed = typedAs(email);
  return corrected(typed, domain, nameMatch(deps, typed, domain, name).correctedLocalPart);
}

/**
 * A local part that the provider does not issue (five letters at Gmail) is not a typo's correction. `suggested`: the
 * corrected domain, or null.
 */
function nameMatch(
  { matchName }: Pick<LabelDeps, 'matchName'>,
  { local, domain }: TypedAddress,
  suggested: string | null,
  name: string | null,
): NameMatchResult {
  if (name === null) return { match: 'not_checked', correctedLocalPart: null };
  const found = matchName(name, local);
  const { correctedLocalPart } = found;
  const isGivenOut =
    correctedLocalPart === null || mailboxFault(correctedLocalPart, (suggested ?? domain).toLowerCase()) === null;
  return isGivenOut ? found : { match: 'partial', correctedLocalPart: null };
}

/** Results that count as a local part made of the name. */
const FITS: ReadonlySet<NameMatchResult['match']> = new Set(['match', 'typo', 'partial']);

const SUSPICIOUS: ReadonlySet<ScreeningLabels['domain_check']> = new Set([
  'typo_like',
  'lookalike',
  'placeholder',
  'throwaway_like',
]);

/** Reasons that alone need no review: functional mailboxes sign up, and people use other names. */
const HARMLESS: ReadonlySet<ScreeningReason> = new Set(['name_mismatch', 'role_account']);

/** Asks the model if the code is in doubt. A test key never reaches it: the sandbox's case gives its answer. */
async function askAbout(deps: LabelDeps, subject: ScreeningSubject, named: NameMatchResult): Promise<ModelAnswers> {
  const { organisationId, mode, facts, isReached } = subject;
  if (mode === 'test') return { ...NOTHING_ASKED, degraded: sandboxOf(facts)?.fails === true };
  const name = modelName(subject.name ?? '');
  const subjects = {
    organisationId,
    name: leavesDoubt(name, named.match) ? name : null,
    domain: isWorthAsking(deps.lists, facts) ? facts.domain : null,
  };
  return askModel(deps.model, subjects, isReached);
}

/** The model is not asked about a listed domain, which is known, or one without mail hosts, which is bad enough. */
const isWorthAsking = (lists: Lists, { address, domain, precheck }: LocalFacts): boolean =>
  address !== null && !precheck.reasons.includes('no_mx') && !isListed(lists, domain);

const isListed = (lists: Lists, domain: string): boolean =>
  isLegitimate(lists, domain) || lists.disposableTier(domain) !== null;

/** A look-alike recognised by the code alone: the model has its own label. The account's allowlist comes first. */
const imitates = ({ lists }: LabelDeps, { domain }: TypedAddress, { sandbox, precheck }: LocalFacts): boolean =>
  sandbox === null &&
  !isAllowlisted(precheck.reasons) &&
  isImitation(domain, { known: (name) => isLegitimate(lists, name), imitated: (name) => lists.isImitated(name) });
