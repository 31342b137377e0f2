import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../../src/domain/address/parse.ts';
import { traitsOf } from '../../../src/domain/answer/precheck.ts';
import { FEATURES, type Feature } from '../../../src/domain/belief/facts.ts';
import { type LocalSight, localFeatures } from '../../../src/domain/screening/local-features.ts';
import { lists as LISTS } from '../../support/lists.ts';

const sightOf = (email: string, change: Partial<LocalSight> = {}): LocalSight => {
  const parsed = parseAddress(email);
  if (!parsed.ok) throw new Error(`${email} is not an address`);
  return {
    address: parsed.address,
    mail: { kind: 'found', hosts: ['mx.acme.example'], implicit: false },
    provider: { family: null },
    traits: traitsOf(parsed.address, LISTS, LISTS.isFreeProvider(parsed.address.domain)),
    lists: LISTS,
    isTypo: false,
    nameMatch: null,
    ...change,
  };
};

describe('what an address shows by itself', () => {
  it.each<[email: string, change: Partial<LocalSight>, on: readonly Feature[]]>([
    ['ada.lovelace@acme-industries.com', {}, []],
    ['ada.lovelace@gmail.com', {}, []],
    ['ada@gmial.com', { isTypo: true }, ['typo_domain']],
    // Gmail gives out letters, digits and dots, six of them at least today. A few of its first accounts have three.
    ['ada_lovelace@gmail.com', {}, ['impossible']],
    ['ada@gmail.com', {}, ['too_short']],
    ['ada_lovelace@acme-industries.com', {}, []],
    // Far too short to be given out, and typed to get past a form: the strongest suspicion counts.
    ['a@gmail.com', {}, ['impossible', 'placeholder']],
    ['xkqzvwjpfgh@acme-industries.com', {}, ['gibberish']],
    ['xkqzvwjpfgh@acme-industries.com', { nameMatch: 'match' }, ['name_match']],
    ['asdfasdf@acme-industries.com', {}, ['placeholder']],
    ['test@test.com', {}, ['placeholder', 'role']],
    ['info@acme-industries.com', {}, ['role']],
    ['ada1815@acme-industries.com', {}, ['digits']],
    ['ada+2024@acme-industries.com', {}, []],
    ['ada@acme-industries.com', { nameMatch: 'match' }, ['name_match']],
    ['ada@acme-industries.com', { nameMatch: 'partial' }, []],
    ['ada@acme-industries.com', { provider: { family: 'parked' } }, ['parked_mail_hosts']],
    [
      'ada@acme-industries.com',
      { mail: { kind: 'found', hosts: ['acme-industries.com'], implicit: true } },
      ['address_record_only'],
    ],
    ['ada@acme-industries.com', { mail: { kind: 'unresolved', why: 'timeout' } }, []],
    // Such names are in the zone of a laboratory alone.
    ['ada@business.test', {}, []],
    ['asdfasdf@business.test', {}, ['placeholder']],
    // A relay makes its local parts up.
    ['x7kq2vwjpz@privaterelay.appleid.com', {}, []],
  ])('%s %j: %j', (email, change, on) => {
    expect(localFeatures(sightOf(email, change))).toEqual(on);
  });

  it('comes in one order', () => {
    const features = localFeatures(
      sightOf('info7@acme-industries.com', {
        isTypo: true,
        provider: { family: 'parked' },
        mail: { kind: 'found', hosts: [], implicit: true },
        nameMatch: 'match',
      }),
    );
    expect(features).toEqual(FEATURES.filter((feature) => features.includes(feature)));
    expect(features.length).toBeGreaterThan(3);
  });
});
