import COUNTRIES from './countries.json' with { type: 'json' };

/**
 * ISO 3166-1 alpha-2 codes with folded English names (`foldName`): the Unicode CLDR's, and those vendors use. XK is
 * user-assigned, for companies in Kosovo.
 */
const ROWS: readonly (readonly [code: string, names: readonly string[]])[] = Object.entries(COUNTRIES);

const CODES: ReadonlySet<string> = new Set(ROWS.map(([code]) => code));
const CODE_BY_NAME: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap(([code, names]) => names.map((name) => [name, code] as const)),
);

/** One spelling of each name: `Côte d’Ivoire`, `The Gambia`, `St. Lucia`, `Bosnia & Herzegovina`. */
const foldName = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll('&', 'and')
    .replace(/^the /, '')
    .replace(/^st\.? /, 'saint ');

export const isCountryCode = (text: string): boolean => CODES.has(text);

/** The code of a country, given by code or English name; null for other text. */
export function countryCode(text: string | null): string | null {
  if (text === null) return null;
  const written = text.trim();
  const code = written.toUpperCase();
  return CODES.has(code) ? code : (CODE_BY_NAME.get(foldName(written)) ?? null);
}
