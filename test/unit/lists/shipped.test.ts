import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeDomain } from '../../../scripts/lists/domain-name.ts';
import { readInstalledSources } from '../../../scripts/lists/sources.ts';
import { namesIn, TABLES } from '../../../scripts/lists/tables.ts';
import { PROVIDER_DOMAINS } from '../../../src/domain/address/mailbox-rules.ts';
import { isBelowRestrictedSuffix } from '../../../src/domain/lists/review-list.ts';
import { isProviderTypo, lists } from '../../support/lists.ts';

const DATA = join(import.meta.dirname, '../../../src/domain/lists/data');
const record = JSON.parse(readFileSync(join(DATA, 'sources.json'), 'utf8')) as {
  files: Record<string, { sha256: string; bytes: number }>;
  packages: { name: string; version: string; licence: string; reason: string }[];
};
const installed = readInstalledSources();
const listable = (names: readonly string[]): string[] => names.flatMap((name) => judgeDomain(name).domain ?? []);
const LEGITIMATE = [
  ...namesIn(TABLES.relayServices),
  ...namesIn(TABLES.consumerProviders),
  ...namesIn(TABLES.accessProviders),
  ...namesIn(TABLES.imitatedBrands),
  ...namesIn(TABLES.knownDomains),
  ...namesIn(TABLES.largeEmployers),
  ...namesIn(TABLES.agentServices),
];

const ROLES: readonly string[] = `
  postmaster abuse noreply Vertrieb it-support customer.service sales-us
  accounts.payable ap poststelle founder board team-berlin berlin.team sales_tokyo
  bilgi satis myynti asiakaspalvelu iroda ugyfelszolgalat lienhe eigyo kefu humas obchod podatelna iod verkoop registrator salg
  postmottak logistirio vanzari contatti geral zakaz prodaja poruchki klienditugi pardavimai musteri.hizmetleri info-salg`
  .trim()
  .split(/\s+/);

const PEOPLE: readonly string[] = `
  anna john.smith paris alexa grant.page mary.office denver jo 2026
  user7 user fax mayor per sem camara london berlin.paris anna.berlin`
  .trim()
  .split(/\s+/);

describe('shipped lists', () => {
  it('are the files their record describes', () => {
    for (const [file, { sha256, bytes }] of Object.entries(record.files)) {
      const content = readFileSync(join(DATA, file));
      expect([content.length, createHash('sha256').update(content).digest('hex')], file).toEqual([bytes, sha256]);
    }
  });

  it('were built from the installed versions of their sources', () => {
    for (const {
      package: { name, version },
    } of Object.values(installed)) {
      expect(record.packages.filter((entry) => entry.name === name).map((entry) => entry.version)).toContain(version);
    }
  });

  it('name a licence and a reason for every source, and carry the licence texts', () => {
    const texts = readFileSync(join(DATA, '../../../../THIRD_PARTY.md'), 'utf8');
    for (const { name, licence, reason } of record.packages) expect([licence, reason, name]).not.toContain('');
    for (const {
      package: { name, version },
    } of Object.values(installed))
      expect(texts).toContain(`### ${name} ${version} (`);
  });

  it('block every domain of the curated list, but what we list ourselves, typos, and a provider that it alone names', () => {
    const ours = new Set(LEGITIMATE);
    const providers = new Set(installed.freeProviders.names);
    const missing = listable(installed.curated.names).filter(
      (domain) => !ours.has(domain) && !isProviderTypo(domain) && lists.disposableTier(domain) !== 'block',
    );
    expect(missing.filter((domain) => !providers.has(domain))).toEqual([]);
    expect(missing.length).toBeLessThan(10);
  });

  it('block or suspect every reported domain, but for those known to be legitimate, withdrawn or a typo', () => {
    const reported = listable([...installed.crawled.names, ...installed.community.names]);
    const spared = reported.filter((domain) => lists.disposableTier(domain) === null);
    const legitimate = (domain: string): boolean =>
      lists.isKnown(domain) || lists.isRelay(domain) || lists.isFreeProvider(domain) || isBelowRestrictedSuffix(domain);
    const unexplained = spared.filter((domain) => !legitimate(domain) && !isProviderTypo(domain));
    expect(unexplained.length).toBeLessThan(40);
  });

  it("neither block nor suspect a relay, a provider, a known domain an agents' domain, or anything below one", () => {
    expect(LEGITIMATE.filter((domain) => lists.disposableTier(domain) !== null)).toEqual([]);
    expect(LEGITIMATE.filter((domain) => lists.disposableTier(`sub.${domain}`) === 'block')).toEqual([]);
  });

  it('never block a listed free provider', () => {
    const free = listable(installed.freeProviders.names).filter((domain) => lists.isFreeProvider(domain));
    expect(free.length).toBeGreaterThan(4_000);
    expect(free.filter((domain) => lists.disposableTier(domain) !== null)).toEqual([]);
  });

  it('list not one of 100,000 random names', () => {
    const random = fc.sample(fc.stringMatching(/^[a-z0-9]{16,24}\.(?:com|net|org|info)$/), {
      numRuns: 100_000,
      seed: 20_261,
    });
    expect(
      random.filter(
        (domain) => lists.disposableTier(domain) !== null || lists.isKnown(domain) || lists.isFreeProvider(domain),
      ),
    ).toEqual([]);
  });

  it('fit the size the Worker has for them', () => {
    expect(record.files['domains.bin']?.bytes).toBeLessThan(2_000_000);
  });

  it.each<[domain: string, tier: string | null, why: string]>([
    ['mailinator.com', 'block', 'the oldest of the throwaway services'],
    ['sub.mailinator.com', 'block', 'every sub-domain takes mail'],
    ['yopmail.com', 'block', 'throwaway'],
    ['guerrillamail.com', 'block', 'throwaway'],
    ['gmial.com', null, 'lists hold it, and it is a typo of a provider'],
    ['hotmial.com', null, 'lists hold it, and it is a typo of a provider'],
    ['hotmai.com', null, 'lists hold it, and it is a typo of a provider'],
    ['gotmail.com', 'block', 'a throwaway service whose name only looks like a typo'],
    ['rocketmail.cf', 'signal', "a provider's name under a suffix that was chosen"],
    ['xn--yaho-sqa.com', 'block', 'a look-alike that was chosen'],
    ['zapto.org', null, 'a dynamic DNS suffix: anybody may be below it'],
    ['home-server.zapto.org', null, 'a dynamic DNS suffix: anybody may be below it'],
    ['gmail.com', null, 'a provider'],
    ['fastmail.fm', null, 'a provider some lists block'],
    ['onet.pl', null, 'a provider some lists block'],
    ['whitehouse.gov', null, 'an aggregate list blocks it'],
    ['docs.google.com', null, 'an aggregate list blocks it'],
    ['tulane.edu', null, 'an aggregate list blocks it'],
    ['mozmail.com', null, 'a relay'],
    ['maskmy.id', null, 'a relay the curated list blocks'],
    ['sify.com', null, 'a provider the curated list blocks'],
    ['hushmail.cf', 'signal', 'the curated list alone names it, and so does the list of free providers'],
    ['army.gov', null, 'an aggregate list holds it, and no throwaway service can have it'],
    ['example.com', null, 'reserved'],
  ])('disposable tier of %s is %s: %s', (domain, tier) => {
    expect(lists.disposableTier(domain)).toBe(tier);
  });

  it.each([
    ['privaterelay.appleid.com', true],
    ['private.icloud.com', true],
    ['bravealias.com', true],
    ['silver-fox.clivaro.io', true],
    ['cloaked.com', false],
    ['alice.anonaddy.com', true],
    ['bob.33mail.com', true],
    ['appleid.com', false],
    ['icloud.com', false],
    ['hey.com', false],
    ['privaterelay.appleid.com.evil.com', false],
  ])('%s is a relay: %s', (domain, expected) => {
    expect(lists.isRelay(domain)).toBe(expected);
  });

  it.each([
    'gmail.com',
    'yahoo.co.jp',
    'gmx.de',
    'web.de',
    'orange.fr',
    'twcny.rr.com',
    'qq.com',
    'proton.me',
    'seznam.cz',
    'movistar.es',
    'emirates.net.ae',
    'posteo.se',
    'ymail.ne.jp',
    'ymobile1.ne.jp',
    'outlook.com.pe',
    ...Object.values(PROVIDER_DOMAINS).flat(),
  ])('%s is a free provider', (domain) => {
    expect(lists.isFreeProvider(domain)).toBe(true);
  });

  it.each(['google.com', 'facebook.com', 'stanford.edu', 'example.com', 'gmail.co', 'apple.com', 'clerk.com'])(
    '%s is not a free provider',
    (domain) => {
      expect(lists.isFreeProvider(domain)).toBe(false);
    },
  );

  it.each(ROLES)('%s is a role name', (local) => {
    expect(lists.isRoleName(local)).toBe(true);
  });

  it.each(PEOPLE)('%s is not a role name', (local) => {
    expect(lists.isRoleName(local)).toBe(false);
  });
});
