import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { openPage } from './open-page.tsx';
import { openStore } from './policy-store.ts';

const CHANGED = [{ from: 'allow', to: 'deny', count: 3 }];
const ALL = { window_days: 30, traces: 200, undetermined: 0, complete: true, changed: CHANGED, sample_trace_ids: [] };

/** What the page says about a simulation that the API answers so. */
async function said(simulation: object): Promise<string> {
  const store = openStore();
  await openPage('policy', 'admin', (call) =>
    call.path.endsWith('/simulate') ? { ...ALL, ...simulation } : store.answer(call),
  );
  const user = userEvent.setup({ delay: null });
  await user.click(await screen.findByRole('button', { name: 'Remove invalid' }));
  await user.click(screen.getByRole('button', { name: /^What (would it change|changes)\?$/ }));
  return (await screen.findByText(/would have changed/)).textContent?.replaceAll('\u00a0', ' ') ?? '';
}

describe('what a draft would have changed', () => {
  it('shows signups, verifications and rows of lists separately, and those that this policy decided', async () => {
    const by_kind = [
      { kind: 'bulk', counts: { allow: 50 }, decided: 50, changed: [] },
      { kind: 'decide', counts: { allow: 97, deny: 3 }, decided: 100, changed: CHANGED },
      { kind: 'verify', counts: { allow: 50 }, decided: 0, changed: [] },
    ];
    expect(await said({ by_kind })).toBe(
      'Beside what was decided at the time, it would have changed 3 of 100 signups (3 %) and 0 of 50 rows of lists (0 %) of the last 30 days. ' +
        'It also ran over 50 verifications: this policy did not decide them, so they can’t change.',
    );
  });

  it('is nothing where this policy decided nothing that is known', async () => {
    const by_kind = [{ kind: 'verify', counts: { allow: 1 }, decided: 0, changed: [] }];
    expect(await said({ by_kind, undetermined: 2, complete: false, changed: [] })).toBe(
      'It would have changed nothing of what this policy decided at the time, in the last 30 days. ' +
        'Only the newest were looked at: there was no time for more. ' +
        'It also ran over 1 verification: this policy did not decide it, so it can’t change. ' +
        '2 more depend on facts that are not stored: the result for them is unknown.',
    );
  });
});
