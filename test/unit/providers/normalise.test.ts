import { describe, expect, it } from 'vitest';
import { normaliseReport, type VendorReport } from '../../../src/integrations/providers/adapter.ts';

const SAID: VendorReport = {
  verdict: 'deliverable',
  reason: 'accepted',
  catchAll: null,
  role: null,
  disposable: null,
  mailboxFull: null,
  subStatus: null,
};
const VAGUE = { verdict: 'risky', reason: 'low_quality' } as const;
const REFUSED = { verdict: 'undeliverable', reason: 'mailbox_not_found' } as const;
const ALL = { catchAll: true, role: true, disposable: true, mailboxFull: true };

const ROWS: readonly [why: string, said: Partial<VendorReport>, judged: Partial<ReturnType<typeof normaliseReport>>][] =
  [
    ['a role name is a working mailbox', { role: true }, { verdict: 'deliverable', reason: 'accepted' }],
    ['a vendor that vouches for a catch-all mailbox is believed', { catchAll: true }, { verdict: 'deliverable' }],
    ['a throwaway mailbox is not there tomorrow', { disposable: true }, { verdict: 'risky', reason: 'disposable' }],
    ['a full mailbox refuses today', { mailboxFull: true }, { verdict: 'risky', reason: 'mailbox_full' }],
    [
      'a full mailbox is the reason for a refusal',
      { ...REFUSED, mailboxFull: true },
      { verdict: 'risky', reason: 'mailbox_full' },
    ],
    [
      'a refusal stands whatever the name looks like',
      { ...REFUSED, catchAll: true, role: true, disposable: true },
      REFUSED,
    ],
    [
      'a vague doubt at a catch-all domain is the catch-all',
      { ...VAGUE, catchAll: true },
      { verdict: 'catch_all', reason: 'accepts_all' },
    ],
    [
      'a vague doubt about a role name is the role',
      { ...VAGUE, role: true },
      { verdict: 'deliverable', reason: 'role' },
    ],
    ['the catch-all outweighs the role', { ...VAGUE, catchAll: true, role: true }, { verdict: 'catch_all' }],
    ['the throwaway outweighs the catch-all', { ...VAGUE, catchAll: true, disposable: true }, { reason: 'disposable' }],
    ['the full mailbox outweighs all', { ...VAGUE, ...ALL }, { verdict: 'risky', reason: 'mailbox_full' }],
    [
      'a trap stays one at a catch-all domain, and is warned of',
      { verdict: 'risky', reason: 'spam_trap', catchAll: true },
      { verdict: 'risky', reason: 'spam_trap', warning: 'spam_trap' },
    ],
    [
      'a throwaway domain is warned of, whatever the verdict',
      { ...REFUSED, disposable: true },
      { warning: 'disposable' },
    ],
    [
      'a vendor’s own warning says more than its reason',
      { verdict: 'risky', reason: 'complainer', warning: 'toxic' },
      { warning: 'toxic' },
    ],
    ['an ordinary answer warns of nothing', {}, { warning: null }],
    ['a vendor’s word is shown', { subStatus: 'role_based_catch_all' }, { subStatus: 'role_based_catch_all' }],
    ['… but not an address', { subStatus: 'ada@example.com' }, { subStatus: null }],
    ['… nor a text without end', { subStatus: 'x'.repeat(65) }, { subStatus: null }],
    ['a vague doubt without a flag stays', VAGUE, VAGUE],
    [
      'no flag makes an unknown known',
      { verdict: 'unknown', reason: 'timeout', ...ALL },
      { verdict: 'unknown', reason: 'timeout' },
    ],
    ['no catch-all is a fact where the server answered', { ...REFUSED, catchAll: false }, { catchAll: false }],
    [
      'no catch-all proves nothing where the server did not answer',
      { verdict: 'unknown', reason: null, catchAll: false },
      { catchAll: null },
    ],
    [
      'no catch-all proves nothing where the server was not asked',
      { verdict: 'undeliverable', reason: 'syntax', catchAll: false },
      { catchAll: null },
    ],
  ];

describe('normaliseReport', () => {
  it.each(ROWS)('%s', (_why, said, judged) => {
    expect(normaliseReport({ ...SAID, ...said })).toMatchObject(judged);
  });
});
