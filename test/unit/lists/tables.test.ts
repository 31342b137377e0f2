import { describe, expect, it } from 'vitest';
import { judgeDomain } from '../../../scripts/lists/domain-name.ts';
import { namesIn, type Row, TABLES } from '../../../scripts/lists/tables.ts';

const DOMAIN_TABLES = [
  'accessProviders',
  'agentServices',
  'consumerProviders',
  'imitatedBrands',
  'knownDomains',
  'largeEmployers',
  'relayServices',
  'throwawayServices',
] as const;

describe('curated tables', () => {
  it.each(Object.entries<readonly Row[]>(TABLES))(
    '%s gives a reason on every row and names something in it',
    (_, rows) => {
      for (const row of rows) {
        expect(row.reason.trim(), row.names).not.toBe('');
        expect(namesIn([row]), row.reason).not.toEqual([]);
      }
    },
  );

  it.each(Object.entries<readonly Row[]>(TABLES))('%s names nothing twice', (_, rows) => {
    const names = namesIn(rows);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it.each(DOMAIN_TABLES)('%s holds domain names that may stand in the packed table', (name) => {
    for (const domain of namesIn(TABLES[name])) expect(judgeDomain(domain)).toEqual({ domain });
  });

  it('never call a domain a relay and a mailbox provider at once', () => {
    const consumer = new Set([TABLES.consumerProviders, TABLES.accessProviders].flatMap(namesIn));
    expect(namesIn(TABLES.relayServices).filter((domain) => consumer.has(domain))).toEqual([]);
  });
});
