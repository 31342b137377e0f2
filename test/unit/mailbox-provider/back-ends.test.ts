import { describe, expect, it } from 'vitest';
import type { MailHosts } from '../../../src/domain/dns/resolve.ts';
import type { DisposableTier, Lists } from '../../../src/domain/lists/lists.ts';
import {
  backEndsOf,
  createBackEnds,
  isThrowaway,
  type SeenDomain,
  seenAs,
} from '../../../src/domain/mailbox-provider/back-ends.ts';
import { lists as shipped } from '../../support/lists.ts';

const isProvidersHost = (host: string): boolean => host.endsWith('.provider.example');
const at = (hosts: readonly string[], ...addresses: string[]): MailHosts => ({
  kind: 'found',
  hosts,
  implicit: false,
  addresses,
});

describe('the back ends of a domain', () => {
  it.each<{ title: string; mail: MailHosts; expected: readonly string[] }>([
    {
      title: 'are its hosts’ registrable domains, each once, and their addresses',
      mail: at(['mx1.throw.example', 'mx2.throw.example', 'mx.other.example'], '192.0.2.1'),
      expected: ['throw.example', 'other.example', '192.0.2.1'],
    },
    {
      title: 'are addresses alone at hosts of its own',
      mail: at(['mx.acme.example'], '192.0.2.1'),
      expected: ['192.0.2.1'],
    },
    {
      title: 'are none where a known provider runs a host',
      mail: at(['mx.a.example', 'mx.provider.example']),
      expected: [],
    },
    { title: 'are none without mail hosts', mail: { kind: 'none', why: 'no_records' }, expected: [] },
    { title: 'are none where they are not known', mail: { kind: 'unresolved', why: 'timeout' }, expected: [] },
  ])('$title', ({ mail, expected }) => {
    expect(backEndsOf(isProvidersHost, 'mail.acme.example', mail)).toEqual(expected);
  });
});

const TODAY = 100;
const OLD = TODAY - 14;
const seen = (as: SeenDomain['seenAs'], count: number, firstDay = OLD): SeenDomain[] =>
  Array.from({ length: count }, () => ({ seenAs: as, firstDay }));

describe('a back end', () => {
  it.each<{ title: string; domains: SeenDomain[]; expected: boolean }>([
    { title: 'of five listed domains is suspected', domains: seen('listed', 5), expected: true },
    { title: 'of four is not', domains: seen('listed', 4), expected: false },
    { title: 'is not before it was watched for two weeks', domains: seen('listed', 5, OLD + 1), expected: false },
    { title: 'is not with one known domain', domains: [...seen('listed', 50), ...seen('known', 1)], expected: false },
    {
      title: 'is not with one domain to nineteen listed ones that no list has after two weeks',
      domains: [...seen('listed', 19), ...seen('unlisted', 1)],
      expected: false,
    },
    {
      title: 'is suspected with one to twenty',
      domains: [...seen('listed', 20), ...seen('unlisted', 1)],
      expected: true,
    },
    {
      title: 'is not with two to thirty-nine',
      domains: [...seen('listed', 39), ...seen('unlisted', 2)],
      expected: false,
    },
    {
      title: 'is suspected with one that lists have not had the time for',
      domains: [...seen('listed', 50), ...seen('unlisted', 1, OLD + 1)],
      expected: true,
    },
    {
      title: 'is not while most of its domains are new and unlisted',
      domains: [...seen('listed', 5), ...seen('unlisted', 6, TODAY)],
      expected: false,
    },
    {
      title: 'is judged without the domains on the signal tier',
      domains: [...seen('listed', 5), ...seen('doubtful', 50)],
      expected: true,
    },
  ])('$title', ({ domains, expected }) => {
    expect(isThrowaway(domains, TODAY)).toBe(expected);
  });
});

describe('a domain at a suspected back end', () => {
  const tiers: Record<string, DisposableTier> = { 'listed.example': 'block', 'doubtful.example': 'signal' };
  const lists: Lists = { ...shipped, disposableTier: (domain) => tiers[domain] ?? null };
  const isTypo = (domain: string): boolean => domain === 'gmial.com';
  const suspected = new Set(['throw.example', '192.0.2.1', 'gmx.net']);
  const backEnds = createBackEnds({ isProvidersHost, isTypo, lists }, () => suspected);

  it.each([
    { domain: 'fresh.example', names: ['throw.example'], expected: true, why: 'by its host' },
    { domain: 'fresh.example', names: ['other.example', '192.0.2.1'], expected: true, why: 'by its address' },
    { domain: 'fresh.example', names: ['other.example'], expected: false, why: 'elsewhere' },
    { domain: 'gmail.com', names: ['throw.example'], expected: false, why: 'a large provider’s' },
    { domain: 'gmx.ch', names: ['throw.example'], expected: false, why: 'a known domain' },
    { domain: 'gmial.com', names: ['throw.example'], expected: false, why: 'a typo of a large provider’s' },
    { domain: 'fresh.example', names: ['gmx.net', '192.0.2.1'], expected: false, why: 'beside a known domain’s host' },
  ])('$domain at $names: $expected ($why)', ({ domain, names, expected }) => {
    expect(backEnds.areSuspected(domain, names)).toBe(expected);
  });

  it.each([
    ['listed.example', 'listed'],
    ['doubtful.example', 'doubtful'],
    ['gmx.ch', 'known'],
    ['fresh.example', 'unlisted'],
  ])('%s is seen as %s', (domain, expected) => expect(seenAs(lists, domain, ['192.0.2.1'])).toBe(expected));
});
