import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
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

describe('a secret that is shown once', () => {
  it('stays on the way back and on Escape, until it is kept', async () => {
    const user = userEvent.setup({ delay: null });
    await openPage('keys', 'admin', ({ path, method }) => {
      if (path !== '/v1/keys') return undefined;
      return method === 'POST' ? { key: { ...keyOf(1, {}), secret: 'sk_live_once' } } : { keys: [], cursor: null };
    });
    const { router } = await import('../app/router.tsx');
    await screen.findByText('No key yet');
    await router.navigate({ to: '.', search: { step: 'next' } as never });
    await user.click(screen.getAllByRole('button', { name: 'Create a key' }).at(0) as HTMLElement);
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'signup');
    await user.click(dialog.getByRole('button', { name: 'Create it' }));
    await dialog.findByText('sk_live_once');
    const turned = vi.spyOn(window.history, 'go');
    router.history.back();
    // What is refused is turned round: only then was the way back judged.
    await waitFor(() => expect(turned).toHaveBeenCalledWith(1));
    await user.keyboard('{Escape}');
    dialog.getByText('sk_live_once');
    await user.click(dialog.getByRole('checkbox', { name: 'I have kept it' }));
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
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
