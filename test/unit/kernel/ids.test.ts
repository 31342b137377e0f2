import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Id,
  type IdPrefix,
  idBytes,
  idFromBytes,
  idTimeMs,
  newId,
  newIdAt,
  parseId,
  stampUuidV7,
  systemRandom,
} from '../../../src/kernel/ids.ts';

const PREFIXES: IdPrefix[] = [
  'vr',
  'ck',
  'sc',
  'dc',
  'rq',
  'ev',
  'oc',
  'bj',
  'key',
  'org',
  'acct',
  'u',
  'dr',
  'ar',
  'con',
  'rec',
];
const PREFIX = fc.constantFrom(...PREFIXES);
/** The largest time that fits 48 bits of milliseconds. */
const TIME_MS = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const filledWith = (byte: number) => (bytes: Uint8Array) => void bytes.fill(byte);

describe('newId', () => {
  it('is read back as an id of its own prefix and of no other', () => {
    fc.assert(
      fc.property(PREFIX, PREFIX, TIME_MS, (prefix, other, nowMs) => {
        const id = newId(prefix, nowMs);
        expect(id).toMatch(/^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/);
        expect(parseId(prefix, id)).toBe(id);
        expect(parseId(other, id)).toBe(other === prefix ? id : null);
      }),
    );
  });

  it('contains the time of its creation', () => {
    fc.assert(
      fc.property(PREFIX, TIME_MS, (prefix, nowMs) => {
        expect(idTimeMs(newId(prefix, nowMs))).toBe(nowMs);
      }),
    );
  });

  it('sorts by time whatever the randomness', () => {
    fc.assert(
      fc.property(TIME_MS, TIME_MS, (a, b) => {
        fc.pre(a < b);
        expect(newId('vr', a, filledWith(255)) < newId('vr', b, filledWith(0))).toBe(true);
      }),
    );
  });

  it('sorts the ids of a batch by their place there, within the time that all of them carry', () => {
    fc.assert(
      fc.property(TIME_MS, fc.nat(4_095), fc.nat(4_095), (nowMs, a, b) => {
        fc.pre(a < b);
        const [first, second] = [newIdAt('dr', nowMs, a, filledWith(255)), newIdAt('dr', nowMs, b, filledWith(0))];
        expect(first < second).toBe(true);
        expect([idTimeMs(first), idTimeMs(second)]).toEqual([nowMs, nowMs]);
        expect(newIdAt('dr', nowMs, a)).not.toBe(newIdAt('dr', nowMs, a));
      }),
    );
  });

  it('is a UUIDv7: version 7, variant 10', () => {
    for (const fill of [0, 255]) {
      const bytes = idBytes(newId('org', 1_800_000_000_000, filledWith(fill)));
      expect((bytes[6] ?? 0) >> 4).toBe(7);
      expect((bytes[8] ?? 0) >> 6).toBe(2);
    }
  });

  it('does not repeat within a millisecond', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newId('vr', 1_800_000_000_000))).size).toBe(10_000);
  });

  it('keeps the random bytes it does not need for time, version and variant', () => {
    const bytes = stampUuidV7(new Uint8Array(16).fill(0xab), 0x0123_4567_89ab);
    expect(Buffer.from(bytes).toString('hex')).toBe(`0123456789ab7b${'ab'.repeat(9)}`);
  });
});

describe('random bytes', () => {
  it('never come twice, whatever is asked for between', () => {
    const seen = new Set<string>();
    for (const length of [16, 32, 4_090, 16, 5_000, 32, ...Array.from({ length: 600 }, () => 16)]) {
      const bytes = new Uint8Array(length);
      systemRandom(bytes);
      seen.add(Buffer.from(bytes.subarray(0, 16)).toString('hex'));
      seen.add(Buffer.from(bytes.subarray(-16)).toString('hex'));
    }
    expect(seen.size).toBe(604 + 2 * 2 + 2);
  });
});

describe('the 16 bytes of an id', () => {
  it('give the same id again', () => {
    fc.assert(
      fc.property(PREFIX, fc.uint8Array({ minLength: 16, maxLength: 16 }), (prefix, bytes) => {
        const id = idFromBytes(prefix, bytes);
        expect(idBytes(id)).toEqual(bytes);
        expect(parseId(prefix, id)).toBe(id);
      }),
    );
  });
});

describe('parseId', () => {
  const id: Id<'vr'> = newId('vr', 1_800_000_000_000);

  it.each([
    ['nothing', ''],
    ['the prefix alone', 'vr_'],
    ['another prefix', id.replace('vr', 'dc')],
    ['upper case', id.toUpperCase()],
    ['one character too few', id.slice(0, -1)],
    ['one character too many', `${id}0`],
    ['a line break at the end', `${id}\n`],
    ['a NUL at the end', `${id.slice(0, -1)}\0`],
    ['a letter left out of the alphabet', `${id.slice(0, -1)}u`],
    ['a number over 128 bits', `vr_8${id.slice(4)}`],
    ['a prefix that only begins alike', id.replace('vr_', 'vrx')],
  ])('refuses %s', (_, text) => {
    expect(parseId('vr', text)).toBeNull();
  });
});
