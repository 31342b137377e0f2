import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlaceholder } from '../../../../src/domain/screening/placeholder/placeholder.ts';
import { splitTyped } from '../../../../src/domain/screening/typed-address.ts';
import { lists } from '../../../support/lists.ts';

const judge = (text: string, isOfName = false): boolean => isPlaceholder(splitTyped(text), lists, isOfName);
/** A company's domain no list names. */
const COMPANY = 'weidenbach-metall.de';

const PLACEHOLDERS: Readonly<Record<string, readonly string[]>> = {
  'a walk over the keyboard': [
    `asdfg@${COMPANY}`,
    `lkjhgfd@${COMPANY}`,
    'qwer.tyui@gmail.com',
    'Qwertz12@web.de',
    'azertyu@orange.fr',
    'wsxqaz@gmail.com',
    `2wsx3edc@${COMPANY}`,
    `q1w2e3@${COMPANY}`,
    'фывап@mail.ru',
    `123456@${COMPANY}`,
    '54321@gmail.com',
    `abcdefg@${COMPANY}`,
    `qweasd77@${COMPANY}`,
    'sdfsdf@sdf.org',
  ],
  'one thing on both sides': ['aa@aa.com', '123@123.com', '360@360.com', 'qq@qq.com'],
  'fewer letters than its provider gives out': ['a@gmail.com', 'x.y@googlemail.com', 'j+news@gmail.com', 'a@naver.com'],
  'the form that speaks to its reader': ['your@email.com', 'your@gmail.com'],
  'a digest': [`945ca223c08554fe@${COMPANY}`, 'da25583ad381bccce156@gmail.com'],
  'keys hit at random': [`sdasda@${COMPANY}`, 'dsfdsfds@gmail.com', `hjkhjkjk@${COMPANY}`],
  'letters repeated': [
    `yyyyy@${COMPANY}`,
    `kkkllll@${COMPANY}`,
    'nanananana@gmail.com',
    `dfgdfg@${COMPANY}`,
    'bbb@ccc.com',
  ],
  'a filler word': [
    `Testing@${COMPANY}`,
    'test2024@gmail.com',
    'test+shop@gmail.com',
    `fake.user@${COMPANY}`,
    `mytest@${COMPANY}`,
    `no_email@${COMPANY}`,
    'nonename@gmail.com',
    `undefined@${COMPANY}`,
    'someone@hotmail.com',
    'demo@gmail.com',
    'noone@yahoo.com',
    `no-reply@${COMPANY}`,
    `do.not.reply@${COMPANY}`,
    `deneme1@${COMPANY}`,
    'тест@mail.ru',
    '测试@163.com',
  ],
  "the form's own field names": [
    `first.last@${COMPANY}`,
    `First_Name@${COMPANY}`,
    `vorname.nachname@${COMPANY}`,
    'your-email@gmail.com',
    'username@web.de',
    'name@email.com',
  ],
  'one word on both sides': ['demo@demo.net', 'qwe@qwe.net', 'kontakt@kontakt.de', 'me@me.net', 'k@k.dev'],
  'a domain for examples': [
    'maria.keller@example.com',
    'maria.keller@mail.example.org',
    'maria.keller@shop.test',
    'maria.keller@nothing.invalid',
    'maria.keller@host.localhost',
    'maria.keller@example.co.uk',
    'maria.keller@yourdomain.com',
    'maria.keller@noemail.com',
    'Maria.Keller@Test.com',
  ],
  'a field left out': [`n/a@${COMPANY}`, 'n/a@none', '-@-.com'],
  'the name of a file or package': [
    'hero-banner@2x.webp',
    'swiper@8.4.7',
    'vue@3.0.0-rc.5',
    'chunk@4f2a.js',
    '@types/node@20.1.0',
  ],
  'the stock person, where anybody can have a mailbox': ['jdoe@gmail.com', 'jane.doe@gmail.com', 'mustermann@web.de'],
  'a word of dismissal': ['junk@gmail.com', 'anon@gmail.com', `junkmail@${COMPANY}`, 'junk@junk.com'],
  'letters drawn by chance': [
    `xkqzvwjpt@${COMPANY}`,
    `hzqfwxkb@${COMPANY}`,
    `mwtqjgzbf.kd@${COMPANY}`,
    'wqpzxkvbnr@gmail.com',
    `r8m3uw5bbx1k@${COMPANY}`,
    '9f86d081884c7d659a2feaa0c55ad015@gmail.com',
  ],
};

const REAL: Readonly<Record<string, readonly string[]>> = {
  'a short name': [
    'xu@gmx.de',
    `ng@${COMPANY}`,
    'wu@wu.com',
    'bo@gmx.de',
    `li.na@${COMPANY}`,
    'o@weidenbach.de',
    'jo.au@gmail.com',
  ],
  'an odd name': [
    'zzyzx@gmail.com',
    'asdis@gmail.com',
    'qasim.qadir@gmail.com',
    `wert@${COMPANY}`,
    'trew.james@gmail.com',
    'reza@gmail.com',
    'azer@mail.az',
    'tamas.nemeth@gmail.com',
    'pompom@gmail.com',
    'tomtom77@gmail.com',
    'przybylski@gmail.com',
    'grzegorz.szczepanski@wp.pl',
    'nguyenxuanphuc@gmail.com',
    'ngozi.mgbeke@gmail.com',
    'hlynur.thorsson@gmail.com',
    'xiaoqiang.zhu@qq.com',
    'srdjan.krstic@gmail.com',
    'mskthr@gmail.com',
  ],
  'a surname that is a filler alone': [
    'jennifer.null@gmail.com',
    'n.ull@gmail.com',
    'peter.noone@gmail.com',
    `noone@${COMPANY}`,
    'dietrich.test@gmail.com',
    'joe.sample@gmail.com',
    'wei.foo@gmail.com',
    'testa@gmail.com',
    'testino.m@gmail.com',
    `jdoe@${COMPANY}`,
    `jane.doe@${COMPANY}`,
    `mustermann@${COMPANY}`,
    `junk@${COMPANY}`,
    `anon@${COMPANY}`,
  ],
  'a name as a company writes it': [
    `mhmdkhld@${COMPANY}`,
    `abdlrhmn@${COMPANY}`,
    `qkrwldud@${COMPANY}`,
    `rlaehdgus@${COMPANY}`,
    `xlsxwriter@${COMPANY}`,
    `8x8team4u2@${COMPANY}`,
    `r2d2c3po1@${COMPANY}`,
    `dvdmrqz@${COMPANY}`,
    `ntwrkmgmt@${COMPANY}`,
    `pgsqldb@${COMPANY}`,
    `sqlguru@${COMPANY}`,
  ],
  'a filler in a tag, for sorting mail': ['maria+test@gmail.com', 'maria+asdf@gmail.com'],
  'a desk or a company': [
    `info@${COMPANY}`,
    `demo@${COMPANY}`,
    'bmw@bmw.de',
    `4567@${COMPANY}`,
    `mail@${COMPANY}`,
    'info@zoom.us',
  ],
  'a person at a domain of the kind': [
    'maria@email.com',
    'redaktion@test.de',
    'me@weidenbach.dev',
    'j@x.com',
    'latam@company.com',
  ],
  'what a relay made up': ['dpdcnf87nu@privaterelay.appleid.com', 'q7xk2v9bzw@mozmail.com'],
  'initials and numbers': [`kjh8512@${COMPANY}`, `ab12cde@${COMPANY}`, `s4471902@${COMPANY}`, `b2b@${COMPANY}`],
  'letters written as digits': ['m4x1m1l1an@gmail.com', 'cr4zyb0rn@gmail.com'],
  'another number for a host': ['admin@192.168.10.20'],
};

const rows = (table: Readonly<Record<string, readonly string[]>>): [string, string][] =>
  Object.entries(table).flatMap(([kind, texts]) => texts.map((text): [string, string] => [text, kind]));

describe('isPlaceholder', () => {
  it.each(rows(PLACEHOLDERS))('%s is one: %s', (text) => {
    expect(judge(text)).toBe(true);
  });

  it.each(rows(REAL))('%s is none: %s', (text) => {
    expect(judge(text)).toBe(false);
  });

  it.each(['mhmdkhld@gmail.com', `xkqzvwjpt@${COMPANY}`, 'jo@gmail.com'])(
    '%s is none once the name sent is made of it',
    (text) => {
      expect([judge(text), judge(text, true)]).toEqual([true, false]);
    },
  );

  it.each([`asdfgh@${COMPANY}`, 'test@gmail.com'])('%s is one under any name: it says so itself', (text) => {
    expect(judge(text, true)).toBe(true);
  });

  it('does not care about case', () => {
    for (const [text] of [...rows(PLACEHOLDERS), ...rows(REAL)]) expect(judge(text.toUpperCase())).toBe(judge(text));
  });

  it('judges any text at all', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 320 }), (text) => typeof judge(text) === 'boolean'));
  });

  it.each([
    ['no @ at all', 'maria', { local: 'maria', domain: '' }],
    ['several', '@types/node@20.1.0', { local: '@types/node', domain: '20.1.0' }],
    ['nothing before it', '@gmail.com', { local: '', domain: 'gmail.com' }],
  ])('is given the two sides of the last @: %s', (_, text, sides) => {
    expect(splitTyped(text)).toEqual(sides);
  });
});
