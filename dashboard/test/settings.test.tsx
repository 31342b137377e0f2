import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { extremesOf } from '../app/lib/thresholds.ts';
import { type Call, openPage } from './open-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const LOSSES = { bounce: 0.4, contact_lost: 0.3, held_good: 0.01, held_bad: 0.02 };
const ALERT = { of: 'verifications', share: 80, enabled: true };

function answer(calls: Call[]) {
  return (call: Call): object | undefined => {
    calls.push(call);
    if (call.path === '/v1/losses')
      return {
        losses: {
          signup: LOSSES,
          outbound: LOSSES,
          list_hygiene: LOSSES,
          version: 0,
          created_at: null,
          created_by: null,
        },
      };
    if (call.path === '/v1/alerts') return { alerts: [ALERT], recipients: null };
    if (call.path === '/v1/usage')
      return {
        quota: { used: 10, limit: 100, unmetered: false },
        screening: { used: 0, quota: 0, unmetered: true },
        budgets: { providers: { used_usd: 0, limit_usd: 0 }, enrichment: { used_usd: 0, limit_usd: 0 } },
        calls: { screen: 0 },
      };
    return call.path === '/v1/members' ? { members: [] } : undefined;
  };
}

describe('what mistakes cost', () => {
  it.each([
    ['0', 'A loss of $0 means that a bounce never matters: every address that no finding or rule settles is sent to.'],
    [
      '999999',
      'A bounce costs so much beside the rest that nearly every address that no finding or rule settles is challenged or dropped.',
    ],
  ])('says what a bounce at $%s does, and asks before it is saved', async (amount, text) => {
    const user = userEvent.setup({ delay: null });
    const calls: Call[] = [];
    await openPage('settings?part=mistakes', 'admin', answer(calls));
    const field = await screen.findByRole('textbox', { name: 'Signup: A send that bounces' });
    await user.clear(field);
    await user.type(field, amount);
    await screen.findByText(text);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const dialog = within(await screen.findByRole('dialog'));
    dialog.getByText(text, { exact: false });
    const saves = () => calls.filter(({ method }) => method === 'PUT');
    expect(saves()).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Save them' }));
    await waitFor(() => expect(saves()).toMatchObject([{ body: { signup: { bounce: Number(amount) } } }]));
  });
});

describe('losses at their edge', () => {
  it('are not said to drop what they never drop', () => {
    const found = extremesOf({ bounce: 1, contact_lost: 1, held_good: 0, held_bad: 0 }, 'held');
    expect(found).toEqual([
      'A bounce costs so much beside the rest that nearly every address that no finding or rule settles is held.',
      'A good contact is worth so much that only a finding or a rule drops an address.',
    ]);
  });
});

describe('the way back', () => {
  it('closes a dialog, and the second time asks before changes are left, while the first one still fades', async () => {
    const user = userEvent.setup({ delay: null });
    const asked = vi.fn<() => boolean>(() => false);
    vi.stubGlobal('confirm', asked);
    await openPage('members', 'admin', answer([]));
    const { router } = await import('../app/router.tsx');
    const settings = window.location.pathname.replace('members', 'settings');
    await router.navigate({ to: settings as never, search: { part: 'mistakes' } as never });
    const field = await screen.findByRole('textbox', { name: 'Signup: A send that bounces' });
    await user.clear(field);
    await user.type(field, '0');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByRole('dialog');
    router.history.back();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(asked).not.toHaveBeenCalled();
    const fading = document.body.appendChild(document.createElement('div'));
    fading.setAttribute('role', 'dialog');
    fading.setAttribute('aria-modal', 'true');
    router.history.back();
    await waitFor(() => expect(asked).toHaveBeenCalledWith('Leave without saving what mistakes cost?'));
    fading.remove();
    expect(window.location.pathname).toBe(settings);
  });
});

describe('the alerts', () => {
  it('asks before changes that are not saved are left', async () => {
    const user = userEvent.setup({ delay: null });
    const asked = vi.fn<() => boolean>(() => false);
    vi.stubGlobal('confirm', asked);
    await openPage('settings?part=alerts', 'admin', answer([]));
    await user.click(await screen.findByRole('checkbox', { name: /^Verifications: mail at 80/ }));
    await user.click(screen.getByRole('link', { name: 'General' }));
    await waitFor(() => expect(asked).toHaveBeenCalledWith('Leave without saving the alerts?'));
    expect(window.location.search).toContain('alerts');
  });
});
