import { describe, expect, it } from 'vitest';
import { ownPage } from '../../../dashboard/app/lib/own-page.ts';

const ORIGIN = 'https://dashboard.test';

describe('the way after signing in', () => {
  it.each([
    ['/org_x/log?trace=vr_1#a', '/org_x/log?trace=vr_1#a'],
    ['/', '/'],
    ['/sign-in?to=//evil.test', '/sign-in?to=//evil.test'],
  ])('leads to a page of ours: %j', (to, expected) => {
    expect(ownPage(to, ORIGIN)).toBe(`${ORIGIN}${expected}`);
  });

  it.each([
    'https://evil.test',
    'https://evil.test/dashboard.test',
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    '\\\\evil.test',
    ' //evil.test',
    '/.//evil.test',
    '/..//evil.test',
    'javascript:alert(1)',
    '/\tjavascript:alert(1)',
    'data:text/html,x',
    'evil.test',
    '//[',
    '',
    7,
    null,
    undefined,
  ])('never to another site, nor to a script: %j', (to) => {
    const { protocol, host } = new URL(ownPage(to, ORIGIN));
    expect([protocol, host]).toEqual(['https:', 'dashboard.test']);
  });
});
