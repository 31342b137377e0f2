import { describe, expect, it } from 'vitest';
import { deriveKey, hmacHex } from '../../../src/kernel/crypto.ts';
import { addressHashes, hasher } from '../../../src/runtime/hasher.ts';

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

describe('while a secret is rotated', () => {
  const [present, before, first] = [7, 8, 9].map((fill) => new Uint8Array(32).fill(fill)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const open = () => addressHashes(() => present, [before, first]);
  const by = (secret: Uint8Array, text: string) => hasher(() => secret, 'address')('org_a', text);

  it('without one nothing is told', () => {
    expect(addressHashes(() => present, [])).toMatchObject({ pending: null });
    expect(addressHashes(() => present, []).earlier('org_a', 'ada@acme.example')).toEqual([]);
  });

  it.each([
    ['ada@acme.example', false],
    ['@acme.example', true],
  ])('the object is told once what %s was named before, and another organisation’s is not', (text, isDomain) => {
    const { hash, earlier, pending } = open();
    expect([hash('org_a', text), hash('org_a', text)]).toEqual([by(present, text), by(present, text)]);
    const was = [by(before, text), by(first, text)];
    expect(earlier('org_a', text)).toEqual(was);
    const rehashes = pending?.of('org_a') ?? [];
    expect(rehashes).toEqual([{ hash: by(present, text), earlier: was, isDomain }]);
    expect(pending?.of('org_b')).toEqual([]);
    pending?.confirm('org_a', rehashes);
    hash('org_a', text);
    expect(pending?.of('org_a')).toEqual([]);
  });

  it('what was not told stays, whatever else was', () => {
    const { hash, pending } = open();
    hash('org_a', 'ada@acme.example');
    const rehashes = pending?.of('org_a') ?? [];
    hash('org_a', 'bob@acme.example');
    pending?.confirm('org_a', rehashes);
    expect(pending?.of('org_a').map((each) => each.hash)).toEqual([by(present, 'bob@acme.example')]);
  });

  it('an object that is out of reach for long is told of the newest', () => {
    const { hash, pending } = open();
    for (let n = 0; n <= 20_000; n += 1) hash('org_a', `a${n}@acme.example`);
    const left = pending?.of('org_a') ?? [];
    expect([left.length, left[0]?.hash]).toEqual([20_000, by(present, 'a1@acme.example')]);
  });
});
