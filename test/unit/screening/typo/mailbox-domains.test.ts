import { parse } from 'tldts';
import { describe, expect, it } from 'vitest';
import { MAILBOX_DOMAINS } from '../../../../src/domain/screening/typo/mailbox-domains.ts';
import { DOMAIN_SUFFIXES, NOT_DELEGATED } from '../../../../src/domain/screening/typo/typed-domain.ts';
import { lists } from '../../../support/lists.ts';

describe('provider table', () => {
  it('holds mailbox domains the lists know, each once', () => {
    const domains = MAILBOX_DOMAINS.map(({ domain }) => domain);
    expect(domains.filter((domain) => !lists.isFreeProvider(domain) && !lists.isRelay(domain))).toEqual([]);
    expect(new Set(domains).size).toBe(domains.length);
  });

  it('gives all of them together no more than one share', () => {
    const total = MAILBOX_DOMAINS.reduce((sum, { logShare }) => sum + Math.exp(logShare), 0);
    // What is left over is for domains of one's own; shares are rounded to a factor of three.
    expect(total).toBeLessThan(1.5);
  });
});

describe('suffix tables', () => {
  it('hold suffixes that exist, apart from those said not to', () => {
    const exists = (suffix: string): boolean => parse(`name.${suffix}`).isIcann === true;
    expect(DOMAIN_SUFFIXES.filter((suffix) => !exists(suffix))).toEqual([]);
    expect([...NOT_DELEGATED].filter(exists)).toEqual([]);
  });
});
