import { trimUnseen } from '../address/idna.ts';
import { parseAddress, withoutSurroundings } from '../address/parse.ts';
import type { KeptVerification } from '../answer/assess.ts';

/** The two halves of what was typed, valid or not. */
export interface TypedAddress {
  readonly local: string;
  readonly domain: string;
}

/** Cut at the last `@`, as a mistyped address comes: `n/a@n/a.com`, `react@18.2.0`. */
export function splitTyped(text: string): TypedAddress {
  const at = text.lastIndexOf('@');
  return at === -1 ? { local: text, domain: '' } : { local: text.slice(0, at), domain: text.slice(at + 1) };
}

/** The words of a local part without its tag: `jane.doe+news` → `jane`, `doe`. */
export function wordsOf(local: string): string[] {
  const plus = local.indexOf('+');
  return (plus > 0 ? local.slice(0, plus) : local).split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
}

/** Without the number behind it: `support01` → `support`. */
export const unnumbered = (word: string): string => word.replace(/(?<!\d)\d+$/, '');

/** Without what stands around it: a correction keeps none of it. */
export function typedAs(email: string): TypedAddress {
  const bare = withoutSurroundings(email) ?? email;
  const parsed = parseAddress(bare);
  return parsed.ok ? parsed.address : splitTyped(trimUnseen(bare));
}

/** The address with what is wrong put right; null when nothing is, or when it would not be an address. */
export function corrected(typed: TypedAddress, domain: string | null, local: string | null): string | null {
  if (domain === null && local === null) return null;
  const address = `${local ?? typed.local}@${domain ?? typed.domain}`;
  return parseAddress(address).ok ? address : null;
}

/**
 * The address at the domain that was meant, where the typed one is a typo of it, and without what stands around it. Null where
 * neither applies, or when it would not be an address.
 */
export const correctionOf = (email: string, meantDomain: string | null): string | null =>
  meantDomain === null ? withoutSurroundings(email) : corrected(typedAs(email), meantDomain, null);

/** An answer with the address that came with its request, and the correction of that. */
export function addressed(email: string, { meantDomain, ...answer }: KeptVerification) {
  const didYouMean = correctionOf(email, meantDomain ?? null);
  return { ...answer, email, ...(didYouMean === null ? {} : { did_you_mean: didYouMean }) };
}
