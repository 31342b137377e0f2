import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HIGH_SEED, hashOf, LOW_SEED, mixLanes, nextHigh, nextLow } from '../../../src/domain/lists/table.ts';

// Recorded outputs: the packed files contain these hashes, so none may change silently.
const VECTORS: readonly (readonly [text: string, high: number, low: number])[] = [
  ['', 0x2822a02d, 0xec063b77],
  ['a', 0x72066d94, 0xb5057d00],
  ['com', 0x37e5d414, 0xff6ffa22],
  ['mailinator.com', 0x9ec503b5, 0x9052080f],
  ['privaterelay.appleid.com', 0x6c7dc943, 0x7ae9414f],
  ['no-reply', 0x4756d890, 0x4d9806e6],
  ['xn--bcher-kva.example', 0xd6b7756e, 0xe62431f7],
  ['büro', 0xbf9a1e12, 0x38a1a491],
];

describe('string hash', () => {
  it.each(VECTORS)('gives %j the value the packed files were made with', (text, high, low) => {
    expect(hashOf(text)).toEqual([high, low]);
  });

  it('yields the hash of each parent while it reads a domain', () => {
    const label = fc.stringMatching(/^[a-z0-9]{1,12}$/);
    fc.assert(
      fc.property(fc.array(label, { minLength: 2, maxLength: 5 }), (labels) => {
        const domain = labels.join('.');
        const parent = labels.slice(1).join('.');
        let [high, low] = [HIGH_SEED, LOW_SEED];
        for (let i = domain.length - 1; i > domain.length - parent.length - 1; i -= 1) {
          high = nextHigh(high, domain.charCodeAt(i));
          low = nextLow(low, domain.charCodeAt(i));
        }
        expect([mixLanes(high, low), mixLanes(low, high)]).toEqual(hashOf(parent));
      }),
    );
  });

  it('tells 300,000 look-alike names apart in all 64 bits', () => {
    const seen = new Set<string>();
    for (let i = 0; i < 100_000; i += 1) {
      for (const text of [`mail${i}.com`, `${i}mail.com`, `a.${i}.net`]) seen.add(hashOf(text).join());
    }
    expect(seen.size).toBe(300_000);
  });
});
