import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { i18n } from '@lingui/core';
import { waitFor } from '@testing-library/react';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openPage } from './open-page.tsx';

/** Every message with other letters, as a translation of it: `Ōvēŕvĩēŵ`. */
async function pseudoMessages() {
  const [catalogue] = await getCatalogs(getConfig({ configPath: 'dashboard/lingui.config.ts' }));
  const found = Object.entries((await catalogue?.collect()) ?? {});
  const texts = Object.fromEntries(found.map(([id, { message = '' }]) => [id, message]));
  const { source } = createCompiledCatalog('en', texts, { namespace: 'json', pseudoLocale: 'en' });
  return (JSON.parse(source) as { messages: Record<string, string> }).messages;
}

beforeAll(async () => {
  i18n.load('en', await pseudoMessages());
});
afterAll(() => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  // Tables of texts were read in the other letters.
  vi.resetModules();
});

const AT = 1_790_000_000;
const DAY_S = 86_400;
const ME = 'u_00000000000000000000000001';
const LOSSES = { bounce: 0.4, contact_lost: 0.3, held_good: 0.01, held_bad: 0.02 };
const POLICY = {
  slug: 'default',
  version: 2,
  name: '2026',
  created_at: AT,
  created_by: ME,
  rules: [
    {
      id: 'r-1',
      when: {
        all: [
          { path: 'verification.verdict', op: 'in', value: ['invalid', 'risky'] },
          { not: { path: 'company.country', op: 'exists', value: true } },
        ],
      },
      decision: 'deny',
    },
    { id: 'r-2', when: { path: 'verification.email_type', op: 'eq', value: 'free' }, decision: 'review' },
  ],
  default: 'allow',
  icp: null,
};
const TRACE = {
  trace_id: 'vr_00000000000000000000000001',
  verification_trace_id: null,
  kind: 'verify',
  created_at: AT,
  display: 'j•••@acme.example',
  domain: 'acme.example',
  verdict: 'risky',
  bounce_probability: 0.31,
  confidence_interval: [0.1, 0.6],
  recommendation: 'challenge',
  reason: 'typo_domain',
  reasons: ['typo_domain'],
  email_type: 'business',
  esp: 'self_hosted',
  cost_usd: 0.005,
  latency_ms: 812,
  cache_hit: false,
  degraded: true,
  bulk_job_id: null,
  context: { purpose: 'signup' },
  signals: null,
  did_you_mean: null,
  outcome: null,
  policy_decision: { decision: 'deny', rule_id: 'r-1', policy: { slug: 'default', version: 2 }, experiment: null },
  bulk_decision: null,
  providers: {},
  provider_failures: [],
  route: null,
  features: {
    model_version: '1',
    losses: LOSSES,
    host_class: 'self_hosted',
    mx_provider: null,
    gateway: false,
    mail_hosts: 'found',
    known_answers: [],
    known_outcomes: [],
    evidence: [
      { code: 'stranger', shift: -2 },
      { code: 'typo_domain', shift: 1 },
    ],
  },
};
const ANSWERS: Readonly<Record<string, object>> = {
  '/v1/usage': {
    period: { from: AT, to: AT + 30 * DAY_S },
    calls: { verify: 0, check: 2, screen: 0, decide: 5_076, bulk: 662 },
    quota: { limit: 9_000, used: 5_738, remaining: 3_262, unmetered: false },
    screening: { used: 0, quota: null, unmetered: true },
    budgets: { providers: { used_usd: 1, limit_usd: 2 }, enrichment: { used_usd: 0, limit_usd: 0 } },
    bulk: { jobs_this_month: 3, rows_this_month: 662 },
  },
  '/v1/usage/series': {
    from: AT,
    to: AT + 30 * DAY_S,
    interval: 'day',
    series: [{ value: 'drop', points: [{ at: AT, calls: 5_186, cost_usd: 0 }] }],
  },
  '/v1/calibration': {
    state: 'prior',
    version: 'seed-000001',
    computed_at: AT,
    outcomes: 12,
    hard_bounces: 1,
    coverage: 0.9,
    bins: [{ predicted: 0.05, observed: 0.06, ci: [0.02, 0.1], count: 12 }],
    log_loss: { prior: 0.3, fitted: null },
    sources: [{ source: 'api', kind: null, outcomes: 12, hard_bounces: 1 }],
    sends: { share: 0.5, reported: 12, verified: 24, days: 30 },
    routing: null,
    unread: [{ host_family: 'unknown', code: '550', enhanced: null, count: 3 }],
  },
  '/v1/segments': {
    metric: 'subscribed',
    window_days: 90,
    computed_at: AT,
    segments: [{ key: { mailbox_type: 'consumer' }, exposures: 50, events: 5, rate: 0.1, ci: [0.05, 0.2] }],
    too_few: [],
    join: { exact: 1, by_email: 0, unmatched: 0 },
  },
  '/v1/recommendations': { metric: 'subscribed', window_days: 90, computed_at: AT, recommendations: [] },
  '/v1/policies': { policies: [POLICY] },
  '/v1/policies/default': { policy: POLICY },
  '/v1/traces': { traces: [TRACE], cursor: null },
  [`/v1/traces/${TRACE.trace_id}`]: { trace: TRACE },
  '/v1/losses': {
    losses: {
      signup: LOSSES,
      outbound: LOSSES,
      list_hygiene: LOSSES,
      version: 1,
      created_at: AT,
      created_by: ME,
    },
  },
  '/v1/domains/blocklist': { entries: [], count: 0, cursor: null },
  '/v1/keys': {
    keys: [
      {
        id: 'key_00000000000000000000000001',
        name: '1',
        role: 'member',
        origin: 'manual',
        mode: 'test',
        last4: '0001',
        owner_user_id: null,
        created_at: AT,
        created_by: ME,
        last_used_at: AT,
        expires_at: null,
        previous_secret: { last4: '0002', valid_until: AT + DAY_S, last_used_at: null },
        revoked_at: null,
      },
    ],
    cursor: null,
  },
  '/v1/connections': {
    connections: [
      {
        id: 'mc_00000000000000000000000001',
        kind: 'ses',
        url: '/hooks',
        created_at: AT,
        last_event_at: AT,
        refused: 2,
        events: { hard_bounce: 3 },
      },
    ],
  },
  '/v1/members': {
    members: [{ id: ME, name: null, email: '1@x.example', role: 'admin', created_at: AT, created_by: ME }],
  },
  '/v1/invitations': { invitations: [] },
  '/v1/organisation': {
    organisation: {
      verification_quota: 9_000,
      screening_allowance: 0,
      provider_budget_usd: null,
      enrichment_budget_usd: 0,
      rate_per_minute: 600,
    },
  },
  '/v1/alerts': { alerts: [{ of: 'verifications', share: 80, enabled: true }], recipients: null },
  '/v1/retention': { retention: { traces: 400, details: 90, outcomes: 400, events: 400, history: 400 } },
  '/v1/subprocessors': { subprocessors: [] },
  '/v1/bulk/jobs': { jobs: [], cursor: null },
  '/v1/audit': {
    entries: [{ id: 'au_1', at: AT, actor: ME, action: 'policy.saved', target: 'default', summary: '' }],
    cursor: null,
  },
};

/** What stands in the page beside its texts: what answers say, the person and the organisation, times of `Intl`, addresses as examples. */
const DATA = new Set(
  `${JSON.stringify(ANSWERS)} you@example.com Acme Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec AM PM ago and min hr mo yr ada jane`.match(
    /\p{L}+/gu,
  ),
);
const SPOKEN = ['alt', 'aria-label', 'aria-valuetext', 'placeholder', 'title'];

/** The words in the page that are no data and have their own letters. */
function plainWords(): readonly string[] {
  const elements = [...document.body.querySelectorAll(':not(code, pre, style, script)')];
  const written = elements.flatMap(({ childNodes }) => [...childNodes].filter(({ nodeType }) => nodeType === 3));
  const spoken = elements.flatMap((element) => SPOKEN.map((name) => element.getAttribute(name) ?? ''));
  return [document.title, ...written.map(({ textContent }) => textContent ?? ''), ...spoken].filter((text) =>
    (text.match(/\p{L}+/gu) ?? []).some((word) => /^[a-z]{2,}$/i.test(word) && !DATA.has(word)),
  );
}

it.each([
  'overview',
  'try',
  'lists',
  'log',
  `log?trace=${TRACE.trace_id}`,
  'policy',
  'policy?view=versions',
  'rules',
  'learning',
  'keys',
  'connections',
  'members',
  'settings',
  'settings?part=alerts',
  'settings?part=mistakes',
  'settings?part=privacy',
  'audit',
])('%s has no text that a translation leaves as it is', async (screen) => {
  await openPage(screen, 'admin', ({ path }) =>
    path === '/auth/api' ? { url: 'https://api.example' } : ANSWERS[path],
  );
  await waitFor(() => {
    expect(document.querySelector('h1')).not.toBeNull();
    expect(document.querySelector('[aria-busy="true"]')).toBeNull();
  });
  expect(plainWords()).toEqual([]);
});
