import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMerged, encodeMerged } from '../../../../src/domain/bulk/results/segments.ts';

const parts = fc.array(fc.record({ from: fc.nat(100_000), bytes: fc.uint8Array({ maxLength: 300 }) }), {
  maxLength: 20,
});

describe('the results of a job in one file', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(parts, (written) => {
        expect(decodeMerged(encodeMerged(written))).toEqual(written);
      }),
    );
  });

  it('are refused in another version, or cut off anywhere', () => {
    const bytes = encodeMerged([
      { from: 0, bytes: new Uint8Array([1, 2, 3]) },
      { from: 100, bytes: new Uint8Array([4]) },
    ]);
    for (let length = 0; length < bytes.length; length += 1) expect(decodeMerged(bytes.slice(0, length))).toBeNull();
    for (const version of [0, 2]) {
      bytes[0] = version;
      expect(decodeMerged(bytes)).toBeNull();
    }
  });
});
