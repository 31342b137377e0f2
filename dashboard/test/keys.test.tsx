import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openPage } from './open-page.tsx';

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
      if (path === '/auth/api') return { url: 'https://api.example' };
      if (path !== '/v1/keys') return undefined;
      return method === 'POST' ? { key: { ...keyOf(1, {}), secret: 'sk_live_once' } } : { keys: [], cursor: null };
    });
    const { router } = await import('../app/router.tsx');
    await screen.findByText('No keys yet');
    const docs = await screen.findByRole('link', { name: /^API docs/ });
    expect(docs.getAttribute('href')).toBe('https://api.example/docs/api/');
    expect(screen.getByRole('link', { name: /^Documentation/ }).getAttribute('href')).toBe('https://api.example/docs/');
    await router.navigate({ to: '.', search: { step: 'next' } as never });
    await user.click(screen.getAllByRole('button', { name: 'Create key' }).at(0) as HTMLElement);
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'signup');
    await user.click(dialog.getByRole('button', { name: 'Create key' }));
    await dialog.findByText('sk_live_once');
    await dialog.findByText("curl -s https://api.example/v1/me -H 'authorization: Bearer sk_live_once'");
    const turned = vi.spyOn(window.history, 'go');
    router.history.back();
    // What is refused is turned round: only then was the way back judged.
    await waitFor(() => expect(turned).toHaveBeenCalledWith(1));
    await user.keyboard('{Escape}');
    dialog.getByText('sk_live_once');
    await user.click(dialog.getByRole('checkbox', { name: 'I’ve saved it' }));
    await user.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

describe('the state of a key', () => {
  it.each([
    ['a key in use', {}, /^Active$/],
    ['one that stands idle', { last_used_at: NOW_S - 31 * 24 * HOUR_S }, /^Unused for 30 days$/],
    [
      'an old secret that is in use',
      { previous_secret: { last4: 'old4', valid_until: NOW_S + HOUR_S - 60, last_used_at: NOW_S } },
      /^ActiveOld secret …old4 works until .+:.+ \(in 59 min\.\)\. Last used: This hour$/,
    ],
    [
      'an old secret that is not',
      { previous_secret: { last4: 'old4', valid_until: NOW_S + 24 * HOUR_S - 60, last_used_at: null } },
      /^ActiveOld secret …old4 works until .+:.+ \(in 24 hr\.\)\. Not used since\.$/,
    ],
    [
      'an old secret of a key that ends',
      { expires_at: NOW_S + HOUR_S, previous_secret: { last4: 'old4', valid_until: NOW_S + 60, last_used_at: null } },
      /^Ends .*Old secret …old4 works until/,
    ],
  ])('says so of %s', async (_title, change, text) => {
    const key = keyOf(1, change);
    await openPage('keys', 'admin', ({ path }) => (path === '/v1/keys' ? { keys: [key], cursor: null } : undefined));
    const table = within(await screen.findByRole('table', { name: 'Keys' }));
    expect(table.getAllByRole('cell').at(-2)?.textContent).toMatch(text);
  });
});

it('the end of an old secret is the exact time here, and comes while the page is open', async () => {
  const until = NOW_S + HOUR_S;
  const key = keyOf(1, { previous_secret: { last4: 'old4', valid_until: until, last_used_at: null } });
  await openPage('keys', 'admin', ({ path }) => (path === '/v1/keys' ? { keys: [key], cursor: null } : undefined));
  const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' }).format(until * 1000);
  const table = within(await screen.findByRole('table', { name: 'Keys' }));
  const state = () => table.getAllByRole('cell').at(-2)?.textContent;
  expect(state()).toContain(`Old secret …old4 works until ${exact} (`);
  const clock = vi.spyOn(Date, 'now').mockReturnValue((until + 120) * 1000);
  onTestFinished(() => clock.mockRestore());
  await waitFor(() => expect(state()).toContain(`Old secret …old4 worked until ${exact} (2 min. ago).`));
});

it('the keys of programs stand before the rows of people in the dashboard, which have a heading of their own', async () => {
  const keys = [keyOf(1, { name: 'Dashboard', last4: '', owner_user_id: 'u_1' }), keyOf(2, {})];
  await openPage('keys', 'admin', ({ path }) => (path === '/v1/keys' ? { keys, cursor: null } : undefined));
  const table = within(await screen.findByRole('table', { name: 'Keys' }));
  expect(table.queryByText('Key 2')).not.toBeNull();
  expect(table.queryByText('Dashboard')).toBeNull();
  const people = screen.getByRole('table', { name: 'Dashboard users' });
  expect(within(people).queryByText('Dashboard')).not.toBeNull();
  expect(table.queryByRole('columnheader', { name: 'Calls, 30 days' })).not.toBeNull();
});
