import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBootstrapToken, mintBootstrapToken } from '../../../src/domain/access/keys.ts';

const SECRET = Buffer.alloc(32, 1).toString('base64');
const NOW = 1_800_000_000_000;
const WINDOW_MS = 5 * 60_000;
const TOKEN = mintBootstrapToken(SECRET, NOW);

describe('a bootstrap token', () => {
  it.each([
    ['at once', 0, true],
    ['at the end of its five minutes', WINDOW_MS, true],
    ['a millisecond later', WINDOW_MS + 1, false],
    ['a day later', 86_400_000, false],
    ['on a machine whose clock is five minutes behind', -WINDOW_MS, true],
    ['before that', -WINDOW_MS - 1, false],
  ])('is taken %s: %i ms, %s', (_, offset, taken) => {
    expect(isBootstrapToken(SECRET, TOKEN, NOW + offset)).toBe(taken);
  });

  it('is refused with any single character changed', () => {
    for (let at = 0; at < TOKEN.length; at += 1) {
      for (const char of '0123456789abcdef_-+. ') {
        if (char === TOKEN[at]) continue;
        expect(isBootstrapToken(SECRET, TOKEN.slice(0, at) + char + TOKEN.slice(at + 1), NOW)).toBe(false);
      }
    }
  });

  const mac = TOKEN.split('_')[2] ?? '';
  it.each([
    ['another secret', mintBootstrapToken(Buffer.alloc(32, 2).toString('base64'), NOW)],
    ['the MAC of another moment', `evb_${NOW + 1}_${mac}`],
    ['no MAC', `evb_${NOW}_`],
    ['no MAC part', `evb_${NOW}`],
    ['another prefix', TOKEN.replace('evb', 'evk')],
    ['a time spelled otherwise', `evb_${NOW}.0_${mac}`],
    ['a time with a leading zero', `evb_0${NOW}_${mac}`],
    ['a time in exponent form', `evb_18e11_${mac}`],
    ['a time beyond whole numbers', `evb_1e300_${mac}`],
    ['no time', `evb__${mac}`],
    ['no number', `evb_NaN_${mac}`],
    ['more behind it', `${TOKEN}_x`],
    ['nothing', ''],
  ])('is refused with %s', (_, token) => {
    expect(isBootstrapToken(SECRET, token, NOW)).toBe(false);
  });

  it('is never read from arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(isBootstrapToken(SECRET, text, NOW)).toBe(false);
      }),
    );
  });
});
