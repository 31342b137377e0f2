import { describe, expect, it } from 'vitest';
import { readDomain } from '../../../src/domain/rules/rules.ts';

const READ: [what: string, text: string, domain: string][] = [
  ['a domain', 'acme.example', 'acme.example'],
  ['any case', 'Acme.EXAMPLE', 'acme.example'],
  ['white space around it', ' \tacme.example\r\n', 'acme.example'],
  ['a dot at its end', 'acme.example.', 'acme.example'],
  ['an ideographic dot at its end', 'acme。example。', 'acme.example'],
  ['subdomains', 'mail.eu.acme.example', 'mail.eu.acme.example'],
  ['another script', 'Bücher.example', 'xn--bcher-kva.example'],
  ['A-labels', 'XN--bcher-KVA.example', 'xn--bcher-kva.example'],
  ['full-width letters', 'ａｃｍｅ.example', 'acme.example'],
  ['a look-alike in mixed scripts, as the other name it is', 'pаypal.com', 'xn--pypal-4ve.com'],
  ['a top-level name that no registry has', 'acme.test', 'acme.test'],
  ['a company’s own suffix', 'github.io', 'github.io'],
  ['a name below one', 'acme.github.io', 'acme.github.io'],
  ['a name below a public suffix', 'acme.co.uk', 'acme.co.uk'],
  ['a name that its suffix’s wildcard leaves out', 'www.ck', 'www.ck'],
];

const REFUSED: [what: string, text: string, refusal: string][] = [
  ['nothing', '', 'invalid_domain'],
  ['white space', '  ', 'invalid_domain'],
  ['a dot', '.', 'invalid_domain'],
  ['two dots at its end', 'acme.example..', 'invalid_domain'],
  ['a dot before it', '.acme.example', 'invalid_domain'],
  ['an @ before it', '@acme.example', 'invalid_domain'],
  ['an address', 'ada@acme.example', 'invalid_domain'],
  ['a wildcard', '*.acme.example', 'invalid_domain'],
  ['a URL', 'https://acme.example/', 'invalid_domain'],
  ['a path', 'acme.example/mail', 'invalid_domain'],
  ['a port', 'acme.example:25', 'invalid_domain'],
  ['two names', 'acme.example, other.example', 'invalid_domain'],
  ['an IPv4 address', '192.0.2.1', 'invalid_domain'],
  ['an IPv4 address in another script', '１９２.0.2.1', 'invalid_domain'],
  ['an IPv6 address', '2001:db8::1', 'invalid_domain'],
  ['an address literal', '[192.0.2.1]', 'invalid_domain'],
  ['one label', 'localhost', 'invalid_domain'],
  ['an underscore', '_dmarc.acme.example', 'invalid_domain'],
  ['a control character', 'ac\u0000me.example', 'invalid_domain'],
  ['a zero-width space', 'ac\u200bme.example', 'invalid_domain'],
  ['half of a surrogate pair', '\ud800.example', 'invalid_domain'],
  ['an A-label of nothing', 'xn--a.example', 'invalid_domain'],
  ['a label too long', `${'a'.repeat(64)}.example`, 'invalid_domain'],
  ['a name too long', `${'a.'.repeat(140)}example`, 'invalid_domain'],
  ['a very long text', 'a'.repeat(100_000), 'invalid_domain'],
  ['a top-level domain', 'com', 'public_suffix'],
  ['one with a dot', 'COM.', 'public_suffix'],
  ['one in another script', 'рф', 'public_suffix'],
  ['a registry’s suffix', 'co.uk', 'public_suffix'],
  ['one in another script', '公司.cn', 'public_suffix'],
  ['one under a wildcard', 'anything.ck', 'public_suffix'],
];

describe('a domain as people paste it', () => {
  it.each(READ)('may be %s: %j', (_, text, domain) => {
    expect(readDomain(text)).toEqual({ ok: true, domain });
  });

  it.each(READ)('reads the same again: %s', (_, text, domain) => {
    expect(readDomain(domain)).toEqual(readDomain(text));
  });

  it.each(REFUSED)('may not be %s: %j', (_, text, refusal) => {
    expect(readDomain(text)).toEqual({ ok: false, refusal });
  });
});
