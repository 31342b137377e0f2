import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FingerprintTable, HalfSipHash } from '../../../../src/domain/bulk/csv/identity.ts';
import { utf8 } from './files.ts';

describe('HalfSipHash', () => {
  /** Outputs of the reference implementation: key 0, 1 … 7; the text is 0, 1 …, as long as the entry's index. */
  const REFERENCE = [
    '218d1f59b9b83cc8',
    'be552412f8387315',
    '064f39ef7c50eb57',
    'ce0f1a45f7060679',
    'd5e78a175be52ea1',
    'cb9d7c3f2f3db580',
    'ce3e91358aa2bc25',
    'ff202728b07bc684',
    'edfee820bce4858c',
    '5b51cccc13888307',
  ];
  it.each(REFERENCE.entries().toArray())('of %i bytes is that of the reference', (length, expected) => {
    const hash = new HalfSipHash(Uint8Array.from({ length: 8 }, (_, i) => i));
    // The text stands behind something else, and before it.
    const bytes = Uint8Array.from({ length: 30 }, (_, i) => i - 3);
    hash.digest(bytes, 3, 3 + length);
    expect(Buffer.from(Int32Array.of(hash.low, hash.high).buffer).toString('hex')).toBe(expected);
  });

  it('spreads texts that were made to fall together under a hash of multiplications', () => {
    const blocks = ['xxx[x!x[', 'xxx{xax{'];
    const hash = new HalfSipHash(crypto.getRandomValues(new Uint8Array(8)));
    const buckets = new Uint32Array(2 ** 14);
    for (let n = 0; n < buckets.length; n += 1) {
      const text = utf8(Array.from({ length: 17 }, (_, bit) => blocks[(n >> bit) & 1]).join(''));
      hash.digest(text, 0, text.length);
      const bucket = hash.low & (buckets.length - 1);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    // Thrown at random, the fullest of 16,384 has 12 or more once in 100,000 times.
    expect(Math.max(...buckets)).toBeLessThan(12);
  });
});

describe('the table of fingerprints', () => {
  it('numbers what is distinct in the order it came, and keeps the numbers while it grows', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20_000), { maxLength: 30_000, size: 'max' }), (values) => {
        const table = new FingerprintTable();
        const numbers = new Map<number, number>();
        for (const value of values) {
          if (!numbers.has(value)) numbers.set(value, numbers.size);
          const bytes = utf8(` ada${value}@example.com `);
          if (table.number(bytes, 1, bytes.length - 1) !== numbers.get(value)) return false;
        }
        return table.size === numbers.size;
      }),
      { numRuns: 20 },
    );
  });

  it('tells apart what differs in length alone, and the empty string', () => {
    const table = new FingerprintTable();
    const bytes = new Uint8Array(9);
    const numbers = Array.from({ length: 10 }, (_, length) => table.number(bytes, 0, length));
    expect(numbers).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
