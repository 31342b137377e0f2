import { describe, expect, it } from 'vitest';
import { classifyMailHosts } from '../../../scripts/lists/shipped.ts';
import { areConsumerHosts, isConsumerDomain } from '../../../src/domain/mailbox-provider/classify.ts';
import { lists } from '../../support/lists.ts';

/** Only on a broad list. */
const WIDE = 'small-mail.example';
const LISTS = { ...lists, isFreeProvider: (domain: string) => domain === WIDE || lists.isFreeProvider(domain) };

describe('isConsumerDomain', () => {
  it.each<[why: string, domain: string, hosts: readonly string[], expected: boolean]>([
    ['a curated list has it', 'gmail.com', ['gmail-smtp-in.l.google.com'], true],
    ['a curated list has it, whatever its hosts', 'rcn.com', ['aspmx.l.google.com'], true],
    ['a curated list has it, and DNS has not answered', 'ymail.ne.jp', [], true],
    ['a wide list and the hosts say so', WIDE, ['mx00.mail.com'], true],
    ['a wide list and hosts of Yahoo say so', WIDE, ['mta5.am0.yahoodns.net'], true],
    ["a wide list, and hosts at a curated provider's domain", WIDE, ['mx1.volny.cz'], true],
    ['a wide list alone', WIDE, ['mx.small-mail.example'], false],
    ['a wide list, and DNS has not answered', WIDE, [], false],
    ['a wide list, and mail at Google Workspace', WIDE, ['aspmx.l.google.com', 'aspmx2.googlemail.com'], false],
    ['a wide list, and mail at Microsoft 365', WIDE, ['small-mail.mail.protection.outlook.com'], false],
    ['a wide list, and mail behind a gateway', WIDE, ['mx0a-00000001.pphosted.com'], false],
    ["a wide list, and a provider that takes persons' own domains", WIDE, ['mail.protonmail.ch'], false],
    ['no list', 'acme.example', ['mx00.mail.com'], false],
  ])('%s: %s at %j: %s', (_, domain, hosts, expected) => {
    expect(isConsumerDomain(LISTS, classifyMailHosts, domain, hosts)).toBe(expected);
  });

  it.each(['easypost.com', 'unlimit.com', 'ip6.li'])('%s is on a wide list, and is no provider', (domain) => {
    expect(lists.isFreeProvider(domain)).toBe(true);
    for (const hosts of [[], [`mail.${domain}`], ['aspmx.l.google.com']])
      expect(isConsumerDomain(lists, classifyMailHosts, domain, hosts)).toBe(false);
  });
});

describe('areConsumerHosts', () => {
  it.each<[hosts: readonly string[], expected: boolean]>([
    [['outlook-com.olc.protection.outlook.com'], true],
    [['mx1.comcast.net'], true],
    [['mx.yandex.net'], false],
    [['mxbiz1.qq.com'], false],
    [['mx.acme.example'], false],
    [[], false],
  ])('%j: %s', (hosts, expected) => {
    expect(areConsumerHosts(lists, classifyMailHosts, hosts)).toBe(expected);
  });
});
