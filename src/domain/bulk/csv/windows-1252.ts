/** Characters by their byte, of those above ASCII. */
const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 128 }, (_, i) => 128 + i).map((byte) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    byte,
  ]),
);

/** Null where the text has a character that the encoding lacks. */
export function encodeWindows1252(text: string): Uint8Array | null {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    const byte = unit < 128 ? unit : BYTES.get(text.charAt(i));
    if (byte === undefined) return null;
    bytes[i] = byte;
  }
  return bytes;
}
