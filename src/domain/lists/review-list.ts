import { DAY_MS } from '../../kernel/clock.ts';
import type { BundledLists, Lists } from './lists.ts';
import PROVIDERS from './large-providers.json' with { type: 'json' };
import type { SourceText } from './source-text.ts';

/**
 * The mailbox providers most people use. A disposable list that contains one was tampered with, or is something else:
 * all of it is rejected. Small providers do appear on honest lists.
 */
const LARGE_PROVIDERS: ReadonlySet<string> = new Set(PROVIDERS);

/**
 * Suffixes that registries give only to governments, armed forces, health services, accredited colleges or treaty
 * organisations. A throwaway service can't have a name below them, so a list that contains one is wrong. `edu.pl`,
 * `edu.kg`, `mil.pl` and the like are sold to anybody and are left out.
 */
const RESTRICTED: readonly { readonly suffixes: string; readonly reason: string }[] = [
  { suffixes: 'edu gov mil int arpa', reason: 'EDUCAUSE, CISA, the DoD and IANA check each registrant' },
  { suffixes: 'gov.uk nhs.uk police.uk mod.uk parliament.uk ac.uk', reason: 'Jisc and the Cabinet Office' },
  {
    suffixes: 'gov.ie gov.au edu.au govt.nz gc.ca gov.za',
    reason: 'Governments; Australian schools by their register',
  },
  { suffixes: 'gouv.fr gv.at gov.it gob.es gov.pt gov.gr gov.pl gov.cz gov.ro gov.hu', reason: 'European governments' },
  { suffixes: 'gov.tr gov.ua gov.il gov.in nic.in gov.cn gov.tw gov.hk gov.sg gov.my', reason: 'Asian governments' },
  {
    suffixes: 'go.jp lg.jp ac.jp go.kr go.th go.id',
    reason: 'Ministries, local governments and, of Japan, universities',
  },
  { suffixes: 'gov.br gob.mx gob.ar gob.cl gov.co gob.pe', reason: 'Governments of Latin America' },
];

const SUFFIXES: ReadonlySet<string> = new Set(RESTRICTED.flatMap(({ suffixes }) => suffixes.split(' ')));

/** Names come normalised. */
export function isBelowRestrictedSuffix(domain: string): boolean {
  const last = domain.lastIndexOf('.');
  const second = domain.lastIndexOf('.', last - 1);
  return SUFFIXES.has(domain.slice(last + 1)) || (second > 0 && SUFFIXES.has(domain.slice(second + 1)));
}

/** The percentage of an honest list's entries that may be no domain, or legitimate by the bundled lists. */
const FAULTS_PER_HUNDRED = 1;
/** The longest list in use has a third of this. */
export const SOURCE_DOMAINS_MAX = 400_000;
/** A source keeps at least this share of its domains from one night to the next, and of its recent maximum … */
const KEPT_SHARE_MIN = 0.5;
/** How long the maximum counts: otherwise a source could lose half of the rest each night. */
const LATELY_MS = 30 * DAY_MS;
/** … and gains at most this share, or this number if it is short. A good night of one in use is a tenth of that. */
const GAINED_SHARE_MAX = 0.1;
const GAINED_MAX = 500;

/** Why a source is refused tonight; its last accepted list stays in force. */
export type ListFault =
  | 'empty'
  | 'malformed'
  | 'too_many'
  | 'large_provider'
  | 'legitimate_domains'
  | 'lost_too_many'
  | 'gained_too_many';

/** A source's size until another list was accepted. */
export interface EarlierSize {
  readonly domains: number;
  readonly until: number;
}

/** A source's content when last accepted. */
export interface AcceptedSource {
  /** SHA-256 of its URL, which may contain a password. */
  readonly source: string;
  readonly sha256: string;
  /** In order. */
  readonly domains: readonly string[];
  readonly acceptedAt: number;
  readonly earlier: readonly EarlierSize[];
}

/** A source when last accepted. */
export interface PreviousList {
  /** In order. */
  readonly domains: readonly string[];
  readonly most: number;
}

export const sizesLately = (earlier: readonly EarlierSize[], now: number): EarlierSize[] =>
  earlier.filter(({ until }) => until > now - LATELY_MS);

export const previousList = (
  domains: readonly string[],
  earlier: readonly EarlierSize[],
  now: number,
): PreviousList => ({
  domains,
  most: Math.max(domains.length, ...sizesLately(earlier, now).map((size) => size.domains)),
});

/** How a list differs from the previous one. */
export interface ListChange {
  readonly gained: number;
  readonly lost: number;
}

export type ListReview =
  /** With the change, if that is the reason. */
  | {
      readonly ok: false;
      readonly fault: ListFault;
      readonly change?: ListChange & { readonly domains: number; readonly most: number };
    }
  | {
      readonly ok: true;
      /** Without domains that the bundled lists know as legitimate. */
      readonly domains: readonly string[];
      readonly legitimate: number;
      readonly gained: number;
      readonly lost: number;
    };

/** Known as somebody's real mail domain. */
export const isLegitimate = (lists: Lists, domain: string): boolean =>
  LARGE_PROVIDERS.has(domain) ||
  lists.isKnown(domain) ||
  lists.isFreeProvider(domain) ||
  lists.isRelay(domain) ||
  lists.isAgent(domain);

/** Never disposable by an external list. A name below `edu` is never a throwaway, but may be a typo: `stanf0rd.edu`. */
export const isNeverDisposable = (lists: Lists, domain: string): boolean =>
  isLegitimate(lists, domain) || isBelowRestrictedSuffix(domain);

/** The number of domains in both lists, each in order. */
function countShared(one: readonly string[], other: readonly string[]): number {
  let shared = 0;
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    const [a, b] = [one[i] as string, other[j] as string];
    if (a === b) shared += 1;
    if (a <= b) i += 1;
    if (b <= a) j += 1;
  }
  return shared;
}

const tooMany = (faults: number, of: number): boolean => faults * 100 > of * FAULTS_PER_HUNDRED;

/** Reviews a source against the bundle and its last accepted list; null if any change is accepted. */
export function reviewList(
  { domains, malformed }: SourceText,
  previous: PreviousList | null,
  bundled: BundledLists,
): ListReview {
  const reject = (fault: ListFault): ListReview => ({ ok: false, fault });
  if (domains.length + malformed === 0) return reject('empty');
  if (tooMany(malformed, domains.length + malformed)) return reject('malformed');
  if (domains.length > SOURCE_DOMAINS_MAX) return reject('too_many');
  if (domains.some((domain) => LARGE_PROVIDERS.has(domain))) return reject('large_provider');
  const believed = domains.filter((domain) => !isNeverDisposable(bundled, domain));
  const legitimate = domains.length - believed.length;
  if (tooMany(legitimate, domains.length)) return reject('legitimate_domains');
  if (previous === null) return { ok: true, domains: believed, legitimate, gained: believed.length, lost: 0 };
  const size = previous.domains.length;
  const gained = believed.length - countShared(believed, previous.domains);
  const lost = size - (believed.length - gained);
  const change = { gained, lost, domains: believed.length, most: previous.most };
  if (lost > size * (1 - KEPT_SHARE_MIN) || believed.length < previous.most * KEPT_SHARE_MIN)
    return { ok: false, fault: 'lost_too_many', change };
  if (gained > Math.max(GAINED_MAX, size * GAINED_SHARE_MAX)) return { ok: false, fault: 'gained_too_many', change };
  return { ok: true, domains: believed, legitimate, gained, lost };
}
