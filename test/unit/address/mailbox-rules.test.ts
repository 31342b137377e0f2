import { describe, expect, it } from 'vitest';
import { isSeldom, mailboxFault } from '../../../src/domain/address/mailbox-rules.ts';

describe('the local parts that a provider allows', () => {
  it.each([
    ['a', 'gmail.com', 'far_too_short'],
    ['a.b', 'googlemail.com', 'far_too_short'],
    ['ray98', 'gmail.com', 'too_short'],
    ['a.b.c.d.e', 'gmail.com', 'too_short'],
    ['a'.repeat(31), 'gmail.com', 'too_long'],
    ['john_smith', 'gmail.com', 'characters'],
    ['anna-maria', 'gmail.com', 'characters'],
    ['jörg.maier', 'gmail.com', 'characters'],
    ['john+smith', 'yandex.ru', null],
    ["o'hara", 'outlook.com', 'characters'],
    ['jo', 'me.com', 'too_short'],
    ['1234', 'qq.com', 'characters'],
    ['012345', 'qq.com', 'characters'],
    ['7lucky', 'foxmail.com', 'characters'],
    ['gildong.hong', 'naver.com', 'characters'],
    ['ivan_petrov', 'yandex.ru', 'characters'],
    ['a'.repeat(32), 'mail.ru', 'too_long'],
  ])('%s at %s: %s', (local, domain, fault) => {
    expect(mailboxFault(local, domain)).toBe(fault);
  });

  it.each([
    ['John.Smith', 'gmail.com', 'case makes no difference'],
    ['a.b.c.d.e.f', 'gmail.com', 'six letters between dots'],
    ['jsmith+news_list', 'gmail.com', 'a tag may hold what the name may not'],
    ['a', 'hotmail.com', 'an address of the 1990s'],
    ['7up', 'outlook.com', 'a digit in front, from before'],
    ['al-shopping', 'yahoo.com', 'a short base name with its keyword'],
    ['dapper_0quails-x', 'icloud.com', 'made by Hide My Email'],
    ['10000', 'qq.com', 'the first QQ number'],
    ['13800138000', '163.com', 'a mobile number'],
    ['gildong_hong', 'naver.com', 'parted by an underscore'],
    ['x', 'acme-metall.de', 'a domain that is in no row'],
  ])('%s at %s can be: %s', (local, domain) => {
    expect(mailboxFault(local, domain)).toBeNull();
  });
});

describe('the local parts that a provider gave out rarely', () => {
  it.each([
    ['ada', 'gmail.com', true, 'accounts of the first years have three letters'],
    ['ray98', 'gmail.com', true, 'and five'],
    ['mk', 'gmail.com', false, 'two were seen nowhere'],
    ['john_smith', 'gmail.com', false, 'an underscore never'],
    ['k!m', 'gmx.de', true, 'no page of theirs says so'],
    ["o'hara", 'outlook.com', false, 'the sign-up says so'],
  ])('%s at %s: %s, %s', (local, domain, seldom) => {
    const fault = mailboxFault(local, domain);
    expect(fault && isSeldom(fault, domain)).toBe(seldom);
  });
});
