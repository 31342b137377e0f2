import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { openPage, refused } from './open-page.tsx';

it.each([
  ['foo..bar', '/v1/domains/check', '`domain` is not a domain name.', '“foo..bar” is not a domain name.'],
  ['ada@-', '/v1/addresses/check', '`email` is not an address.', '“ada@-” is not an email address.'],
  ['ada lovelace', '', '', '“ada lovelace” is not a domain name.'],
])('a test of %s says in words what it is not, and names no field', async (typed, path, message, said) => {
  const user = userEvent.setup({ delay: null });
  await openPage('rules', 'member', (call) => {
    if (call.path === path) return refused(400, message);
    return call.path.endsWith('list') ? { entries: [], count: 0, cursor: null } : undefined;
  });
  await user.type(await screen.findByRole('textbox', { name: 'Address or domain' }), `${typed}{Enter}`);
  expect(await screen.findByText(said)).toBeDefined();
});

it('before rules are added, what looks well formed is counted, and what is repeated or is not has a number of its own', async () => {
  const user = userEvent.setup({ delay: null });
  await openPage('rules', 'member', (call) =>
    call.path.endsWith('list') ? { entries: [], count: 0, cursor: null } : undefined,
  );
  await user.click((await screen.findAllByRole('button', { name: 'Add entries' })).at(0) as HTMLElement);
  await user.click(await screen.findByRole('textbox', { name: 'Domains and addresses' }));
  await user.paste('a.example\nb.example\nfoo..bar\nada@a.example\nada@a.example\nword');
  expect(await screen.findByText('2 domains and 1 address, 1 duplicate line, 2 invalid lines')).toBeDefined();
});
