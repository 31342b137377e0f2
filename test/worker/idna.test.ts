import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CODE_POINTS, names, PLACES, readOtherwise } from '../support/idna-oracle.ts';

// `keepsIdna2008Rules` aside, which stands behind both, names are read exactly as tr46 reads them.

test.each(PLACES.map((place) => [place('*'), place] as const))('each code point as tr46 has it: %j', (_name, place) => {
  expect(readOtherwise(CODE_POINTS.map(place))).toEqual([]);
});

test('any name as tr46 has it', () => {
  fc.assert(
    fc.property(names, (name) => {
      expect(readOtherwise([name])).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});
