import { isAscii } from './idna.ts';
import { PROVIDER_DOMAINS, national } from './mailbox-rules.ts';
import type { Address } from './parse.ts';

/**
 * Which addresses reach one mailbox, as its provider publishes it (the reason says where a part is only observed).
 * Everything else stays significant: a wrong merge would make two people one.
 */
export interface CanonicalRule {
  /** Lower-case A-labels. */
  readonly domains: readonly string[];
  /** All `domains` share their names; the canonical form is written with this one. */
  readonly domain?: string;
  /** A tag begins at the first of this character and is dropped with it. */
  readonly tag?: '+';
  /** What follows the first of this character is dropped; the character stays. */
  readonly keyword?: '-';
  /** Each of these characters stands for the second string. */
  readonly fold?: readonly [characters: string, as: string];
  /** `anything@name.domain` reaches `name@domain`. */
  readonly nameAsSubdomain?: true;
  /** What the provider publishes, and where. */
  readonly reason: readonly string[];
}

export const CANONICAL_RULES: readonly CanonicalRule[] = [
  {
    domains: PROVIDER_DOMAINS.gmail,
    domain: 'gmail.com',
    tag: '+',
    fold: ['.', ''],
    reason: [
      'Gmail Help 7436150: "you own all dotted versions of your address" (on Workspace domains dots count).',
      'Google Workspace Learning Center, "Create task-specific email addresses": name+tag reaches name.',
      'Gmail Help, "Switch from @googlemail.com to @gmail.com": both reach the same inbox.',
    ],
  },
  {
    domains: PROVIDER_DOMAINS.outlook,
    tag: '+',
    reason: [
      'Microsoft Learn, "Plus addressing in Exchange Online" (2020 edition): available in Outlook.com.',
      'Every domain has names of its own, and dots count.',
    ],
  },
  {
    domains: PROVIDER_DOMAINS.icloud,
    domain: 'icloud.com',
    tag: '+',
    reason: [
      'Apple Support 118230: an older account has its name at icloud.com and me.com, one from before 2008 at mac.com',
      'too; newer names exist at icloud.com alone. That name+tag reaches name is observed, not written down by Apple.',
    ],
  },
  {
    domains: PROVIDER_DOMAINS.proton,
    domain: 'proton.me',
    tag: '+',
    fold: ['.-_', ''],
    reason: [
      'Proton Support, "How to change your username": dot, hyphen and underscore are transparent, no variation',
      'can be another account. "Email addresses and aliases": name+tag reaches name. Statements at the launch of',
      'proton.me: a name never belongs to two people on two Proton domains.',
    ],
  },
  {
    domains: [
      'fastmail.com',
      'fastmail.fm',
      'sent.com',
      ...national('fastmail', 'cn co.uk com.au de es fr in jp mx net nl org se to tw uk us'),
    ],
    tag: '+',
    nameAsSubdomain: true,
    reason: [
      'Fastmail Help 360060591053: alias+anything@domain and anything@alias.domain arrive at alias@domain.',
      'The same name at two Fastmail domains is two aliases.',
    ],
  },
  {
    domains: PROVIDER_DOMAINS.yandex,
    domain: 'yandex.ru',
    tag: '+',
    fold: ['.', '-'],
    reason: [
      'Yandex ID Help, "Email addresses": your username on all Yandex domains is linked to you when you register.',
      'Yandex Direct API, "Financial token": a dot in a username normalises to a hyphen.',
      'Usernames hold letters, digits, dots and hyphens, so a plus sign is not part of one.',
    ],
  },
  {
    domains: PROVIDER_DOMAINS.yahoo,
    keyword: '-',
    reason: [
      'Yahoo Help SLN16026: a disposable address is basename-keyword, and the base name is not the login. So the',
      'hyphen stays: a base name never merges with a login of the same spelling. yahoo.co.jp is another company.',
    ],
  },
  {
    domains: ['runbox.com'],
    tag: '+',
    reason: [
      'Runbox blog, "Sub-addressing (plus addressing)": username+tag is delivered to username, and so for aliases.',
    ],
  },
];

const RULES: ReadonlyMap<string, CanonicalRule> = new Map(
  CANONICAL_RULES.flatMap((rule) => rule.domains.map((domain) => [domain, rule] as const)),
);

/**
 * One form for all the addresses that the provider documents as one mailbox: `J.Doe+news@googlemail.com` becomes
 * `jdoe@gmail.com`. Only for `identity_hash` and screening, never to send to or to compare addresses. At other domains it
 * is `address.normalised`.
 */
export function canonicalise(address: Address): string {
  const { normalised, domain } = address;
  // The providers in the table don't give out names that need quotes or UTF-8.
  if (normalised.startsWith('"') || !isAscii(normalised)) return normalised;
  const typedName = normalised.slice(0, -domain.length - 1);
  const own = RULES.get(domain);
  if (own !== undefined) return written(typedName, domain, own) ?? normalised;
  const dot = domain.indexOf('.');
  const parent = domain.slice(dot + 1);
  const shared = RULES.get(parent);
  return (shared?.nameAsSubdomain && written(domain.slice(0, dot), parent, shared)) || normalised;
}

/** Canonical form, or null where nothing is left of the name (`+news@gmail.com`). */
function written(typedName: string, domain: string, rule: CanonicalRule): string | null {
  let name = typedName;
  if (rule.tag !== undefined) name = before(name, rule.tag);
  if (rule.keyword !== undefined && name.includes(rule.keyword)) name = before(name, rule.keyword) + rule.keyword;
  if (rule.fold !== undefined) {
    const [characters, as] = rule.fold;
    name = Array.from(name, (char) => (characters.includes(char) ? as : char)).join('');
  }
  return name === '' || name === rule.keyword ? null : `${name}@${rule.domain ?? domain}`;
}

function before(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at === -1 ? text : text.slice(0, at);
}
