import {
  walkMailboxDomains,
  MAIL_BRANDS,
  type MailboxDomain,
  WORLD_BRANDS,
  isMailboxDomain,
  mailboxDomainAt,
} from './mailbox-domains.ts';
import {
  DOMAIN_SUFFIXES,
  EVENT,
  LARGE,
  RECEIVES,
  type TypedDomain,
  meantLog,
  ownDomainLog,
  suffixShare,
  takeApart,
} from './typed-domain.ts';
import { type TypedReading, exactly, readDomain } from './typed-reading.ts';
import {
  BOUNDARY,
  TYPO,
  type TypedText,
  areBeside,
  firstRow,
  nextRow,
  prepare,
  symbolAt,
  type LabelModel,
  SUBSTITUTE,
  SUBSTITUTE_DIGITS,
  openLabelModel,
} from './typos.ts';

/** A longer ending is too long for a typo of a suffix. */
const LONGEST = 12;
const WIDTH = LONGEST + 1;
/** Two typos in so short an ending leave nothing to go by. */
const MOST = 14;
/** One matrix for all, since all of this is synchronous. */
const ROWS = new Float64Array(WIDTH ** 2);

/** A candidate suffix, the end of the name before it, and the cost of the typos in nats. */
interface SuffixTypo {
  readonly suffix: string;
  readonly end: number;
  readonly cost: number;
}

/** Suffixes that the last label, or the last two, may be a typo of; without a dot, those the text ends in. */
function suffixTypos(text: string): SuffixTypo[] {
  const last = text.lastIndexOf('.');
  if (last < 0) {
    return DOMAIN_SUFFIXES.filter(
      (suffix) => suffix.length > 2 && text.length > suffix.length + 2 && text.endsWith(suffix),
    ).map((suffix) => ({ suffix, end: text.length - suffix.length, cost: TYPO.dotOmit }));
  }
  const second = text.lastIndexOf('.', last - 1);
  return [last, second].flatMap((end) => {
    const ending = text.slice(end + 1);
    if (end < 1 || ending.length > LONGEST) return [];
    const typed = prepare(ending);
    return DOMAIN_SUFFIXES.map((suffix) => ({ suffix, end, cost: typoCost(typed, suffix) })).filter(
      ({ cost }) => cost <= MOST,
    );
  });
}

/** A suffix's final country code and the rest of it, or null. */
function countryOf(suffix: string): { head: string; code: string } | null {
  const at = suffix.lastIndexOf('.') + 1;
  return suffix.length - at === 2 ? { head: suffix.slice(0, at), code: suffix.slice(at) } : null;
}

/**
 * Whether a valid suffix names another country rather than being a typo: whoever types `.lk` after a correct name wants
 * Sri Lanka, unless the two keys are adjacent or swapped.
 */
function isOtherCountry(typed: string, meant: string): boolean {
  const [one, other] = [countryOf(typed), countryOf(meant)];
  if (one === null || other === null || one.code === other.code) return false;
  const [a = '', b = ''] = one.code;
  const [c = '', d = ''] = other.code;
  const near = (a === c && areBeside(b, d)) || (b === d && areBeside(a, c)) || (a === d && b === c);
  return one.head !== other.head || !near;
}

/** A suffix's cost as a typo of another, in nats; infinite if too far away. */
const suffixTypoCost = (typed: string, meant: string): number =>
  typed.length > LONGEST ? Number.POSITIVE_INFINITY : typoCost(prepare(typed), meant);

function typoCost(typed: TypedText, suffix: string): number {
  if (Math.abs(suffix.length - typed.length) > 1) return Number.POSITIVE_INFINITY;
  firstRow(ROWS, typed);
  let before = BOUNDARY;
  for (let i = 0; i < suffix.length; i += 1) {
    const symbol = symbolAt(suffix, i);
    if (nextRow(ROWS, WIDTH, i + 1, before, symbol, typed) > MOST) return Number.POSITIVE_INFINITY;
    before = symbol;
  }
  return ROWS[suffix.length * WIDTH + typed.length] as number;
}

/** Candidate domains, each with ln P(it was meant, and this was typed). */
type Candidates = Map<string, number>;

/** No real domain is less likely than this, so most of the trie is pruned. */
const FLOOR = -25;
/** The same for a text that is invalid as typed: about one typo more. */
const FLOOR_UNREAL = -30;
/** Nats below the text as typed. So small a gain is no typo, even if DNS knows no mail host. */
const OUTWEIGHED = 4;
/** Nats below the best candidate: a thousandth of it does not change the decision. */
const NEGLIGIBLE = 7;
/** A country's share of all people, which counts for a world-wide brand instead of its registrations. */
const COUNTRY = Math.log(0.001);
/** A repaired domain that is known to exist, against one that may not. */
const KNOWN_FACTOR = Math.log(20);

/** A way to compare: the cost of a wrong symbol, and the way's own likelihood. */
interface Channel {
  readonly substitute: Float64Array;
  readonly log: number;
}
const TYPED: Channel = { substitute: SUBSTITUTE, log: 0 };
const DIGITS: Channel = { substitute: SUBSTITUTE_DIGITS, log: EVENT.digits };

const offer = (candidates: Candidates, domain: string, log: number): void => {
  if (log > (candidates.get(domain) ?? Number.NEGATIVE_INFINITY)) candidates.set(domain, log);
};

/**
 * Providers the text may be a typo of. `meant`: the text's own weight; candidates far below it are left out. Returns
 * the ln P they stay below, so that the remainder can be counted.
 */
function offerProviders(
  candidates: Candidates,
  { text, name, suffix, suffixExists }: TypedDomain,
  meant: number,
  labelCost: LabelModel,
  channel: Channel = TYPED,
): number {
  const lastDot = text.lastIndexOf('.');
  const suffixLog = suffixExists ? Math.log(suffixShare(suffix)) : -labelCost(suffix);
  const abroadLog = suffixExists && suffix.length === 2 ? Math.max(suffixLog, COUNTRY) : suffixLog;
  const addedLog = EVENT.suffixAdded + Math.log(suffixShare(text.slice(lastDot + 1)));
  let floor = Math.max(suffixExists ? FLOOR : FLOOR_UNREAL, meant - OUTWEIGHED);
  const typo = (provider: MailboxDomain, typoLog: number): void => {
    const log = provider.logShare + typoLog + channel.log;
    if (log < floor) return;
    offer(candidates, provider.domain, log);
    floor = Math.max(floor, log - NEGLIGIBLE);
  };
  walkMailboxDomains(text, channel.substitute, {
    floor: () => floor - channel.log,
    provider(provider, costAt) {
      const abroad = suffixExists && name === provider.brand && isOtherCountry(suffix, provider.suffix);
      if (!abroad) typo(provider, -costAt(text.length));
      if (lastDot > 0) typo(provider, addedLog - costAt(lastDot));
    },
    brand(providers, costAt) {
      for (const provider of providers) {
        for (const twice of provider.repeated) {
          if (text.endsWith(twice)) typo(provider, EVENT.suffixRepeated - costAt(text.length - twice.length));
        }
        if (suffix === '') {
          if (name === provider.brand)
            typo(provider, provider === providers[0] ? EVENT.suffixForgotten : EVENT.lesserSuffixForgotten);
        } else if (provider.suffix.endsWith(`.${suffix}`)) {
          typo(provider, EVENT.secondLevelOmitted - costAt(name.length));
        } else if (provider.suffix !== suffix && isKnownAbroad(provider)) {
          typo(provider, EVENT.otherSuffix + abroadLog - costAt(name.length));
        }
      }
    },
  });
  return floor;
}

/** Whether people expect the brand to have mail under further suffixes. */
const isKnownAbroad = ({ brand, suffix }: MailboxDomain): boolean =>
  MAIL_BRANDS.has(brand) || (WORLD_BRANDS.has(brand) && suffix === 'com');

function offerSuffixes(
  candidates: Candidates,
  { text }: TypedDomain,
  known: (domain: string) => boolean,
  labelCost: LabelModel,
): void {
  for (const { suffix, end, cost } of suffixTypos(text)) {
    const name = text.slice(0, end);
    const domain = `${name}.${suffix}`;
    // Registries sell hardly any single letter: the typo is elsewhere.
    if (name.length === 1 && !known(domain)) continue;
    const log = ownDomainLog(labelCost, name, suffix) - cost;
    offer(candidates, domain, known(domain) ? log + KNOWN_FACTOR : log);
  }
}

/** Facts about the typed domain beside its letters. */
export interface DomainEvidence {
  /** Whether a domain (lower-case A-labels) is on a list of real ones: providers, relays, schools, companies. */
  readonly known: (domain: string) => boolean;
  /** Whether the typed domain has mail hosts, or null. */
  readonly receivesMail: boolean | null;
}

export interface DomainSuggestion {
  /** Lower-case A-labels. */
  readonly domain: string;
  /** That this is the right domain. */
  readonly probability: number;
}

/** `typed`: the domain of an address in any case and script, host name or not. Null means no suggestion. */
export type DomainSuggester = (typed: string, evidence: DomainEvidence) => DomainSuggestion | null;

/** One suggestion in ten may be wrong by this estimate; for real domains near a provider far fewer are. */
const SURE = 0.9;
/** A name of five letters or more in use may be a word unknown to the label model (`hello.nl`, `carter.net`). */
const SURE_IN_USE = 0.92;
const WORD = 5;
/** Nearly every name of three letters exists, and is in use if it has mail hosts: one in five hundred may be wrong. */
const SURE_SHORT = 0.998;
const SHORT = 3;
const WEB_HOST = 'www.';
/** Two digits and a letter. Many real names consist of digits. */
const DIGITS_IN_NAME = /^(?=.*[a-z]).*\d.*\d/;

/** `labels`: the packed label model, `data/labels.bin` of the lists. Throws if the builder did not write it. */
export function createDomainSuggester(labels: ArrayBuffer | Uint8Array): DomainSuggester {
  const labelCost = openLabelModel(labels);
  return (typed, evidence) => {
    const reading = readDomain(typed);
    if (reading === null) return null;
    const { text, kind, marks } = reading;
    // A provider has no mailboxes at its web host's name, though it answers for everything below its domain.
    const site = text.startsWith(WEB_HOST) ? text.slice(WEB_HOST.length) : text;
    if (isMailboxDomain(site)) return site === typed.trim().toLowerCase() ? null : { domain: site, probability: 1 };
    // Marks are letters of their own in many languages (`bücher.de` is not `bucher.de`), look-alikes in none.
    if (marks === 0 && evidence.known(text)) return kind === 'exact' ? null : { domain: text, probability: 1 };
    return weigh({ ...reading, text: site }, evidence, labelCost);
  };
}

/**
 * How much likelier DNS's answer is for a real domain than for a typo of `typoOf`. It separates the typed domain from a
 * typo, never one typo from another: mail hosts make no suggestion surer.
 */
function mailFactor(typoOf: string, receivesMail: boolean | null): number {
  if (receivesMail === null) return 1;
  const received =
    (mailboxDomainAt(typoOf)?.logShare ?? Number.NEGATIVE_INFINITY) >= LARGE
      ? RECEIVES.typoOfLarge
      : RECEIVES.typoOfOther;
  return receivesMail ? RECEIVES.meant / received : (1 - RECEIVES.meant) / (1 - received);
}

/** The lowest probability for a suggestion: higher for another short name in use. */
function sureAt(name: string, best: string, receivesMail: boolean | null): number {
  const otherName = name.length <= SHORT && !best.startsWith(`${name}.`);
  if (receivesMail !== true) return SURE;
  if (otherName) return SURE_SHORT;
  return name.length >= WORD ? SURE_IN_USE : SURE;
}

/** The likeliest candidate, if much likelier than the rest and than the domain as typed. */
function weigh(reading: TypedReading, evidence: DomainEvidence, labelCost: LabelModel): DomainSuggestion | null {
  const typed = takeApart(reading.text);
  if (typed.name === '') return null;
  // DNS can't be asked about such a name.
  const receivesMail = typed.suffixExists && reading.kind !== 'repaired' ? evidence.receivesMail : null;
  const meant = meantLog(typed, reading, labelCost);
  const misread = reading.lookAlikes * EVENT.lookAlike + reading.marks * EVENT.mark + reading.strays * EVENT.stray;
  const candidates: Candidates = new Map();
  let floor = offerProviders(candidates, typed, meant - misread, labelCost);
  if (DIGITS_IN_NAME.test(typed.name))
    floor = Math.max(floor, offerProviders(candidates, typed, meant - misread, labelCost, DIGITS));
  // The suffix of an internationalised name can't be corrected without touching its letters.
  if (!typed.suffixExists && reading.kind !== 'look_alike') offerSuffixes(candidates, typed, evidence.known, labelCost);
  if (typed.suffixExists && reading.kind === 'repaired')
    candidates.set(typed.text, ownDomainLog(labelCost, typed.name, typed.suffix));

  let best = '';
  let bestLog = Number.NEGATIVE_INFINITY;
  for (const [domain, log] of candidates) if (log > bestLog) [best, bestLog] = [domain, log];
  if (best === '') return null;
  let total = Math.exp(meant - misread - bestLog) * mailFactor(best, receivesMail);
  // The closest provider below the floor may be as likely as the floor.
  if (isMailboxDomain(best)) total += Math.exp(floor - bestLog);
  for (const log of candidates.values()) total += Math.exp(log - bestLog);
  const probability = 1 / total;
  if (probability < sureAt(typed.name, best, receivesMail)) return null;
  if (isMailboxDomain(best) || evidence.known(best)) return { domain: best, probability };
  if (takeApart(best).name === '') return null;
  // With its ending corrected it may still be a typo of a provider.
  const further = weigh(exactly(best), { ...evidence, receivesMail: null }, labelCost);
  if (further === null) return { domain: best, probability };
  return probability * further.probability >= SURE ? further : null;
}

/** Whether a domain (lower-case A-labels) is a typo of a mailbox provider's, and so never disposable. */
type ProviderTypoTest = (domain: string) => boolean;

/** One in a hundred listed domains taken for typos may be a throwaway domain after all. */
const SURE_OF_PROVIDER = 0.99;
/** A suffix's share that people type out of habit. Under a rarer one a provider's name was registered on purpose. */
const COMMON_SUFFIX = 0.004;

/** The domain counts as one with mail hosts: it was listed because it was in use. */
export const createProviderTypoTest =
  (suggest: DomainSuggester, known: DomainEvidence['known']): ProviderTypoTest =>
  (domain) => {
    // Letters of other scripts are deliberate, not slips.
    if (domain.includes('xn--')) return false;
    const suggestion = suggest(domain, { known, receivesMail: true });
    if (suggestion === null || suggestion.probability < SURE_OF_PROVIDER) return false;
    const provider = mailboxDomainAt(suggestion.domain);
    if (provider === null) return false;
    const { name, suffix } = takeApart(domain);
    return (
      name !== provider.brand ||
      suffixShare(suffix) >= COMMON_SUFFIX ||
      suffixTypoCost(suffix, provider.suffix) < Number.POSITIVE_INFINITY
    );
  };
