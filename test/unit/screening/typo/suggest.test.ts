import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'tldts';
import { describe, expect, it } from 'vitest';
import { isMailboxDomain, MAILBOX_DOMAINS } from '../../../../src/domain/screening/typo/mailbox-domains.ts';
import { createDomainSuggester } from '../../../../src/domain/screening/typo/suggest.ts';
import { lists } from '../../../support/lists.ts';

const suggest = createDomainSuggester(
  readFileSync(join(import.meta.dirname, '../../../../src/domain/lists/data/labels.bin')),
);
const known = (domain: string): boolean =>
  lists.isKnown(domain) || lists.isFreeProvider(domain) || lists.isRelay(domain) || lists.isAgent(domain);
const suggested = (typed: string, receivesMail: boolean | null = null): string | null =>
  suggest(typed, { known, receivesMail })?.domain ?? null;

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const COUNTRIES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
  (code) => parse(`name.${code}`).isIcann === true,
);
const BRANDS = [...new Set(MAILBOX_DOMAINS.map(({ brand }) => brand))].filter(
  (brand) => MAILBOX_DOMAINS.filter((provider) => provider.brand === brand).length > 1,
);

describe('domain suggestion', () => {
  it.each([
    ['a key beside', 'hotnail.com', 'hotmail.com'],
    ['a key beside on an AZERTY keyboard', 'orqnge.fr', 'orange.fr'],
    ['a letter left out', 'gmal.com', 'gmail.com'],
    ['one of a double letter left out', 'outlok.com', 'outlook.com'],
    ['a letter doubled', 'outllook.com', 'outlook.com'],
    ['two letters swapped', 'otulook.com', 'outlook.com'],
    ['a key struck along', 'iclpoud.com', 'icloud.com'],
    ['a digit for a letter', 'hotma1l.com', 'hotmail.com'],
    ['digits for letters all over', '0ut1o0k.com', 'outlook.com'],
    ['digits for letters in a smaller provider', 'v3r1z0n.net', 'verizon.net'],
    ['a vowel heard where none is', 'liave.nl', 'live.nl'],
    ['a look-alike pair', 'hotrnail.com', 'hotmail.com'],
    ['two typos', 'hotmial.con', 'hotmail.com'],
    ['two typos in the name', 'htomali.com', 'hotmail.com'],
    ['two typos in the name of a smaller provider', 'sbccglobl.net', 'sbcglobal.net'],
    ['a typo, and the suffix of the wrong country', 'goglemail.net', 'googlemail.com'],
    ['the dot left out', 'outlookcom', 'outlook.com'],
    ['the dot a letter late', 'yahooc.om', 'yahoo.com'],
    ['another key for the dot', 'yahoo,com', 'yahoo.com'],
    ['two dots', 'hotmail..com', 'hotmail.com'],
    ['white space', 'hot mail.com', 'hotmail.com'],
    ['a last label that does not exist', 'icloud.cpm', 'icloud.com'],
    ['a letter too many in the suffix', 'web.dee', 'web.de'],
    ['an existing suffix that only looks like the right one', 'hotmail.cm', 'hotmail.com'],
    ['the suffix of the wrong country', 'icloud.de', 'icloud.com'],
    ['the suffix of a country without one', 'outlook.fi', 'outlook.com'],
    ['the suffix of another country without one', 'outlook.pl', 'outlook.com'],
    ['the country whose key is beside', 'libero.ir', 'libero.it'],
    ['two letters of a country code swapped', 'live.ac', 'live.ca'],
    ['the second level left out', 'hotmail.uk', 'hotmail.co.uk'],
    ['the suffix twice', 'yahoo.com.com', 'yahoo.com'],
    ['the suffix twice with a dot missing', 'yahoocom.com', 'yahoo.com'],
    ['a country added', 'icloud.com.mx', 'icloud.com'],
    ['no suffix', 'icloud', 'icloud.com'],
    ['no suffix, of a name in many countries', 'hotmail', 'hotmail.com'],
    ['no suffix, of a name that is largest under another', 'yandex', 'yandex.ru'],
    ['the web site', 'www.hotmail.com', 'hotmail.com'],
    ['the web site, misspelt', 'www.hotmial.com', 'hotmail.com'],
    ['a Cyrillic letter', 'gm\u0430il.com', 'gmail.com'],
    ['a Cyrillic letter, as an A-label', 'xn--gmil-63d.com', 'gmail.com'],
    ['a mark on a letter', 'gmàil.com', 'gmail.com'],
    ['a look-alike of a known domain', 'm\u043ezilla.org', 'mozilla.org'],
  ])('puts right %s: %s', (_, typed, domain) => {
    expect(suggested(typed)).toBe(domain);
  });

  it.each([
    ['swapped letters', 'brightfoundry.ocm', 'brightfoundry.com'],
    ['a letter doubled', 'brightfoundry.nett', 'brightfoundry.net'],
    ['a second level cut off', 'brightfoundry.co.u', 'brightfoundry.co.uk'],
    ['below a sub-domain', 'mail.brightfoundry.con', 'mail.brightfoundry.com'],
    ['a known school', 'stanford.eud', 'stanford.edu'],
    ['a comma', 'brightfoundry,com', 'brightfoundry.com'],
  ])('puts right the ending of any domain when the last label exists nowhere: %s', (_, typed, domain) => {
    expect(suggested(typed)).toBe(domain);
  });

  it.each([
    ['an ordinary company', 'brightfoundry.com'],
    ['a company under a country code one letter from .com', 'brightfoundry.co'],
    ['a real word near a provider', 'alive.com'],
    ['a short name near a provider', 'aon.com'],
    ["a provider's company", 'comcast.com'],
    ["a provider's company, whose name is a mailbox service's too", 'bellsouth.com'],
    ['the name of a post office, under the suffix of another country', 'laposte.de'],
    ['another letter before a word that services are named by', 'zcloud.com'],
    ['a letter too many before the first', 'iverizon.net'],
    ['a word two typos away, one of them struck at random', 'hotpal.com'],
    ['a letter left of a name', 'm.ccom'],
    ['a mailbox name with another word before it', 'campusmail.com'],
    ['a sub-domain of a provider', 'staff.orange.fr'],
    ['an internationalised name', 'bücher.de'],
    ['an internationalised name in another script', 'почта.рф'],
    ['an internationalised name whose ending would need repair', 'bücher.con'],
    ['a last label that is two typos from every suffix', 'brightfoundry.qzj'],
    ['a private network', 'brightfoundry.local'],
    ['a retired country code', 'brightfoundry.yu'],
    ['a country code that was never delegated', 'brightfoundry.eh'],
    ['a provider not yet typed to its end', 'hotma'],
    ['one word', 'office'],
    ['a public suffix', 'co.uk'],
    ['what only a public suffix is near to', 'a.sae'],
    ['nothing', ''],
    ['punctuation alone', '...'],
    ['a long text', `${'gmail'.repeat(80)}.com`],
    ['a long host name', `${'a'.repeat(60)}.${'b'.repeat(60)}.com`],
  ])('says nothing about %s', (_, typed) => {
    expect(suggested(typed)).toBeNull();
  });

  it('says nothing when two providers are about as likely', () => {
    // `hotmail.de` and `hotmail.fr` are each one key away.
    expect(suggested('hotmail.fe')).toBeNull();
  });

  it.each(['lk', 'ma', 'tn', 'com.ng', 'hu'].map((suffix) => `yahoo.${suffix}`).concat('hotmail.ma', 'outlook.gr'))(
    'does not take one country for another whose keys are far away: %s',
    (typed) => {
      for (const receivesMail of [true, false, null]) {
        const domain = suggested(typed, receivesMail);
        expect(domain === null || domain.endsWith('.com')).toBe(true);
      }
    },
  );

  it('never suggests another country for an intact brand but by a typo of neighbouring keys', () => {
    const others = BRANDS.flatMap((brand) =>
      COUNTRIES.map((country) => ({ typed: `${brand}.${country}`, country, domain: suggested(`${brand}.${country}`) })),
    ).filter(({ country, domain }) => {
      const code = domain?.split('.').at(-1) ?? '';
      if (code.length !== 2 || code === country) return false;
      const swapped = code === [...country].reverse().join('');
      return !swapped && [...code].every((letter, i) => letter !== country[i]);
    });
    expect(others).toEqual([]);
  });

  it.each(['hello.nl', 'carter.net', 'web1.de'])('leaves a word alone that has mail hosts: %s', (typed) => {
    expect(suggested(typed, true)).toBeNull();
  });

  it.each(['bmx.de', 'dmx.de', 'weh.de'])('leaves a short name alone that has mail hosts: %s', (typed) => {
    expect(suggested(typed, true)).toBeNull();
  });

  it('does not find a longer provider in a name of two characters', () => {
    const names = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((letter) =>
      [...'0123456789'].map((digit) => letter + digit),
    );
    const longer = names.flatMap((name) => {
      const domain = suggested(`${name}.com`, false);
      return domain !== null && domain.length > `${name}.com`.length + 1 ? [`${name}: ${domain}`] : [];
    });
    expect(longer).toEqual([]);
  });

  it.each(['seznam.cx', 'interia.pk', 'ziggo.ml'])(
    'leaves a smaller service alone in another country, where it has mail hosts: %s',
    (typed) => {
      expect(suggested(typed, true)).toBeNull();
      expect(suggested(typed, false)).not.toBeNull();
    },
  );

  it.each([
    'cloud.com',
    'libera.it',
    'libro.it',
    'orage.fr',
    'nsn.com',
    'jcloud.com',
    'tpgi.com.au',
    'virginm.net',
    'softbank.jp',
    'invbox.ru',
  ])('leaves an organisation alone whose name is near a provider: %s', (typed) => {
    for (const receivesMail of [true, false, null]) expect(suggested(typed, receivesMail)).toBeNull();
  });

  it('leaves every provider and every known domain alone, in any case', () => {
    for (const { domain } of MAILBOX_DOMAINS)
      expect([domain, suggested(domain), suggested(domain.toUpperCase())]).toEqual([domain, null, null]);
    const everything = { known: () => true, receivesMail: false };
    for (const domain of ['axn--a.aa', 'xn--gmail-.aa']) expect(suggest(domain, everything)).toBeNull();
    fc.assert(
      fc.property(
        fc.domain(),
        (domain) => isMailboxDomain(domain) || suggest(domain, everything)?.domain === undefined,
      ),
    );
  });

  it('speaks of a large provider although the typed name has mail hosts, of a doubtful case only when it has none', () => {
    expect(suggested('gmial.com', true)).toBe('gmail.com');
    expect([suggested('atr.net', true), suggested('atr.net', false)]).toEqual([null, 'att.net']);
  });

  it('is the surer the less the typed domain receives mail', () => {
    const sure = (typed: string, receivesMail: boolean | null): number =>
      suggest(typed, { known, receivesMail })?.probability ?? 0;
    const near = BRANDS.flatMap((brand) => COUNTRIES.map((country) => `${brand}.${country}`));
    const typos = ['hotmal.com', 'orznge.fr', 'outlok.fr', 'atr.net', 'brightfoundry.com', 'gxm.de'];
    const wrong = [...near, ...typos].filter(
      (typed) => sure(typed, true) > sure(typed, null) || sure(typed, null) > sure(typed, false),
    );
    expect(wrong).toEqual([]);
  });
});

/** A generator independent of the source: every way to drop, double or swap one letter of a name. */
const slipsOf = (name: string): string[] =>
  [...name].flatMap((letter, i) => {
    const [before, after] = [name.slice(0, i), name.slice(i + 1)];
    return [before + after, before + letter + letter + after, before + after.slice(0, 1) + letter + after.slice(1)];
  });

describe('typos of the largest providers', () => {
  const large = [
    'gmail.com',
    'yahoo.com',
    'hotmail.com',
    'outlook.com',
    'icloud.com',
    'comcast.net',
    'yahoo.co.uk',
    'orange.fr',
  ];
  const cases = large.flatMap((domain) => {
    const dot = domain.indexOf('.');
    return slipsOf(domain.slice(0, dot))
      .map((brand) => brand + domain.slice(dot))
      .filter((typed) => typed !== domain && !known(typed))
      .map((typed) => ({ typed, domain, got: suggested(typed) }));
  });

  it('are found, nineteen in twenty', () => {
    const missed = cases.filter(({ domain, got }) => got !== domain);
    expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(cases.length / 20);
  });

  it('never become another provider', () => {
    expect(cases.filter(({ domain, got }) => got !== null && got !== domain)).toEqual([]);
  });
});

describe('any text', () => {
  const alphabet = [...'abcdefgilmnoqrstuyz0123456789-..,@ \u0430\u00e9\u5b57'];
  const free = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 40 });
  /** A provider with up to three characters replaced: what random text hardly ever comes near. */
  const nearProvider = fc
    .tuple(
      fc.constantFrom(...MAILBOX_DOMAINS.map(({ domain }) => domain)),
      fc.array(fc.tuple(fc.nat(20), fc.constantFrom('', ...alphabet)), { maxLength: 3 }),
    )
    .map(([domain, changes]) =>
      changes.reduce((text, [at, character]) => text.slice(0, at) + character + text.slice(at + 1), domain),
    );
  const typed = fc.oneof(free, nearProvider, fc.domain());

  it('is never suggested unchanged, and a suggestion is left alone', () => {
    fc.assert(
      fc.property(typed, fc.constantFrom(true, false, null), (text, receivesMail) => {
        const suggestion = suggest(text, { known, receivesMail });
        if (suggestion === null) return;
        expect(suggestion.domain).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
        expect(suggestion.domain).not.toBe(text.trim().toLowerCase());
        expect(suggestion.probability).toBeLessThanOrEqual(1);
        expect(suggested(suggestion.domain)).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  it('is read the same in any case', () => {
    fc.assert(
      fc.property(typed, (text) => {
        expect(suggested(text.toUpperCase())).toBe(suggested(text.toLowerCase()));
      }),
    );
  });
});
