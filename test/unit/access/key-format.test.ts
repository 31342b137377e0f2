import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { issueKey, type KeyClaims, keySecret, keyVersion, readKey } from '../../../src/domain/access/keys.ts';
import { idFromBytes, newId } from '../../../src/kernel/ids.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretOf = (fill: number) => keySecret(Buffer.alloc(32, fill).toString('base64'));
const SECRET = secretOf(1);
const ORGANISATION = newId('org', 1_800_000_000_000);
const RANDOM = new Uint8Array(16).fill(0x5a);
const LENGTH = 72;

const GRADES = [
  { role: 'viewer', operator: false },
  { role: 'member', operator: false },
  { role: 'admin', operator: false },
  { role: 'admin', operator: true },
] as const;
const CLAIMS: KeyClaims[] = (['live', 'test'] as const).flatMap((mode) =>
  GRADES.map((grade) => ({ organisationId: ORGANISATION, mode, ...grade })),
);
const KEY = issueKey(SECRET, { organisationId: ORGANISATION, mode: 'live', role: 'member', operator: false }, RANDOM);

const bytes16 = fc.uint8Array({ minLength: 16, maxLength: 16 });

describe('a key', () => {
  it.each(CLAIMS)('is read back as it was issued: $mode $role, operator $operator', (claims) => {
    fc.assert(
      fc.property(bytes16, bytes16, (organisation, random) => {
        const issued = { ...claims, organisationId: idFromBytes('org', organisation) };
        expect(readKey([SECRET], issueKey(SECRET, issued, random))).toEqual(issued);
      }),
      { numRuns: 30 },
    );
  });

  it('has the mode in its prefix, one length, and only base62 after it', () => {
    for (const claims of CLAIMS) {
      const key = issueKey(SECRET, claims, RANDOM);
      expect(key).toMatch(new RegExp(`^evk_${claims.mode}_[0-9A-Za-z]{${LENGTH - 9}}$`));
    }
  });

  it('differs by its random bits alone', () => {
    const claims = CLAIMS[0] as KeyClaims;
    const keys = Array.from({ length: 16 }, (_, i) => issueKey(SECRET, claims, new Uint8Array(16).fill(i)));
    expect(new Set(keys).size).toBe(16);
  });

  it.each([0, 8, 15, 17])('is not issued with %i random bytes', (length) => {
    expect(() => issueKey(SECRET, CLAIMS[0] as KeyClaims, new Uint8Array(length))).toThrow('128 random bits');
  });

  it('is not issued for a grade that does not exist', () => {
    const claims: KeyClaims = { organisationId: ORGANISATION, mode: 'live', role: 'viewer', operator: true };
    expect(() => issueKey(SECRET, claims, RANDOM)).toThrow('a known role');
  });
});

describe('readKey', () => {
  it('refuses every key with a single other character at any position', () => {
    for (let at = 0; at < KEY.length; at += 1) {
      for (const char of BASE62) {
        if (char === KEY[at]) continue;
        expect(readKey([SECRET], KEY.slice(0, at) + char + KEY.slice(at + 1))).toBeNull();
      }
    }
  });

  it('refuses a key with several changes', () => {
    const changes = fc.array(fc.tuple(fc.nat(KEY.length - 1), fc.string({ minLength: 1, maxLength: 1 })), {
      minLength: 1,
    });
    fc.assert(
      fc.property(changes, (edits) => {
        const key = edits.reduce((text, [at, char]) => text.slice(0, at) + char + text.slice(at + 1), KEY);
        fc.pre(key !== KEY);
        expect(readKey([SECRET], key)).toBeNull();
      }),
    );
  });

  it('refuses any text that is not a key, without throwing', () => {
    const body = fc.string({ unit: fc.constantFrom(...BASE62), minLength: LENGTH - 9, maxLength: LENGTH - 9 });
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 100 }),
      body.map((text) => `evk_live_${text}`),
      body.map((text) => `evk_test_${text}`),
    );
    fc.assert(
      fc.property(anything, (text) => {
        expect(readKey([SECRET], text)).toBeNull();
      }),
    );
  });

  const swapMode = KEY.replace('evk_live_', 'evk_test_');
  it.each([
    ['nothing', ''],
    ['a prefix alone', 'evk_live_'],
    ['one character too few', KEY.slice(0, -1)],
    ['one character too many', `${KEY}0`],
    ['a space in front', ` ${KEY}`],
    ['a line break at the end', `${KEY}\n`],
    ['its own other mode', swapMode],
    ['a mode that does not exist', KEY.replace('evk_live_', 'evk_demo_')],
    ['other case', KEY.toUpperCase()],
    ['a MAC of zeros', KEY.slice(0, -17) + '0'.repeat(17)],
    ['a MAC that is not base62, as long in UTF-16', `${KEY.slice(0, -17)}${'é'.repeat(17)}`],
    ['no MAC', KEY.slice(0, -17)],
  ])('refuses %s', (_, key) => {
    expect(readKey([SECRET], key)).toBeNull();
  });

  it('refuses a role raised under the MAC of a lower one', () => {
    const at = 'evk_live_'.length + 22;
    expect(KEY[at]).toBe('m');
    for (const grade of ['v', 'a', 'o'])
      expect(readKey([SECRET], KEY.slice(0, at) + grade + KEY.slice(at + 1))).toBeNull();
  });

  it('refuses a key of another secret, and one signed by another secret under the version of ours', () => {
    const claims = CLAIMS[0] as KeyClaims;
    expect(readKey([SECRET], issueKey(secretOf(2), claims, RANDOM))).toBeNull();
    const forged = issueKey({ ...secretOf(2), version: SECRET.version }, claims, RANDOM);
    expect(readKey([SECRET], forged)).toBeNull();
    expect(readKey([], KEY)).toBeNull();
  });
});

describe('rotation of the service secret', () => {
  const older = secretOf(2);
  const claims = CLAIMS[1] as KeyClaims;
  const oldKey = issueKey(older, claims, RANDOM);

  it('keeps keys of the previous secrets valid, until the secret is dropped', () => {
    expect(readKey([SECRET, secretOf(3), older], oldKey)).toEqual(claims);
    expect(readKey([SECRET, secretOf(3)], oldKey)).toBeNull();
  });

  it('names the secret in the key, so that a list tells which keys need a dropped one', () => {
    expect(keyVersion(oldKey)).toBe(older.version);
    expect(keyVersion(KEY)).toBe(SECRET.version);
    expect(older.version).not.toBe(SECRET.version);
  });

  it('finds the right one of two secrets whose versions are the same character', () => {
    // 62 characters name all secrets: two of 70 must share one.
    const secrets = Array.from({ length: 70 }, (_, i) => secretOf(i + 1));
    const [first, second] = Object.values(Object.groupBy(secrets, (secret) => secret.version)).find(
      (same) => (same?.length ?? 0) > 1,
    ) as [typeof SECRET, typeof SECRET];
    expect(readKey([first, second], issueKey(second, claims, RANDOM))).toEqual(claims);
    expect(readKey([first], issueKey(second, claims, RANDOM))).toBeNull();
  });
});

describe('keySecret', () => {
  it.each(['', 'short', Buffer.alloc(31).toString('base64')])('refuses fewer than 32 bytes: "%s"', (text) => {
    expect(() => keySecret(text)).toThrow('32 or more random bytes');
  });

  it('reveals one character about the secret and no more', () => {
    expect(SECRET.version).toMatch(/^[0-9A-Za-z]$/);
  });
});
