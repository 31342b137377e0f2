import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { constantTimeEqual, deriveKey, hmac, hmacHex, secretBytes, sha256Hex } from '../../../src/kernel/crypto.ts';

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));

describe('keyed hashes', () => {
  it('are HMAC-SHA-256 (RFC 4231, case 2)', () => {
    const key = new TextEncoder().encode('Jefe');
    const expected = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    expect(hmacHex(key, 'what do ya want for nothing?')).toBe(expected);
    expect(Buffer.from(hmac(key, 'what do ya want for nothing?')).toString('hex')).toBe(expected);
  });

  it('take text as UTF-8', () => {
    expect(sha256Hex('é')).toBe(sha256Hex(hex('c3a9')));
  });

  it('differ by key and by text', () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(bytes, bytes, fc.string(), fc.string(), (k1, k2, t1, t2) => {
        const isSame = Buffer.compare(k1, k2) === 0 && t1 === t2;
        expect(hmacHex(k1, t1) === hmacHex(k2, t2)).toBe(isSame);
      }),
    );
  });
});

describe('deriveKey', () => {
  it('is HKDF-SHA-256 without salt (RFC 5869, test case 3: its first 32 bytes)', () => {
    const expected = '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d';
    expect(Buffer.from(deriveKey(hex('0b'.repeat(22)), '')).toString('hex')).toBe(expected);
  });

  it('gives every use its own key', () => {
    const secret = new Uint8Array(32).fill(7);
    const uses = ['api key mac', 'api key version', 'operator bootstrap', 'address hash org_1', 'address hash org_2'];
    expect(new Set(uses.map((use) => Buffer.from(deriveKey(secret, use)).toString('hex'))).size).toBe(uses.length);
  });
});

describe('secretBytes', () => {
  it('takes 32 bytes and more', () => {
    expect(secretBytes(Buffer.alloc(32, 1).toString('base64'))).toHaveLength(32);
    expect(secretBytes(Buffer.alloc(64, 1).toString('base64'))).toHaveLength(64);
  });

  it.each(['', 'secret', Buffer.alloc(31, 1).toString('base64')])(
    'refuses a short one, without naming it: "%s"',
    (text) => {
      expect(() => secretBytes(text)).toThrow('a secret needs 32 or more random bytes in base64');
    },
  );
});

describe('constantTimeEqual', () => {
  it('agrees with ===', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '🐙'), maxLength: 3 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(constantTimeEqual(a, b)).toBe(a === b);
      }),
    );
  });
});
