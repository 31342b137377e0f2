import { describe, expect, it } from 'vitest';
import { classifyMailHosts } from '../../../scripts/lists/shipped.ts';
import { lookUp } from '../../../scripts/stack/dns-answer.ts';
import { publicZone } from '../../../scripts/stack/public-zone.ts';
import { testZone } from '../../../scripts/stack/test-zone.ts';
import { addressAt } from '../../../scripts/worlds/addresses.ts';
import { addressOf, emailOf, isRole } from '../../../scripts/worlds/mailboxes.ts';
import { FAULT_NAMES } from '../../../scripts/worlds/vendor-faults.ts';
import { accountsAt } from '../../../scripts/worlds/vendors.ts';
import { inWorld } from '../../../scripts/worlds/weather.ts';
import { drawWorld, NEAR } from '../../../scripts/worlds/world.ts';
import { parseAddress } from '../../../src/domain/address/parse.ts';
import { NO_RULES } from '../../../src/domain/rules/types.ts';
import { hostClass } from '../../../src/domain/verification/host-class.ts';
import { SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { gate } from '../../../src/domain/verification/precheck.ts';
import { PROVIDER_IDS } from '../../../src/domain/verification/provider.ts';
import { VERDICTS } from '../../../src/domain/verification/provider-table.ts';
import { traitsOf } from '../../../src/domain/verification/signals.ts';
import { lists } from '../../support/lists.ts';

const WORLD = drawWorld(SEEDED_MODEL, NEAR, 3);
const ADDRESSES = Array.from({ length: 600 }, (_, index) => addressAt(WORLD, index));

/** The mail hosts of a domain in the local stack's zones. */
function hostsOf(domain: string): string[] {
  const answer = lookUp(testZone, { name: domain, type: 'MX' }) ?? lookUp(publicZone, { name: domain, type: 'MX' });
  return (answer?.answers ?? []).flatMap((record) =>
    record.type === 'MX' ? [(record.data as { exchange: string }).exchange] : [],
  );
}

describe('an address of a world', () => {
  it('is written so that the service finds its host', () => {
    for (const address of ADDRESSES) {
      const parsed = parseAddress(emailOf(address));
      if (!parsed.ok) throw new Error('syntax');
      const { domain } = parsed.address;
      const traits = traitsOf(parsed.address, lists);
      const hosts = hostsOf(domain);
      const { mxProvider, gateway } = classifyMailHosts({ hosts, domain, isFree: traits.consumer });
      const open = gate({ mail: { kind: 'found', hosts, implicit: false }, disposableTier: null, rules: NO_RULES });
      expect(hostClass(open, traits, mxProvider, gateway)).toBe(address.host.host);
      expect(traits.role).toBe(isRole(emailOf(address)));
    }
    expect(new Set(ADDRESSES.map(({ host }) => host.host)).size).toBe(WORLD.hosts.length);
    expect(ADDRESSES.filter((address) => isRole(emailOf(address))).length).toBeGreaterThan(10);
  });

  it('is found again by what is written, and is no other’s', () => {
    for (const address of ADDRESSES) expect(addressOf(WORLD, emailOf(address))).toEqual(address);
    expect(new Set(ADDRESSES.map(emailOf)).size).toBe(ADDRESSES.length);
  });
});

describe('a world’s vendors', () => {
  const treat = inWorld(WORLD, { periodMs: 1_000, pace: 0.1 });
  const treatments = ADDRESSES.flatMap((address, at) =>
    PROVIDER_IDS.map((provider) => ({ provider, address, treatment: treat(provider, emailOf(address), at * 211) })),
  );

  it('say of an address what the world says, or fail', () => {
    for (const { provider, address, treatment } of treatments) {
      if (!('statement' in treatment)) continue;
      const digit = address.said[PROVIDER_IDS.indexOf(provider)] ?? 0;
      expect(treatment.statement.verdict).toBe(VERDICTS[digit - 1]);
      if (treatment.statement.verdict === 'catch_all') expect(treatment.statement.acceptsAll).toBe(true);
    }
    const failed = treatments.filter(({ treatment }) => 'fault' in treatment);
    expect(failed.length).toBeGreaterThan(treatments.length / 20);
    expect(failed.length).toBeLessThan(treatments.length / 2);
  });

  it('meet every fault there is', () => {
    const met = treatments.flatMap(({ treatment }) => ('fault' in treatment ? [treatment.fault] : []));
    expect([...new Set(met)].toSorted()).toEqual(FAULT_NAMES.toSorted());
  });

  it('are treated the same at the same time, from the same seed', () => {
    for (const { provider, address, treatment } of treatments.slice(0, 70))
      expect(treat(provider, emailOf(address), ADDRESSES.indexOf(address) * 211)).toEqual(treatment);
  });

  it('ask whole micros', () => {
    for (const { priceMicros } of Object.values(accountsAt(0.03))) expect(Number.isSafeInteger(priceMicros)).toBe(true);
  });
});
