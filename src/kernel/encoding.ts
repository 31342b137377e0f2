const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Enough characters for any value of `bytes` bytes. */
export const base62Width = (bytes: number): number => Math.ceil((bytes * 8) / Math.log2(62));

/** Big-endian bytes as base62 of fixed width, left-padded with `0`. */
export function encodeBase62(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (let i = base62Width(bytes.length); i > 0; i -= 1) {
    text = BASE62.charAt(Number(value % 62n)) + text;
    value /= 62n;
  }
  return text;
}

/** The `length` bytes that `text` encodes, or null for another character or a larger number. */
export function decodeBase62(text: string, length: number): Uint8Array<ArrayBuffer> | null {
  let value = 0n;
  for (const char of text) {
    const digit = BASE62.indexOf(char);
    if (digit < 0) return null;
    value = value * 62n + BigInt(digit);
  }
  const bytes = new Uint8Array(length);
  for (let i = length - 1; i >= 0; i -= 1) {
    bytes[i] = Number(value & 255n);
    value >>= 8n;
  }
  return value === 0n && text.length === base62Width(length) ? bytes : null;
}

/** One base62 character for a byte; not reversible. */
export const base62Char = (byte: number): string => BASE62.charAt(byte % 62);

const NON_ASCII = /[\u0080-\uffff]/g;

/** Escapes non-ASCII characters in JSON. ASCII input is returned unchanged. */
export const asciiJson = (json: string): string =>
  json.replace(NON_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Rows of a packed table: UTF-8 lines, the first of which names the form. Throws on another form or an empty table. */
export function packedRows(data: ArrayBuffer | Uint8Array, form: string): readonly string[] {
  const [first, ...rows] = new TextDecoder().decode(data).split('\n');
  if (first !== form || rows.length === 0) throw new Error(`${form}: not a table of this form`);
  return rows;
}

/** As `packedRows`, decoded on first use. The form is checked at once. */
export function packedRowsLater(data: ArrayBuffer | Uint8Array, form: string): () => readonly string[] {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const first = new TextDecoder().decode(bytes.subarray(0, form.length + 1));
  if (first !== `${form}\n`) throw new Error(`${form}: not a table of this form`);
  let rows: readonly string[] | null = null;
  return () => {
    rows ??= packedRows(data, form);
    return rows;
  };
}
