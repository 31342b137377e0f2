import { trimUnseen } from '../../address/characters.ts';
import { withoutSurroundings } from '../../address/surroundings.ts';
import type { Units } from './units.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Every byte has a meaning in it. */
const WINDOWS_1252 = new TextDecoder('windows-1252');

/** The text of 8-bit units: UTF-8, or Windows-1252 where they are not valid UTF-8. */
export function decodeBytes(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return WINDOWS_1252.decode(bytes);
  }
}

/** The text of a raw cell. */
export const cellText = (units: Units): string =>
  unquoted(units instanceof Uint8Array ? decodeBytes(units) : String.fromCharCode(...units));

/** A raw cell without the quotes that are syntax. They are text around a name (`"Jane" <jane@corp.example>`). */
export function unquoted(text: string): string {
  const last = text.lastIndexOf('"');
  return text.startsWith('"') && !text.slice(last).includes('>') ? text.slice(1, last).replaceAll('""', '"') : text;
}

/** The address of `Jane Doe <jane@corp.example>` (RFC 5322, `name-addr`), as mail programs copy it; null for other text. */
function addressInBrackets(text: string): string | null {
  if (!text.endsWith('>')) return null;
  const at = text.lastIndexOf('<');
  const inside = text.slice(at + 1, -1);
  // Two pairs of brackets are two people: left as typed, which is broken syntax.
  const isOne = at >= 0 && text.indexOf('<') === at && text.indexOf('>') === text.length - 1;
  return isOne && inside.includes('@') && !/\s/u.test(inside) ? inside : null;
}

/** What stands between addresses in one cell. */
const BETWEEN = /[\s,;:|/\\<>()[\]"，；、]+/u;

/** Two addresses in one cell (`a@x.example, b@y.example`, `a@x.example ::: b@y.example`): which is meant, nobody can tell. */
export const holdsSeveral = (text: string): boolean =>
  text.split(BETWEEN).filter((part) => /.@./u.test(part)).length > 1;

/**
 * What a cell says where an address belongs: without what stands around it, and without quotes that are not syntax
 * (` "a@b.example"` is text, since the quote is not its first character, and still means the address). A name with an
 * address in brackets gives the address.
 */
export function bare(text: string): string {
  const trimmed = trimUnseen(text);
  const quoted = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"');
  const inside = quoted
    ? trimUnseen(trimmed.slice(1, -1))
    : (addressInBrackets(trimmed.replace(/(?<=>)[.,;\s]+$/u, '')) ?? trimmed);
  return withoutSurroundings(inside) ?? inside;
}
