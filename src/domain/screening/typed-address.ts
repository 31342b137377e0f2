import { trimUnseen } from '../address/idna.ts';
import { parseAddress, withoutSurroundings } from '../address/parse.ts';
import type { KeptVerification } from '../answer/assess.ts';

/** Both halves of the typed text, valid or not. */
export interface TypedAddress {
  readonly local: string;
  readonly domain: string;
}

/** Splits at the last `@`, as mistyped addresses come: `n/a@n/a.com`, `react@18.2.0`. */
export function splitTyped(text: string): TypedAddress {
  const at = text.lastIndexOf('@');
  return at === -1 ? { local: text, domain: '' } : { local: text.slice(0, at), domain: text.slice(at + 1) };
}

/** The words of a local part without its tag: `jane.doe+news` → `jane`, `doe`. */
export function wordsOf(local: string): string[] {
  const plus = local.indexOf('+');
  return (plus > 0 ? local.slice(0, plus) : local).split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
}

/** Without a trailing number: `support01` → `support`. */
export const unnumbered = (word: string): string => word.replace(/(?<!\d)\d+$/, '');

/** Without surroundings, which a correction must not keep. */
export function typedAs(email: string): TypedAddress {
  const bare = withoutSurroundings(email) ?? email;
  const parsed = parseAddress(bare);
  return parsed.ok ? parsed.address : splitTyped(trimUnseen(bare));
}

/** The corrected address; null if nothing is wrong, or the result is no address. */
export function corrected(typed: TypedAddress, domain: string | null, local: string | null): string | null {
  if (domain === null && local === null) return null;
  const address = `${local ?? typed.local}@${domain ?? typed.domain}`;
  return parseAddress(address).ok ? address : null;
}

/** The address at `meantDomain` and without surroundings. Null if neither changes it, or the result is no address. */
export const correctionOf = (email: string, meantDomain: string | null): string | null =>
  meantDomain === null ? withoutSurroundings(email) : corrected(typedAs(email), meantDomain, null);

/** An answer with its request's address, and the correction of that. */
export function addressed(email: string, { meantDomain, ...answer }: KeptVerification) {
  const didYouMean = correctionOf(email, meantDomain ?? null);
  return { ...answer, email, ...(didYouMean === null ? {} : { did_you_mean: didYouMean }) };
}
