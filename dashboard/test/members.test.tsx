import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { type Call, openPage } from './open-page.tsx';

const NOW_S = Math.floor(Date.now() / 1000);
const INVITATION = {
  id: 'inv_00000000000000000000000001',
  email: 'grace@example.com',
  role: 'member',
  created_at: NOW_S,
  expires_at: NOW_S + 600,
  created_by: 'u_00000000000000000000000001',
};

function openStore() {
  let invitations = [INVITATION];
  return ({ method, path }: Call): object | undefined => {
    if (method === 'DELETE') invitations = [];
    if (path === '/v1/members') return { members: [] };
    if (path === '/v1/invitations') return method === 'POST' ? { invitation: INVITATION } : { invitations };
    return path.startsWith('/v1/invitations/') ? { done: true } : undefined;
  };
}

describe('the invitations', () => {
  it('asks before one is withdrawn', async () => {
    const user = userEvent.setup({ delay: null });
    await openPage('members', 'admin', openStore());
    await user.click(await screen.findByRole('button', { name: /^Withdraw invitation for/ }));
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findByText('grace@example.com');
    await user.click(dialog.getByRole('button', { name: 'Withdraw' }));
    expect(await screen.findByText('No open invitations')).toBeTruthy();
  });

  it('has the focus on the way on once a person is invited, and then where it began', async () => {
    const user = userEvent.setup({ delay: null });
    await openPage('members', 'admin', openStore());
    const invite = await screen.findByRole('button', { name: 'Invite' });
    await user.click(invite);
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByRole('textbox', { name: 'Email address' }), 'grace@example.com{Enter}');
    const done = await dialog.findByRole('button', { name: 'Done' });
    await waitFor(() => expect(document.activeElement).toBe(done));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(invite));
  });
});

describe('a dialog', () => {
  it('closes by the way back, and the page stays', async () => {
    const user = userEvent.setup({ delay: null });
    await openPage('members', 'admin', openStore());
    const { router } = await import('../app/router.tsx');
    const page = window.location.pathname;
    await screen.findByRole('button', { name: 'Invite' });
    await router.navigate({ to: '.', search: { step: 'next' } as never });
    await user.click(screen.getByRole('button', { name: 'Invite' }));
    await screen.findByRole('dialog');
    router.history.back();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(window.location.pathname).toBe(page);
    expect(window.location.search).toContain('step=next');
  });
});
