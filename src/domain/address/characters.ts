/** Whether every UTF-16 unit is below U+0080. */
export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** C0 controls and DEL. */
export const isControl = (code: number): boolean => code < 0x20 || code === 0x7f;

/**
 * Non-ASCII that RFC 6531 allows in a local part but that people can't see, type or trust: controls, format and bidi
 * controls, lone surrogates, private use, unassigned (`\p{C}`), zero-width and fillers (`\p{DI}`), separators, and
 * - U+2800, which is blank though classed a symbol;
 * - U+FE6B and U+FF20, which the next system's NFKC would turn into a second `@`;
 * - U+FFFC and U+FFFD, the traces of text lost before it came here.
 */
const UNSAFE = /[\p{C}\p{DI}\p{Zl}\p{Zp}[\p{Zs}--[ ]]\u2800\uFE6B\uFF20\uFFFC\uFFFD]/v;

/** A combining mark at the start of an atom changes how the delimiter before it looks. */
const STRAY_MARK = /(?:^|[." ])\p{M}/v;

/** Copied along with an address. Within a name they stand for an apostrophe. */
const CURLY_QUOTE_FIRST = /^[\p{Pi}\p{Pf}\u201A\u201E]/v;

/** Whether a non-ASCII local part in NFC holds a character that is refused. */
export const holdsUnsafe = (local: string): boolean =>
  UNSAFE.test(local) || STRAY_MARK.test(local) || CURLY_QUOTE_FIRST.test(local);

/** From the first character to the last that can be seen: `\p{DI}` has zero-width characters, joiners, soft hyphens, direction marks. */
const SEEN = /[^\s\p{DI}](?:.*[^\s\p{DI}])?/sv;

/** Text without white space and invisible characters at its ends. */
export const trimUnseen = (text: string): string => (isAscii(text) ? text.trim() : (SEEN.exec(text)?.[0] ?? ''));
