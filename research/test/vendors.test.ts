import { describe, expect, it } from 'vitest';
import { classifyMailHosts } from '../../scripts/lists/shipped.ts';
import { lookUp } from '../../scripts/stack/dns-server.ts';
import { publicZone, testZone } from '../../scripts/stack/dns-zones.ts';
import { parseAddress } from '../../src/domain/address/parse.ts';
import { precheck, traitsOf } from '../../src/domain/answer/precheck.ts';
import { isConsumerDomain } from '../../src/domain/mailbox-provider/classify.ts';
import { hostClass } from '../../src/domain/belief/host-class.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { PROVIDER_IDS } from '../../src/domain/belief/provider.ts';
import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import { NO_RULES } from '../../src/domain/rules/rules.ts';
import { lists } from '../../test/support/lists.ts';
import { accountsAt } from '../../test/support/vendors/accounts.ts';
import { FAULT_NAMES } from '../../test/support/vendors/faults.ts';
import { addressAt } from '../population/addresses.ts';
import { addressOf, emailOf, isRole } from '../population/email-addresses.ts';
import { behaviourIn } from '../population/outages.ts';
import { drawPopulation, NEAR } from '../population/population.ts';

const POPULATION = drawPopulation(MODEL, NEAR, 3);
const ADDRESSES = Array.from({ length: 600 }, (_, index) => addressAt(POPULATION, index));

/** The mail hosts of a domain in the local stack's zones. */
function hostsOf(domain: string): string[] {
  const answer = lookUp(testZone, { name: domain, type: 'MX' }) ?? lookUp(publicZone, { name: domain, type: 'MX' });
  return (answer?.answers ?? []).flatMap((record) =>
    record.type === 'MX' ? [(record.data as { exchange: string }).exchange] : [],
  );
}

describe('an address of a population', () => {
  it('is written so that the service finds its host', () => {
    for (const address of ADDRESSES) {
      const parsed = parseAddress(emailOf(address));
      if (!parsed.ok) throw new Error('syntax');
      const { domain } = parsed.address;
      const hosts = hostsOf(domain);
      const traits = traitsOf(parsed.address, lists, isConsumerDomain(lists, classifyMailHosts, domain, hosts));
      const { mxProvider, gateway } = classifyMailHosts({ hosts, domain, isFree: traits.consumer });
      const { disposable } = precheck({
        mail: { kind: 'found', hosts, implicit: false },
        disposableTier: null,
        rules: NO_RULES,
      });
      expect(hostClass({ ...traits, disposable, mxProvider, gateway })).toBe(address.host.host);
      expect(traits.role).toBe(isRole(emailOf(address)));
    }
    expect(new Set(ADDRESSES.map(({ host }) => host.host)).size).toBe(POPULATION.hosts.length);
    expect(ADDRESSES.filter((address) => isRole(emailOf(address))).length).toBeGreaterThan(10);
  });

  it('is found again by what is written, and is not another’s', () => {
    for (const address of ADDRESSES) expect(addressOf(POPULATION, emailOf(address))).toEqual(address);
    expect(new Set(ADDRESSES.map(emailOf)).size).toBe(ADDRESSES.length);
  });
});

describe('a population’s vendors', () => {
  const behaviourOf = behaviourIn(POPULATION, { periodMs: 1_000, pace: 0.1 });
  const behaviours = ADDRESSES.flatMap((address, at) =>
    PROVIDER_IDS.map((provider) => ({
      provider,
      address,
      behaviour: behaviourOf(provider, emailOf(address), at * 211),
    })),
  );

  it('say of an address what the population says, or fail', () => {
    for (const { provider, address, behaviour } of behaviours) {
      if (!('statement' in behaviour)) continue;
      const digit = address.said[PROVIDER_IDS.indexOf(provider)] ?? 0;
      expect(behaviour.statement.verdict).toBe(VERDICTS[digit - 1]);
      if (behaviour.statement.verdict === 'catch_all') expect(behaviour.statement.acceptsAll).toBe(true);
    }
    const failed = behaviours.filter(({ behaviour }) => 'fault' in behaviour);
    expect(failed.length).toBeGreaterThan(behaviours.length / 20);
    expect(failed.length).toBeLessThan(behaviours.length / 2);
  });

  it('meet every fault there is', () => {
    const met = behaviours.flatMap(({ behaviour }) => ('fault' in behaviour ? [behaviour.fault] : []));
    expect([...new Set(met)].toSorted()).toEqual(FAULT_NAMES.toSorted());
  });

  it('are treated the same at the same time, from the same seed', () => {
    for (const { provider, address, behaviour } of behaviours.slice(0, 70))
      expect(behaviourOf(provider, emailOf(address), ADDRESSES.indexOf(address) * 211)).toEqual(behaviour);
  });

  it('ask whole micros', () => {
    for (const { priceMicros } of Object.values(accountsAt(0.03))) expect(Number.isSafeInteger(priceMicros)).toBe(true);
  });
});
