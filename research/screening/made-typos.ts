import { MAILBOX_DOMAINS } from '../../src/domain/screening/typo/mailbox-domains.ts';
import { type SeededRandom, seededRandom, seedOf } from '../../test/support/seeded-random.ts';
import type { Case } from './cases.ts';

/** The research has keys of its own, so that the channel is not measured with its own tables. */
const KEY_ROWS = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const PROVIDERS = 60;
/** Cases for each kind and provider. */
const EACH = 6;
const SEED = 20_261_122;

/** The keys beside on a US keyboard, and those above and below it by column. */
function keysBeside(key: string): string[] {
  const y = KEY_ROWS.findIndex((row) => row.includes(key));
  const x = KEY_ROWS[y]?.indexOf(key) ?? -1;
  if (y < 0) return [];
  const around = [
    [y, x - 1],
    [y, x + 1],
    [y - 1, x],
    [y + 1, x],
  ] as const;
  return around.flatMap(([row, column]) => KEY_ROWS[row]?.[column] ?? []);
}

const pick = <T>(draws: SeededRandom, from: readonly T[]): T | undefined =>
  from[Math.floor(draws.uniform() * from.length)];

type Typo = (domain: string, draws: SeededRandom) => string;

/** Somewhere in the name before the first dot. */
const somewhere = (domain: string, draws: SeededRandom): number => Math.floor(draws.uniform() * domain.indexOf('.'));
const anywhere = (domain: string, draws: SeededRandom): number => Math.floor(draws.uniform() * domain.length);
const put = (text: string, at: number, instead: string, taken = 1): string =>
  text.slice(0, at) + instead + text.slice(at + taken);

const beside: Typo = (domain, draws) => {
  const at = anywhere(domain, draws);
  return put(domain, at, pick(draws, keysBeside(domain.charAt(at))) ?? domain.charAt(at));
};
const omitted: Typo = (domain, draws) => put(domain, somewhere(domain, draws), '');
const doubled: Typo = (domain, draws) => {
  const at = somewhere(domain, draws);
  return put(domain, at, domain.charAt(at).repeat(2));
};
const swapped: Typo = (domain, draws) => {
  const at = anywhere(domain, draws);
  return put(domain, at, domain.charAt(at + 1) + domain.charAt(at), 2);
};
const vowelAdded: Typo = (domain, draws) =>
  put(domain, somewhere(domain, draws), pick(draws, 'aeiou'.split('')) ?? '', 0);
const SINGLE: readonly Typo[] = [beside, omitted, doubled, swapped];
const DIGITS: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1', e: '3' };

const suffixOf = (domain: string): string => domain.slice(domain.indexOf('.') + 1);

/** The only kind with two typos. */
export const TWO_TYPOS = 'two typos';

const KINDS: Readonly<Record<string, Typo>> = {
  'a key beside': beside,
  'a letter left out': omitted,
  'a letter doubled': doubled,
  'two letters swapped': swapped,
  'a vowel put in': vowelAdded,
  [TWO_TYPOS]: (domain, draws) => [0, 1].reduce((text) => (pick(draws, SINGLE) ?? beside)(text, draws), domain),
  'digits for letters': (domain, draws) => {
    const dot = domain.indexOf('.');
    const name = domain
      .slice(0, dot)
      .replace(/[oile]/g, (letter) => (draws.uniform() < 0.6 ? DIGITS[letter] : undefined) ?? letter);
    return name + domain.slice(dot);
  },
  'the dot left out': (domain) => domain.replace('.', ''),
  'the dot twice': (domain) => domain.replace('.', '..'),
  'the suffix left out': (domain) => domain.slice(0, domain.indexOf('.')),
  'the suffix twice': (domain) => `${domain}.${suffixOf(domain)}`,
};

/** Where a suffix is left out, the largest domain of the name is meant. */
const isFirstOfBrand = (domain: string): boolean =>
  MAILBOX_DOMAINS.find(({ brand }) => domain.startsWith(`${brand}.`))?.domain === domain;

/**
 * Typos of the largest mailbox domains by kind, drawn from a seed. A typo that is a known domain itself is left out.
 * `isTaken`: whether a domain is known.
 */
export function madeTypos(isTaken: (domain: string) => boolean): ReadonlyMap<string, readonly Case[]> {
  return new Map(
    Object.entries(KINDS).map(([kind, typo], k) => {
      const made = MAILBOX_DOMAINS.slice(0, PROVIDERS).flatMap(({ domain }, p) => {
        const draws = seededRandom(seedOf(SEED, k, p));
        const typed = new Set(Array.from({ length: EACH }, () => typo(domain, draws)));
        return [...typed]
          .filter((text) => text !== domain && !isTaken(text) && (text.includes('.') || isFirstOfBrand(domain)))
          .map((text): Case => ({ input: `user@${text}`, expected: domain }));
      });
      return [kind, made];
    }),
  );
}
