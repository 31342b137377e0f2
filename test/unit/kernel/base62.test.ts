import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base62Char, base62Width, decodeBase62, encodeBase62 } from '../../../src/kernel/encoding.ts';

const BYTES = fc.uint8Array({ minLength: 1, maxLength: 40 });

describe('base62', () => {
  it('gives back any bytes, at one width for all values of a length', () => {
    fc.assert(
      fc.property(BYTES, (bytes) => {
        const text = encodeBase62(bytes);
        expect(text).toMatch(/^[0-9A-Za-z]+$/);
        expect(text).toHaveLength(base62Width(bytes.length));
        expect(decodeBase62(text, bytes.length)).toEqual(bytes);
      }),
    );
  });

  it.each([
    ['a reference or 128 random bits', 16, 22],
    ['a 96-bit MAC', 12, 17],
    ['a SHA-256', 32, 43],
  ])('holds %s in the width a key is cut by', (_, bytes, width) => {
    expect(base62Width(bytes)).toBe(width);
    expect(encodeBase62(new Uint8Array(bytes).fill(255))).toHaveLength(width);
  });

  it('sorts as the numbers do', () => {
    const pair = fc.tuple(fc.bigInt(0n, 2n ** 64n - 1n), fc.bigInt(0n, 2n ** 64n - 1n));
    const text = (value: bigint) => {
      const bytes = new Uint8Array(8);
      new DataView(bytes.buffer).setBigUint64(0, value);
      return encodeBase62(bytes);
    };
    fc.assert(
      fc.property(pair, ([a, b]) => {
        expect(text(a) < text(b)).toBe(a < b);
      }),
    );
  });

  it.each([
    ['a character outside the alphabet', '000000000000000000000-'],
    ['a letter that only looks like one of it', '00000000000000000000０0'],
    ['one character too few', '0'.repeat(21)],
    ['one character too many', '0'.repeat(23)],
    ['a number too large for its bytes', 'z'.repeat(22)],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(decodeBase62(text, 16)).toBeNull();
  });

  it('names every byte by a character of the alphabet', () => {
    const chars = Array.from({ length: 256 }, (_, byte) => base62Char(byte));
    expect(chars.every((char) => /^[0-9A-Za-z]$/.test(char))).toBe(true);
    expect(new Set(chars).size).toBe(62);
  });
});
