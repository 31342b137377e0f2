import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { openPage } from './open-page.tsx';

it('keeps the password for Postmark on Escape, and no other service’s form open', async () => {
  const user = userEvent.setup({ delay: null });
  await openPage('connections', 'admin', ({ path }) => (path === '/v1/connections' ? { connections: [] } : undefined));
  const open = (await screen.findAllByRole('button', { name: 'Add connection' })).at(0) as HTMLElement;
  await user.click(open);
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('radio', { name: 'Postmark' }));
  const secret = (await dialog.findByText(/^postmark:/)).textContent;
  await user.keyboard('{Escape}');
  dialog.getByText(secret);
  await user.click(dialog.getByRole('radio', { name: 'Mailgun' }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
