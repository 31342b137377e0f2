import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openPage } from './open-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const NOW_S = Math.floor(Date.now() / 1000);
const HOUR_S = 3_600;

const keyOf = (n: number, change: object) => ({
  id: `key_0000000000000000000000000${n}`,
  name: `Key ${n}`,
  role: 'member',
  origin: 'manual',
  mode: 'live',
  last4: 'new4',
  owner_user_id: null,
  created_at: NOW_S - 90 * 24 * HOUR_S,
  created_by: null,
  last_used_at: NOW_S,
  expires_at: null,
  previous_secret: null,
  revoked_at: null,
  ...change,
});

describe('the state of a key', () => {
  it.each([
    ['a key in use', {}, /^Active$/],
    ['one that stands idle', { last_used_at: NOW_S - 31 * 24 * HOUR_S }, /^Unused for 30 days: revoke it\?$/],
    [
      'an old secret that is in use',
      { previous_secret: { last4: 'old4', valid_until: NOW_S + HOUR_S, last_used_at: NOW_S } },
      /^Active…old4 still works; it ends .*; last used: This hour$/,
    ],
    [
      'an old secret that is not',
      { previous_secret: { last4: 'old4', valid_until: NOW_S + HOUR_S, last_used_at: null } },
      /^Active…old4 still works; it ends .*; unused since the rotation$/,
    ],
    [
      'an old secret of a key that ends',
      { expires_at: NOW_S + HOUR_S, previous_secret: { last4: 'old4', valid_until: NOW_S + 60, last_used_at: null } },
      /^Ends .*…old4 still works; it ends/,
    ],
  ])('says so of %s', async (_title, change, text) => {
    const key = keyOf(1, change);
    await openPage('keys', 'admin', ({ path }) => (path === '/v1/keys' ? { keys: [key], cursor: null } : undefined));
    const table = within(await screen.findByRole('table', { name: 'Keys' }));
    expect(table.getAllByRole('cell').at(-2)?.textContent).toMatch(text);
  });
});
