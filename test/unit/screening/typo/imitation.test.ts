import { describe, expect, it } from 'vitest';
import { namesIn, TABLES } from '../../../../scripts/lists/tables.ts';
import { isLegitimate } from '../../../../src/domain/lists/review-list.ts';
import { isImitation } from '../../../../src/domain/screening/typo/imitation.ts';
import { MAILBOX_DOMAINS } from '../../../../src/domain/screening/typo/mailbox-domains.ts';
import { lists } from '../../../support/lists.ts';

const known = (domain: string): boolean => isLegitimate(lists, domain);
const evidence = { known, imitated: lists.isImitated };

describe('a look-alike', () => {
  it.each([
    ['a digit for a letter', 'netf1ix.com'],
    ['digits all over', 'g00g1e.com'],
    ['two letters for one', 'arnericanexpress.com'],
    ['two letters for one, twice over', 'wellsfargo.com'.replace('w', 'vv').replace('ll', '11')],
    ['one letter for another', 'linkedln.com'],
    ['a Cyrillic letter', 'ne\u0442flix.com'],
    ['a Cyrillic letter, as an A-label', new URL('http://ne\u0442flix.com').hostname],
    ['a short name with a Cyrillic letter', '\u0430ol.com'],
    ['a host below one', 'login.netf1ix.com'],
    ['in capitals', 'NETF1IX.COM'],
    ["of a school's", 'stanf0rd.edu'],
  ])('is recognised: %s (%s)', (_, domain) => {
    expect(isImitation(domain, evidence)).toBe(true);
  });

  it.each([
    ['a known domain', 'netflix.com'],
    ['a company', 'brightfoundry.com'],
    ['a company whose letters read as others', 'northern-clinic.com'],
    ['a swap of two letters, which is a typo', 'nefltix.com'],
    ['two letters for others: chance', 'ilnkedln.com'],
    ['marks alone', 'n\u00e9tflix.com'],
    ['another script', '\u043f\u043e\u0447\u0442\u0430.\u0440\u0444'],
    ['a short name', 'dhi.com'],
    ['a word that reads as another', 'mall.com'],
    ['a word with two letters for one', 'clan.com'],
    ['a name with a number', 'level3.com'],
    ["letters of a school's name", 'estel.fr'],
    ['no host name', 'netf1ix,com'],
    ['an ending that does not exist', 'netf1ix.qzj'],
    ['an empty text', ''],
  ])('is not seen in %s', (_, domain) => {
    expect(isImitation(domain, evidence)).toBe(false);
  });

  it('is seen neither in our own tables nor among mailbox domains, even where the lists do not know the domain itself', () => {
    const tables = [TABLES.consumerProviders, TABLES.knownDomains, TABLES.imitatedBrands].flatMap(namesIn);
    const own = [...tables, ...MAILBOX_DOMAINS.map(({ domain }) => domain)].filter(
      (domain) => domain.split('.').length === 2,
    );
    expect(
      own.filter((domain) =>
        isImitation(domain, { known: (other) => other !== domain && known(other), imitated: lists.isImitated }),
      ),
    ).toEqual([]);
  });

  it('asks for a bounded number of readings, however many a name has', () => {
    let asked = 0;
    const count = (): boolean => {
      asked += 1;
      return false;
    };
    isImitation(`${'1l0rnvvcli'.repeat(25)}.com`, { known: count, imitated: count });
    expect(asked).toBeLessThanOrEqual(256);
  });
});
