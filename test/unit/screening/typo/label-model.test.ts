import { describe, expect, it } from 'vitest';
import { labelsOf, packLabelModel } from '../../../../scripts/lists/label-model.ts';
import { openLabelModel } from '../../../../src/domain/screening/typo/typos.ts';

const LABELS = new Map(['mailbox', 'mailhost', 'mailer', 'hotel', 'motel'].map((label) => [label, 1]));

describe('label model', () => {
  it('finds what it has seen, or could have put together, likelier than other letters', () => {
    const cost = openLabelModel(packLabelModel(LABELS));
    expect(cost('mailbox')).toBeLessThan(cost('mailbot'));
    expect(cost('mailhotel')).toBeLessThan(cost('zqxjkvwpg'));
    expect(cost('xqz')).toBeLessThan(Number.POSITIVE_INFINITY);
  });

  it('finds every letter more a cost', () => {
    const cost = openLabelModel(packLabelModel(LABELS));
    for (const label of ['a', 'mail', 'q-9']) expect(cost(`${label}q`)).toBeGreaterThan(cost(label));
  });

  it('is packed alike, whatever the order of the labels', () => {
    expect(packLabelModel(new Map([...LABELS].toReversed()))).toEqual(packLabelModel(LABELS));
  });

  it('finds likelier what counts more', () => {
    const cost = openLabelModel(packLabelModel(new Map([...LABELS, ['motel', 8]])));
    expect(cost('motel')).toBeLessThan(cost('hotel'));
  });

  it('is learnt from the registrable label of each domain, each spelling once, none internationalised', () => {
    const sources = [
      { domains: ['example-shop.de', 'www.example-shop.co.uk', 'bücher.de', 'no domain', 'co.uk'], weight: 1 },
      { domains: ['example-shop.com', 'example-mail.com'], weight: 0.5 },
    ];
    expect([...labelsOf(sources)]).toEqual([
      ['example-shop', 1],
      ['example-mail', 0.5],
    ]);
  });

  it('opens no data of another length', () => {
    expect(() => openLabelModel(new Uint8Array(10))).toThrow('label model');
  });
});
