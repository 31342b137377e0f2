import { parse } from 'tldts';
import { describe, expect, it } from 'vitest';
import { PROVIDERS } from '../../../../src/domain/screening/typo/providers.ts';
import { NOT_DELEGATED, SUFFIXES } from '../../../../src/domain/screening/typo/suffixes.ts';
import { lists } from '../../../support/lists.ts';

describe('provider table', () => {
  it('holds mailbox domains the lists know, each once', () => {
    const domains = PROVIDERS.map(({ domain }) => domain);
    expect(domains.filter((domain) => !lists.isFreeProvider(domain) && !lists.isRelay(domain))).toEqual([]);
    expect(new Set(domains).size).toBe(domains.length);
  });

  it('gives all of them together no more than one share', () => {
    const total = PROVIDERS.reduce((sum, { logShare }) => sum + Math.exp(logShare), 0);
    // What is left over is for domains of one's own; shares are rounded to a factor of three.
    expect(total).toBeLessThan(1.5);
  });
});

describe('suffix tables', () => {
  it('hold suffixes that exist, apart from those said not to', () => {
    const exists = (suffix: string): boolean => parse(`name.${suffix}`).isIcann === true;
    expect(SUFFIXES.filter((suffix) => !exists(suffix))).toEqual([]);
    expect([...NOT_DELEGATED].filter(exists)).toEqual([]);
  });
});
