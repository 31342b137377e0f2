import { createHash } from 'node:crypto';
import punycode from 'punycode/punycode.js';

/** An encoding of a text in bytes. */
interface Encoding {
  /** What is looked for; of base64 the part that a neighbour does not change. */
  readonly forms: (text: string) => readonly Buffer[];
  /** Base64 and raw digests tell upper from lower case. */
  readonly isExact?: true;
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
const eachByte = (text: string, form: (byte: number) => string): Buffer =>
  Buffer.from([...Buffer.from(text)].map(form).join(''));
const eachUnit = (text: string, form: (unit: number) => string): Buffer =>
  Buffer.from(Array.from({ length: text.length }, (_, at) => form(text.charCodeAt(at))).join(''));
const unit = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

/** By where the text begins in three bytes. */
function base64(text: string | Buffer, form: 'base64' | 'base64url'): Buffer[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    return Buffer.from(bytes.subarray(before === 0 ? 0 : 3, bytes.length - (bytes.length % 3)).toString(form));
  });
}
const cases = (text: string): string[] => [...new Set([text, text.toLowerCase(), text.toUpperCase()])];

/** The encodings that are looked for, by name. */
export const ENCODINGS: Readonly<Record<string, Encoding>> = {
  'as it is': { forms: (text) => [text, text.normalize('NFD')].map((form) => Buffer.from(form)) },
  'UTF-16LE': { forms: (text) => [Buffer.from(text, 'utf16le')] },
  'UTF-16BE': { forms: (text) => [utf16be(text)] },
  percent: { forms: (text) => [Buffer.from(encodeURIComponent(text)), eachByte(text, (byte) => `%${hex(byte)}`)] },
  'JSON escapes': {
    forms: (text) => [
      eachUnit(text, unit),
      eachUnit(text, (code) => (code < 0x80 ? String.fromCharCode(code) : unit(code))),
    ],
  },
  'HTML entities': {
    forms: (text) => [eachUnit(text, (code) => `&#${code};`), eachUnit(text, (code) => `&#x${code.toString(16)};`)],
  },
  'quoted-printable': {
    forms: (text) => [
      eachByte(text, (byte) => `=${hex(byte)}`),
      eachByte(text, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : `=${hex(byte)}`)),
    ],
  },
  hex: { forms: (text) => [eachByte(text, hex)] },
  punycode: { forms: (text) => [Buffer.from(punycode.encode(text))] },
  base64: { forms: (text) => cases(text).flatMap((each) => base64(each, 'base64')), isExact: true },
  base64url: { forms: (text) => cases(text).flatMap((each) => base64(each, 'base64url')), isExact: true },
};

/** Digests without a key: a list of addresses is enough to look them up. */
export const DIGESTS = ['md5', 'sha1', 'sha256'] as const;

/** The digests of a whole address: raw, in hex and in base64. */
export const digestForms = (address: string, algorithm: (typeof DIGESTS)[number]): readonly Buffer[] =>
  cases(address).flatMap((each) => {
    const digest = createHash(algorithm).update(each).digest();
    return [digest, Buffer.from(digest.toString('hex')), ...base64(digest, 'base64'), ...base64(digest, 'base64url')];
  });
