import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packNames } from '../../../scripts/lists/pack.ts';
import { hashOf, openTable } from '../../../src/domain/lists/table.ts';

const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), { maxLength: 300 });
const entries = names.chain((keys) =>
  fc.tuple(...keys.map((key) => fc.tuple(fc.constant(key), fc.integer({ min: 1, max: 255 })))),
);

describe('packed table', () => {
  it('answers every packed name with its sets, and no other', () => {
    fc.assert(
      fc.property(entries, fc.array(fc.string()), (packed, others) => {
        const sets = new Map(packed);
        const table = openTable(packNames(sets));
        for (const name of [...sets.keys(), ...others]) expect(table.find(...hashOf(name))).toBe(sets.get(name) ?? 0);
        expect(table.count).toBe(sets.size);
        expect(table.setCounts).toEqual(
          Array.from({ length: 8 }, (_, bit) => [...sets.values()].filter((bits) => bits & (1 << bit)).length),
        );
      }),
    );
  });

  it('is the same bytes whatever order the names come in', () => {
    fc.assert(
      fc.property(entries, (packed) => {
        expect(packNames(new Map(packed.toReversed()))).toEqual(packNames(new Map(packed)));
      }),
    );
  });

  it('is read in place from any offset of a larger buffer', () => {
    const bytes = packNames(new Map([['mailinator.com', 1]]));
    for (const offset of [0, 1, 2, 3, 4]) {
      const larger = new Uint8Array(bytes.length + 8);
      larger.set(bytes, offset);
      const table = openTable(larger.subarray(offset, offset + bytes.length));
      expect(table.find(...hashOf('mailinator.com'))).toBe(1);
    }
  });

  it('refuses what is not a whole table of its version', () => {
    const bytes = packNames(new Map([['mailinator.com', 1]]));
    const changed = (at: number): Uint8Array => bytes.with(at, 0xff);
    expect(() => openTable(new Uint8Array(10))).toThrow('too short');
    expect(() => openTable(bytes.subarray(0, -1))).toThrow('wrong length');
    expect(() => openTable(changed(0))).toThrow('not a table');
    expect(() => openTable(changed(4))).toThrow('not a table');
  });
});
