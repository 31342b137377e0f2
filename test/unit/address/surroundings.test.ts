import { describe, expect, it } from 'vitest';
import { parseAddress, withoutSurroundings } from '../../../src/domain/address/parse.ts';

const ADDRESS = 'ada@acme.example';

describe('parseAddress', () => {
  it.each([
    ['white space', ` \n${ADDRESS}\t`],
    ['a no-break space', `\u00A0${ADDRESS}\u00A0`],
    ['a zero-width space', `\u200B${ADDRESS}\u200B`],
    ['joiners', `\u200C\u200D${ADDRESS}\u2060`],
    ['a soft hyphen', `\u00AD${ADDRESS}\u00AD`],
    ['a byte order mark', `\uFEFF${ADDRESS}`],
    ['direction marks', `\u200E\u200F\u061C${ADDRESS}`],
    ['an embedding', `\u202A${ADDRESS}\u202C`],
    ['an isolate', `\u2068${ADDRESS}\u2069`],
    ['a mix of both', ` \u200B ${ADDRESS} \u202C `],
  ])('leaves out %s around an address', (_, text) => {
    expect(parseAddress(text)).toMatchObject({ ok: true, address: { normalised: ADDRESS } });
    expect(withoutSurroundings(text)).toBeNull();
  });
});

describe('withoutSurroundings', () => {
  it.each([
    ['a link', `mailto:${ADDRESS}`],
    ['a link in capitals', `MAILTO: ${ADDRESS}`],
    ['a link with fields', `mailto:${ADDRESS}?subject=Hello, Ada.`],
    ['angle brackets', `<${ADDRESS}>`],
    ['a link in angle brackets', `<mailto:${ADDRESS}>`],
    ['straight quotes', `"${ADDRESS}"`],
    ['apostrophes', `'${ADDRESS}'`],
    ['backticks', `\`${ADDRESS}\``],
    ['curly quotes', `“${ADDRESS}”`],
    ['curly single quotes', `‘${ADDRESS}’`],
    ['a curly quote before it alone', `“${ADDRESS}`],
    ['German quotes', `„${ADDRESS}“`],
    ['guillemets', `« ${ADDRESS} »`],
    ['a dot', `${ADDRESS}.`],
    ['a comma', `${ADDRESS},`],
    ['a semicolon', `${ADDRESS};`],
    ['several', `"<mailto:${ADDRESS}>";`],
    ['quotes with invisible characters', `“\u200B${ADDRESS}\u200B”`],
    ['an invisible character within the domain', 'ada@ac\u00ADme.example'],
    ['an invisible character within the local part', 'a\u200Bda@acme.example'],
  ])('takes away %s', (_, text) => {
    expect(parseAddress(text).ok).toBe(false);
    expect(withoutSurroundings(text)).toBe(ADDRESS);
  });

  it('takes away an apostrophe that a spreadsheet has left before an address, though the address is valid with it', () => {
    expect(withoutSurroundings(`'${ADDRESS}`)).toBe(ADDRESS);
  });

  it.each([
    ['an address', ADDRESS],
    ['an apostrophe within', 'o’neil@acme.example'],
    ['a quoted local part', '"ada l"@acme.example'],
    ['a joiner where a word has one', 'ada@\u0646\u0627\u0645\u0647\u200C\u0627\u06CC.example'],
    ['two addresses', `${ADDRESS}, bob@acme.example`],
    ['two addresses in brackets', `<${ADDRESS}>; <bob@acme.example>`],
    ['a display name', `Ada <${ADDRESS}>`],
    ['no address', '"ada"'],
    ['broken syntax', '<a..b@acme.example>'],
    ['nothing', '\u200B'],
    ['a long text', `${' '.repeat(700)}<${ADDRESS}>`],
  ])('leaves alone: %s', (_, text) => {
    expect(withoutSurroundings(text)).toBeNull();
  });
});
