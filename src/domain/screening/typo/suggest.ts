import { type Candidates, DIGITS, offerProviders, offerSuffixes } from './candidates.ts';
import { EVENT, LARGE, RECEIVES } from './events.ts';
import { type LabelModel, openLabelModel } from './label-model.ts';
import { isMailboxDomain, mailboxDomainAt } from './mailbox-domains.ts';
import { meantLog, ownDomainLog, takeApart } from './typed-domain.ts';
import { exactly, readDomain, type TypedReading } from './typed-reading.ts';

/** What is known of the typed domain beside its letters. */
export interface DomainEvidence {
  /** Whether a domain (lower-case A-labels) is on a list of real ones: providers, relays, schools, companies. */
  readonly known: (domain: string) => boolean;
  /** Whether the typed domain has mail hosts; null when DNS has not said. */
  readonly receivesMail: boolean | null;
}

export interface DomainSuggestion {
  /** Lower-case A-labels. */
  readonly domain: string;
  /** That this domain was meant. */
  readonly probability: number;
}

/** `typed`: the domain of an address as typed, in any case and script, host name or not. Null: no suggestion. */
export type DomainSuggester = (typed: string, evidence: DomainEvidence) => DomainSuggestion | null;

/** One suggestion in ten may be wrong, as judged here; of the real domains near a provider far fewer are. */
const SURE = 0.9;
/** A name of five letters or more that is in use may be a word that the label model has not seen (`hello.nl`, `carter.net`). */
const SURE_IN_USE = 0.92;
const WORD = 5;
/** Nearly every name of three letters is somebody's, and in use when it has mail hosts: one in five hundred may be wrong. */
const SURE_SHORT = 0.998;
const SHORT = 3;
const WEB_HOST = 'www.';
/** Two digits and a letter. Many real names are made of digits only. */
const DIGITS_IN_NAME = /^(?=.*[a-z]).*\d.*\d/;

/** `labels`: the packed label model, `data/labels.bin` of the lists. Throws when it is not what the builder wrote. */
export function createDomainSuggester(labels: ArrayBuffer | Uint8Array): DomainSuggester {
  const labelCost = openLabelModel(labels);
  return (typed, evidence) => {
    const reading = readDomain(typed);
    if (reading === null) return null;
    const { text, kind, marks } = reading;
    // A provider has no mailboxes at its web site's name, though it answers for everything below its domain.
    const site = text.startsWith(WEB_HOST) ? text.slice(WEB_HOST.length) : text;
    if (isMailboxDomain(site)) return site === typed.trim().toLowerCase() ? null : { domain: site, probability: 1 };
    // Marks are letters of their own in many languages (`bücher.de` is not `bucher.de`), look-alikes are letters in none.
    if (marks === 0 && evidence.known(text)) return kind === 'exact' ? null : { domain: text, probability: 1 };
    return weigh({ ...reading, text: site }, evidence, labelCost);
  };
}

/**
 * How much likelier what DNS says is of a domain meant than of a slip of `slipOf`. It tells the domain as typed from a slip,
 * never one slip from another: so mail hosts make no suggestion surer than it was without them.
 */
function mailFactor(slipOf: string, receivesMail: boolean | null): number {
  if (receivesMail === null) return 1;
  const received =
    (mailboxDomainAt(slipOf)?.logShare ?? Number.NEGATIVE_INFINITY) >= LARGE
      ? RECEIVES.slipOfLarge
      : RECEIVES.slipOfOther;
  return receivesMail ? RECEIVES.meant / received : (1 - RECEIVES.meant) / (1 - received);
}

/** The least probability to speak at: more for another short name that is in use. */
function sureAt(name: string, best: string, receivesMail: boolean | null): number {
  const otherName = name.length <= SHORT && !best.startsWith(`${name}.`);
  if (receivesMail !== true) return SURE;
  if (otherName) return SURE_SHORT;
  return name.length >= WORD ? SURE_IN_USE : SURE;
}

/** The likeliest of what may have been meant, when it is much likelier than the rest and than the domain as typed. */
function weigh(reading: TypedReading, evidence: DomainEvidence, labelCost: LabelModel): DomainSuggestion | null {
  const typed = takeApart(reading.text);
  if (typed.name === '') return null;
  // DNS has no answer about a name that can't be asked for.
  const receivesMail = typed.suffixExists && reading.kind !== 'repaired' ? evidence.receivesMail : null;
  const meant = meantLog(typed, reading, labelCost);
  const misread = reading.lookAlikes * EVENT.lookAlike + reading.marks * EVENT.mark + reading.strays * EVENT.stray;
  const candidates: Candidates = new Map();
  let floor = offerProviders(candidates, typed, meant - misread, labelCost);
  if (DIGITS_IN_NAME.test(typed.name))
    floor = Math.max(floor, offerProviders(candidates, typed, meant - misread, labelCost, DIGITS));
  // The suffix of an internationalised name can't be put right without touching its letters.
  if (!typed.suffixExists && reading.kind !== 'look_alike') offerSuffixes(candidates, typed, evidence.known, labelCost);
  if (typed.suffixExists && reading.kind === 'repaired')
    candidates.set(typed.text, ownDomainLog(labelCost, typed.name, typed.suffix));

  let best = '';
  let bestLog = Number.NEGATIVE_INFINITY;
  for (const [domain, log] of candidates) if (log > bestLog) [best, bestLog] = [domain, log];
  if (best === '') return null;
  let total = Math.exp(meant - misread - bestLog) * mailFactor(best, receivesMail);
  // The provider below the floor that comes closest to it may be as likely as the floor.
  if (isMailboxDomain(best)) total += Math.exp(floor - bestLog);
  for (const log of candidates.values()) total += Math.exp(log - bestLog);
  const probability = 1 / total;
  if (probability < sureAt(typed.name, best, receivesMail)) return null;
  if (isMailboxDomain(best) || evidence.known(best)) return { domain: best, probability };
  if (takeApart(best).name === '') return null;
  // With its ending put right it may still be a slip of a provider.
  const further = weigh(exactly(best), { ...evidence, receivesMail: null }, labelCost);
  if (further === null) return { domain: best, probability };
  return probability * further.probability >= SURE ? further : null;
}
