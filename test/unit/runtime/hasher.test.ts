import { describe, expect, it } from 'vitest';
import { deriveKey, hmacHex } from '../../../src/kernel/crypto.ts';
import { hasher } from '../../../src/runtime/isolate.ts';

describe('hashes of addresses and domains', () => {
  const secret = new Uint8Array(32).fill(7);
  const hash = hasher(() => secret, 'address');
  const expected = (organisation: string, text: string) =>
    hmacHex(deriveKey(secret, `address hash ${organisation}`), text);

  it.each(['ada@acme.example', '@acme.example'])(
    'of %s differ with the organisation, and are the same each time',
    (text) => {
      for (const organisation of ['org_a', 'org_b', 'org_a'])
        expect(hash(organisation, text)).toBe(expected(organisation, text));
    },
  );
});
