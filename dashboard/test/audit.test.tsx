import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openPage } from './open-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ENTRIES = [
  ['policy.saved', 'default', 'version 3', 'default', '/policy?policy=default&view=versions&version=3'],
  ['rules.added', 'address allowlist', '2 entries', 'address allowlist', '/rules?list=allow&of=addresses'],
  ['connection.created', 'mc_00000000000000000000000001', 'postmark', 'postmark', '/connections'],
  [
    'organisation.changed',
    'org_00000000000000000000000001',
    'privacy, alerts',
    'privacy, alerts',
    '/settings?part=privacy',
  ],
  ['organisation.changed', 'org_00000000000000000000000001', 'renamed', 'renamed', '/settings'],
  ['losses.changed', 'losses', 'version 2', 'losses', '/settings?part=mistakes'],
] as const;

describe('the audit log', () => {
  it('leads from each entry to what it is about', async () => {
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
      return path === '/v1/audit' ? { entries, cursor: null } : undefined;
    });
    await screen.findAllByRole('link', { name: 'default' });
    for (const [, , , name, end] of ENTRIES)
      expect(screen.getAllByRole('link', { name })[0]?.getAttribute('href')).toBe(
        `/org_00000000000000000000000001${end}`,
      );
  });
});
