import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { isWide, limitText, movesOf } from '../app/lib/thresholds.ts';
import { type Call, openPage } from './open-page.tsx';

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
    ['0', 'Bounces cost nothing, so every other address is sent to.'],
    ['999999', 'Holding costs so little that nearly every other address is challenged or dropped.'],
  ])('says what a bounce at $%s does, and asks before it is saved', async (amount, text) => {
    const user = userEvent.setup({ delay: null });
    const calls: Call[] = [];
    await openPage('settings?part=mistakes', 'admin', answer(calls));
    const field = await screen.findByRole('textbox', { name: 'Signup: Sending to a bad address' });
    await user.clear(field);
    await user.type(field, amount);
    await screen.findByText(text);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const dialog = within(await screen.findByRole('dialog'));
    dialog.getByText(text, { exact: false });
    const saves = () => calls.filter(({ method }) => method === 'PUT');
    expect(saves()).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saves()).toMatchObject([{ body: { signup: { bounce: Number(amount) } } }]));
  });
});

it('offers to save costs only once one is changed, also where one has more decimals than its field', async () => {
  const user = userEvent.setup({ delay: null });
  const fine = { ...LOSSES, held_good: 0.2 / 3 };
  await openPage('settings?part=mistakes', 'admin', ({ path }) =>
    path === '/v1/losses'
      ? {
          losses: {
            signup: fine,
            outbound: LOSSES,
            list_hygiene: LOSSES,
            version: 0,
            created_at: null,
            created_by: null,
          },
        }
      : undefined,
  );
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Signup: Holding a good contact' });
  expect(field.value).toBe('$0.066667');
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(save.disabled).toBe(true);
  await user.type(field, '{Backspace}');
  expect(save.disabled).toBe(false);
});

describe('the losses of an account', () => {
  const OWN = { ...LOSSES, bounce: 0.063 };
  const openLosses = async (calls: Call[]) => {
    const table = { signup: LOSSES, outbound: LOSSES, list_hygiene: LOSSES };
    const own = { signup: OWN, outbound: LOSSES, list_hygiene: LOSSES, version: 0, created_at: null, created_by: null };
    let held: object = { ...table, version: 1, created_at: 1_790_000_000, created_by: 'u_00000000000000000000000001' };
    await openPage('settings?part=mistakes', 'admin', (call) => {
      calls.push(call);
      if (call.path === '/v1/losses/simulate')
        return { traces: 40, changed: [{ from: 'challenge', to: 'send', count: 3 }], counts: {} };
      if (call.path !== '/v1/losses') return answer([])(call);
      if (call.method === 'PUT')
        held = { ...held, ...own, version: 2, created_at: 1_790_000_000, created_by: 'operator' };
      return { losses: call.query.get('version') === '0' ? own : held };
    });
  };

  it('go back to the service’s own only when asked, with what that changes, and then say that they are these', async () => {
    const user = userEvent.setup({ delay: null });
    const calls: Call[] = [];
    await openLosses(calls);
    await user.click(await screen.findByRole('button', { name: 'Reset to defaults' }));
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findByText(/^Changes in 40 verifications of the last 30 days: 3 from challenge to send\.$/);
    dialog.getByText(/^Risks between .* were challenged and are sent to from now on\.$/);
    expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Reset' }));
    await screen.findByText('Service defaults.');
    await screen.findByText('Saved.');
    expect(screen.queryByRole('button', { name: 'Reset to defaults' })).toBeNull();
  });
});

describe('limits of losses', () => {
  it.each([
    [0.14, '14%'],
    [0.000_031, '0.0031%'],
    [0.9995, '99.95%'],
  ])('of %f are written without a second comparison', (limit, text) => {
    expect(limitText(limit).replace('\u00a0', ' ')).toBe(text);
  });

  it('say, when moved, which numbers get another answer, and whether these are many', () => {
    const moves = movesOf(LOSSES, { ...LOSSES, bounce: 2 }, 'challenged');
    expect(moves.map(({ was, is }) => `${was}, ${is}`)).toEqual(['sent, challenged']);
    expect(movesOf(LOSSES, { ...LOSSES, bounce: 0.41 }, 'challenged').filter(isWide)).toEqual([]);
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
    const field = await screen.findByRole('textbox', { name: 'Signup: Sending to a bad address' });
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
    await waitFor(() => expect(asked).toHaveBeenCalledWith('Leave without saving your costs of mistakes?'));
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
    await user.click(await screen.findByRole('checkbox', { name: /^Verifications: email at 80/ }));
    await user.click(screen.getByRole('link', { name: 'General' }));
    await waitFor(() => expect(asked).toHaveBeenCalledWith('Leave without saving the alerts?'));
    expect(window.location.search).toContain('alerts');
  });
});

describe('alerts that are saved', () => {
  it('say so', async () => {
    const user = userEvent.setup({ delay: null });
    let alerts = [ALERT];
    await openPage('settings?part=alerts', 'admin', (call) => {
      if (call.method === 'PUT') alerts = [{ ...ALERT, enabled: false }];
      return call.path === '/v1/alerts' ? { alerts, recipients: null } : answer([])(call);
    });
    await user.click(await screen.findByRole('checkbox', { name: /^Verifications: email at 80/ }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByText('Saved.')).getAttribute('role')).toBe('status');
  });
});

describe('the companies that get data', () => {
  it('are quoted where their pages say how long they keep it, and not where they do not', async () => {
    const vendor = { kind: 'verification', sent: ['the address'], gets_address: true, switchable: true, enabled: true };
    const read = { read_on: '2026-11-23' };
    const subprocessors = [
      {
        ...vendor,
        id: 'a',
        name: 'A',
        retention: { ...read, says: 'Deleted after 30 days.', source: 'https://a.example' },
      },
      { ...vendor, id: 'b', name: 'B', retention: { ...read, says: 'No statement of it was found.', source: null } },
    ];
    await openPage('settings?part=privacy', 'viewer', ({ path }) =>
      path === '/v1/subprocessors' ? { subprocessors } : undefined,
    );
    await screen.findByText(/^It says: “Deleted after 30 days\.”/);
    screen.getByText('Retention not published (2026-11-23)');
    expect(screen.queryByText(/No statement/)).toBeNull();
  });
});
