/** Of the layout. */
const VERSION = 1;
const WORD_BYTES = 4;

/** The results of the range that begins with this address. */
export interface Part {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/**
 * The results of a job's ranges in one file, so that a download reads one file and not a thousand. Layout in words of
 * four bytes, little-endian: version, number of parts, first address and length in bytes of each part; then the parts
 * themselves.
 */
export function encodeMerged(parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  const head = (2 + 2 * parts.length) * WORD_BYTES;
  const bytes = new Uint8Array(head + parts.reduce((sum, part) => sum + part.bytes.length, 0));
  const words = [VERSION, parts.length, ...parts.flatMap((part) => [part.from, part.bytes.length])];
  const view = new DataView(bytes.buffer);
  for (const [place, word] of words.entries()) view.setUint32(place * WORD_BYTES, word, true);
  let at = head;
  for (const part of parts) {
    bytes.set(part.bytes, at);
    at += part.bytes.length;
  }
  return bytes;
}

/** Null when the bytes have another version or are cut off. */
export function decodeMerged(bytes: Uint8Array): Part[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 2 * WORD_BYTES) return null;
  if (view.getUint32(0, true) !== VERSION) return null;
  const count = view.getUint32(WORD_BYTES, true);
  let at = (2 + 2 * count) * WORD_BYTES;
  if (bytes.length < at) return null;
  const parts: Part[] = [];
  for (let part = 0; part < count; part += 1) {
    const [from, length] = [2 + 2 * part, 3 + 2 * part].map((word) => view.getUint32(word * WORD_BYTES, true));
    if (from === undefined || length === undefined) return null;
    parts.push({ from, bytes: bytes.subarray(at, at + length) });
    at += length;
  }
  return at === bytes.length ? parts : null;
}
