import type { Units } from './units.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Every byte means something in it. */
const WINDOWS_1252 = new TextDecoder('windows-1252');

/** The text of 8-bit units: UTF-8, or Windows-1252 where they are none. */
export function decodeBytes(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return WINDOWS_1252.decode(bytes);
  }
}

/** What stands in a raw cell: decoded, without the quotes that are syntax. */
export function cellText(units: Units): string {
  const text = units instanceof Uint8Array ? decodeBytes(units) : String.fromCharCode(...units);
  return text.startsWith('"') ? text.slice(1, text.lastIndexOf('"')).replaceAll('""', '"') : text;
}

/**
 * A cell's text without white space around it, nor quotes that are not syntax: ` "a@b.example"` is text, since the quote is
 * not the cell's first character, and still means the address.
 */
export function bare(text: string): string {
  const trimmed = text.trim();
  const quoted = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"');
  return quoted ? trimmed.slice(1, -1).trim() : trimmed;
}
