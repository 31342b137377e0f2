import TABLE from './canonical-rules.json' with { type: 'json' };
import { isAscii } from './idna.ts';
import type { Address } from './parse.ts';

/**
 * Which addresses reach one mailbox, as its provider publishes it; the reason says what is only observed. Everything
 * else stays significant: a wrong merge would make two people one.
 */
export interface CanonicalRule {
  readonly domains: readonly string[];
  /** The domain of the canonical form, where all `domains` share their names. */
  readonly domain?: string;
  /** A tag starts at the first such character and is dropped. */
  readonly tag?: '+';
  /** Text after the first such character is dropped. */
  readonly keyword?: '-';
  /** Each of these characters stands for the second string. */
  readonly fold?: readonly [characters: string, as: string];
  /** `anything@name.domain` reaches `name@domain`. */
  readonly nameAsSubdomain?: true;
  /** What the provider publishes, and where. */
  readonly reason: readonly string[];
}

export const CANONICAL_RULES = TABLE as readonly unknown[] as readonly CanonicalRule[];

const RULES: ReadonlyMap<string, CanonicalRule> = new Map(
  CANONICAL_RULES.flatMap((rule) => rule.domains.map((domain) => [domain, rule] as const)),
);

/**
 * One form for all addresses that the provider documents as one mailbox: `J.Doe+news@googlemail.com` becomes
 * `jdoe@gmail.com`. Only for `identity_hash` and screening, never for sending or comparing. Elsewhere it is
 * `address.normalised`.
 */
export function canonicalise(address: Address): string {
  const { normalised, domain } = address;
  // The providers in the table don't issue names that need quotes or UTF-8.
  if (normalised.startsWith('"') || !isAscii(normalised)) return normalised;
  const typedName = normalised.slice(0, -domain.length - 1);
  const own = RULES.get(domain);
  if (own !== undefined) return written(typedName, domain, own) ?? normalised;
  const dot = domain.indexOf('.');
  const parent = domain.slice(dot + 1);
  const shared = RULES.get(parent);
  return (shared?.nameAsSubdomain && written(domain.slice(0, dot), parent, shared)) || normalised;
}

/** Null where nothing is left of the name (`+news@gmail.com`). */
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
