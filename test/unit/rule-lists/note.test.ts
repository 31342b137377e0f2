import { describe, expect, it } from 'vitest';
import { holdsAddress } from '../../../src/domain/rule-lists/index.ts';

describe('a note with an address in it', () => {
  it.each([
    ['ada@example.com'],
    ['mail ada.l+x@example.com, please'],
    ['Ada <ada@example.com>'],
    ['mailto:ada@example.com?subject=x'],
    ['(ada@example.com)'],
    ['ask ada@example.com.'],
    ['ada@example.com—call'],
    ['"ada l"@example.com'],
    ['a@b@example.com'],
    ['first@second\nada@example.com'],
    ['ada@forgetme。example'],
    ['ada@forgetme｡example'],
    ['ada@forgetme．example'],
    ['ada＠example.com'],
    ['ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ'],
    ['ada\u200b@exam\u00adple.com'],
    ['аня@почта.рф'],
    ['ada@xn--80a1acny.xn--p1ai'],
    ['git@github.com:acme/shop'],
  ])('is told: %j', (note) => {
    expect(holdsAddress(note)).toBe(true);
  });

  it.each([
    ['price 3@4.50 each'],
    ['foo@1.2.3'],
    ['@ada.example on the fediverse'],
    ['ada at example.com'],
    ['ada @ example.com'],
    ['root@localhost'],
    ['ada@example .com'],
    ['see you @5.'],
    [`a@${'-.'.repeat(249)}`],
    ['@'.repeat(500)],
    [''],
  ])('is not seen in %j', (note) => {
    expect(holdsAddress(note)).toBe(false);
  });
});
