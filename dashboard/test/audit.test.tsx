import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openPage } from './open-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ORGANISATION = 'org_00000000000000000000000001';
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
  ['losses.changed', 'losses', 'version 2', 'Losses', '/settings?part=mistakes'],
] as const;

describe('the audit log', () => {
  it('names what each entry is about, and leads to it', async () => {
    const entries = ENTRIES.map(([action, target, summary], at) => ({
      id: `au_${at}`,
      at: 1_790_000_000,
      actor: 'operator',
      action,
      target,
      summary,
    }));
    await openPage('audit', 'admin', ({ path }) => {
      if (path === '/v1/members') return { members: [] };
      if (path === '/v1/invitations') return { invitations: [{ id: INVITED, email: 'ada@acme.example' }] };
      return path === '/v1/audit' ? { entries, cursor: null } : undefined;
    });
    await screen.findAllByRole('link', { name: 'ada@acme.example' });
    for (const [, , , name, end] of ENTRIES)
      expect(screen.getAllByRole('link', { name })[0]?.getAttribute('href')).toBe(`/${ORGANISATION}${end}`);
  });
});
