import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { openPage } from './open-page.tsx';
import { openStore } from './policy-store.ts';

const CHANGED = [{ from: 'allow', to: 'deny', count: 3 }];
const ALL = {
  window_days: 30,
  traces: 200,
  undetermined: 0,
  complete: true,
  changed: CHANGED,
  sample_trace_ids: [],
  by_rule: [],
};

/** What the page says of a simulation that the API answers so. */
async function said(simulation: object): Promise<string> {
  const store = openStore();
  await openPage('policy?view=rules', 'admin', (call) =>
    call.path.endsWith('/simulate') ? { ...ALL, ...simulation } : store.answer(call),
  );
  const user = userEvent.setup({ delay: null });
  await user.click(await screen.findByRole('button', { name: 'Actions for invalid' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Remove' }));
  await user.click(screen.getByRole('button', { name: 'Preview impact' }));
  return (await screen.findByText(/^Would have changed/)).textContent?.replaceAll('\u00a0', ' ') ?? '';
}

describe('what a draft would have changed', () => {
  it('counts signups, verifications and rows of lists that this policy decided', async () => {
    const by_kind = [
      { kind: 'bulk', counts: { allow: 50 }, decided: 50, changed: [] },
      { kind: 'decide', counts: { allow: 97, deny: 3 }, decided: 100, changed: CHANGED },
      { kind: 'verify', counts: { allow: 50 }, decided: 0, changed: [] },
    ];
    expect(await said({ by_kind })).toBe(
      'Would have changed 3 of 100 signups (3%) and 0 of 50 rows of lists (0%) of the last 30 days. ' +
        '50 verifications decided by no policy can’t change.',
    );
  });

  it('is nothing where this policy decided nothing that is known', async () => {
    const by_kind = [{ kind: 'verify', counts: { allow: 1 }, decided: 0, changed: [] }];
    expect(await said({ by_kind, undetermined: 2, complete: false, changed: [] })).toBe(
      'Would have changed nothing in the last 30 days. Only the newest were checked. ' +
        '1 verification decided by no policy can’t change. 2 more can’t be told from what is stored.',
    );
  });
});
