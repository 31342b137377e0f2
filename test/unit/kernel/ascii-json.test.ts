import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asciiJson } from '../../../src/kernel/encoding.ts';

test('says the same in ASCII alone, whatever the text', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
      const ascii = asciiJson(json);
      expect(JSON.parse(ascii)).toEqual(JSON.parse(json));
      expect(Buffer.from(ascii).length).toBe(ascii.length);
    }),
  );
});
