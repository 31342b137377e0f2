import { BOUNDARY, TYPO, type TypedText, areBeside, firstRow, nextRow, prepare, symbolAt } from './typos.ts';
import { DOMAIN_SUFFIXES } from './typed-domain.ts';

/** A longer ending is too long for a typo of a suffix. */
const LONGEST = 12;
const WIDTH = LONGEST + 1;
/** Two typos in an ending so short leave nothing to go by. */
const MOST = 14;
/** One matrix for all: nothing here waits. */
const ROWS = new Float64Array(WIDTH ** 2);

/** A suffix that may have been meant, where the name before it ends, and the cost of the typos in nats. */
export interface SuffixTypo {
  readonly suffix: string;
  readonly end: number;
  readonly cost: number;
}

/** The suffixes that what stands behind the last dot, or the last two, may be a typo of; without a dot, those it ends in. */
export function suffixTypos(text: string): SuffixTypo[] {
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

/** What stands behind a suffix's last dot when it is a country code, with what stands before it; null otherwise. */
function countryOf(suffix: string): { head: string; code: string } | null {
  const at = suffix.lastIndexOf('.') + 1;
  return suffix.length - at === 2 ? { head: suffix.slice(0, at), code: suffix.slice(at) } : null;
}

/**
 * Whether a suffix that exists names another country than was meant, rather than being a typo of the fingers: who types
 * `.lk` behind a name that is right has Sri Lanka in mind, unless the two keys lie side by side or changed places.
 */
export function isOtherCountry(typed: string, meant: string): boolean {
  const [one, other] = [countryOf(typed), countryOf(meant)];
  if (one === null || other === null || one.code === other.code) return false;
  const [a = '', b = ''] = one.code;
  const [c = '', d = ''] = other.code;
  const near = (a === c && areBeside(b, d)) || (b === d && areBeside(a, c)) || (a === d && b === c);
  return one.head !== other.head || !near;
}

/** What a suffix costs as a typo of another, in nats; infinite where it is too far away. */
export const suffixTypoCost = (typed: string, meant: string): number =>
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
