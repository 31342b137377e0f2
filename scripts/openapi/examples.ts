import type { RouteId } from '../../src/contract/routes.ts';

const AT_S = 1_772_366_400;
const ORGANISATION = 'org_01kjmz7c6m4f1n9t3w7x2d5k10';
const KEY = 'key_01kjmz7c6m4f1n9t3w7x2d5k12';
const WAITING = { outbox_rows: 2, outbox_age_s: 1, outbox_dead: 0, erasures: 0, jobs_failed: 0 };

/** Answers that depend on history: the document shows these in place of the service's answers to its tests. */
export const EXAMPLES: Readonly<Partial<Record<RouteId, unknown>>> = {
  listOrganisations: {
    organisations: [
      {
        id: ORGANISATION,
        account_id: 'acct_01kjmz7c6m4f1n9t3w7x2d5k11',
        name: 'Acme',
        verification_quota: 50_000,
        screening_allowance: 10_000,
        enrichment_budget_usd: 25,
        provider_budget_usd: null,
        rate_per_minute: 6_000,
        second_factor: false,
        created_at: AT_S,
      },
    ],
    cursor: null,
  },
  listKeys: {
    keys: [
      {
        id: KEY,
        name: 'signup backend',
        role: 'member',
        origin: 'manual',
        operator: false,
        test: false,
        last4: 'x4Qp',
        owner_user_id: null,
        created_at: AT_S,
        revoked_at: null,
        secret_current: true,
        secret_known: true,
      },
    ],
  },
  forget: { forgotten: { traces: 3, rules: 1, users: 0 }, pending: [], incomplete: [], cursor: null },
  acceptSource: {
    accepted: true,
    lists: { sources: [{ url: 'https://example.com/domains.txt', domains: 12_000 }] },
  },
  status: {
    unread: [],
    totals: { ...WAITING, organisations: 1, unreachable: 0, dead_letters: 0 },
    organisations: [{ ...WAITING, id: ORGANISATION, verifications: 4_120, provider_spend_usd: 1.2 }],
    cursor: null,
    unreachable: [],
    providers: [{ provider: 'kickbox', calls: 410, failed: 3, error_rate: 0.0073, mean_ms: 640, max_ms: 2_100 }],
    dead_letters: [],
    cron: [{ step: 'wake', age_s: 41, report: { organisations: 1 } }],
    settings: [],
    last_24h: { counters: { 'provider_ms:kickbox': { count: 407, sum: 260_480, max: 2_100 } } },
  },
};
