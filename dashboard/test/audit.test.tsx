import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage } from './open-page.tsx';

const ORGANISATION = 'org_00000000000000000000000001';
const KEY = 'key_00000000000000000000000001';
const INVITED = 'iv_00000000000000000000000001';
const ENTRIES = [
  ['policy.saved', 'default', 'version 3', 'default', '/policy?policy=default&view=versions&version=3'],
  ['rules.added', 'address allowlist', '2 entries', 'Address allow list', '/rules?list=allow&of=addresses'],
  ['connection.created', 'mc_00000000000000000000000001', 'resend', 'Resend', '/connections'],
  ['connection.changed', 'mc_00000000000000000000000002', 'ses: new secret', 'Amazon SES', '/connections'],
  ['invitation.made', INVITED, 'role member', 'ada@acme.example', '/members'],
  ['invitation.made', 'iv_00000000000000000000000002', 'role viewer', 'An invitation as viewer', '/members'],
  ['invitation.withdrawn', 'iv_00000000000000000000000002', '', 'An invitation', '/members'],
  ['organisation.changed', ORGANISATION, 'privacy, alerts', 'Privacy, alerts', '/settings?part=privacy'],
  ['organisation.changed', ORGANISATION, 'renamed', 'Renamed', '/settings'],
  ['member.removed', 'u_00000000000000000000000002', 'role member, 0 keys revoked', 'Ada', '/members'],
  [
    'member.removed',
    'u_00000000000000000000000003',
    'role member, 0 keys revoked',
    'Former member …000003',
    '/members',
  ],
  ['losses.changed', 'losses', 'version 2', 'Costs of mistakes', '/settings?part=mistakes'],
] as const;

describe('the audit log', () => {
  it('names what each entry is about, and leads to it', async () => {
    const entries = ENTRIES.map(([action, target, summary], at) => ({
      id: `au_${at}`,
      at: 1_790_000_000,
      actor: at === 0 ? 'u_00000000000000000000000002' : KEY,
      key_id: KEY,
      action,
      target,
      summary,
    }));
    let keyCalls = 0;
    await openPage('audit?actor=u_00000000000000000000000003', 'admin', ({ path }) => {
      if (path === '/v1/keys') keyCalls += 1;
      if (path === '/v1/members') return { members: [{ id: 'u_00000000000000000000000002', name: 'Ada' }] };
      if (path === '/v1/keys')
        return {
          keys: [
            { id: KEY, name: 'signup', last4: 'abcd' },
            { id: `${KEY}x`, name: 'Dashboard', last4: '' },
          ],
          cursor: null,
        };
      if (path === '/v1/invitations') return { invitations: [{ id: INVITED, email: 'ada@acme.example' }] };
      return path === '/v1/audit' ? { entries, cursor: null } : undefined;
    });
    await screen.findAllByRole('link', { name: 'ada@acme.example' });
    await screen.findAllByRole('link', { name: 'Former member …000003' });
    for (const [, , , name, end] of ENTRIES)
      expect(screen.getAllByRole('link', { name })[0]?.getAttribute('href')).toBe(`/${ORGANISATION}${end}`);
    await screen.findAllByText('Ada');
    expect(screen.getAllByText('signup').length).toBeGreaterThan(0);
    const who = within(screen.getByRole('combobox', { name: 'Who' }));
    const key = await who.findByRole<HTMLOptionElement>('option', { name: 'Key signup' });
    expect(key.value).toBe(KEY);
    expect(who.queryByRole('option', { name: 'Key Dashboard' })).toBeNull();
    who.getByRole('option', { name: 'Former member …000003' });
    expect(keyCalls).toBe(1);
  });
});
