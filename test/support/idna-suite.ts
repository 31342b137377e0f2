import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CODE_POINTS, names, PLACES, readOtherwise } from './idna-oracle.ts';

/**
 * Apart from `keepsIdna2008Rules`, which both apply, names are read exactly as tr46 reads them. Runs in Node and in workerd,
 * whose `URL` differ.
 */
export function testNamesAgainstTr46(numRuns: number): void {
  test.each(PLACES.map((place) => [place('*'), place] as const))(
    'each code point is read as tr46 reads it: %j',
    (_name, place) => {
      expect(readOtherwise(CODE_POINTS.map(place))).toEqual([]);
    },
  );

  test('any name is read as tr46 reads it', () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(readOtherwise([name])).toEqual([]);
      }),
      { numRuns },
    );
  });
}
