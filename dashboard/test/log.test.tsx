import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Trace } from '../app/api/schema.ts';
import { type Call, openPage } from './open-page.tsx';

const row = (id: string, display: string) => ({
  trace_id: id,
  verification_trace_id: null,
  kind: 'verify',
  created_at: 1_790_000_000,
  display,
  domain: 'acme.example',
  verdict: 'risky',
  bounce_probability: 0.31,
  recommendation: 'challenge',
  reason: null,
  email_type: 'business',
  esp: 'hosted_suite_a',
  cost_usd: 0.005,
  latency_ms: 812,
  cache_hit: false,
  degraded: false,
  bulk_job_id: null,
});

const option = (provider: string, value: number) => ({
  provider,
  value_usd: value,
  cost_usd: 0.006,
  price_usd: 0.005,
  latency_ms: 900,
  failure_rate: 0.01,
});
const step = (choice: string, probability: number, stop: number, candidates: object[]) => ({
  choice,
  probability,
  stop_value_usd: stop,
  candidates,
  excluded: [],
  missed: false,
  left: { cost_usd: 0.02, latency_ms: 3_500 },
});
const logOdds = (probability: number) => Math.log(probability / (1 - probability));

/** A judgement that one provider moved from 5 to 31 %. */
const TRACE = {
  ...row('vr_00000000000000000000000001', 'j•••@acme.example'),
  confidence_interval: [0.1, 0.6],
  context: { purpose: 'signup' },
  signals: null,
  reasons: [],
  did_you_mean: null,
  sent_to: null,
  outcome: null,
  policy_decision: null,
  bulk_decision: null,
  disagreement: 0,
  calibration: 'prior',
  providers: { bouncer: { verdict: 'undeliverable', latency_ms: 812, cost_usd: 0.005 } },
  provider_failures: [],
  route: [
    step('bouncer', 0.05, 0.03, [option('zerobounce', 0.029), option('bouncer', 0.021)]),
    step('stop', 0.31, 0.012, [option('zerobounce', 0.014)]),
  ],
  features: {
    model_version: 'seed-1',
    host_class: 'google_business',
    mx_provider: 'google_workspace',
    gateway: false,
    mail_hosts: 'found',
    known_answers: [],
    accepts_all_odds: 1,
    evidence: [
      { code: 'stranger', shift: logOdds(0.08) },
      { code: 'purpose', shift: logOdds(0.05) - logOdds(0.08) },
      { code: 'answer', shift: logOdds(0.31) - logOdds(0.05), provider: 'bouncer', verdict: 'undeliverable' },
    ],
  },
} as unknown as Trace;

let calls: Call[];
let user: UserEvent;
beforeEach(() => {
  calls = [];
  user = userEvent.setup({ delay: null });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function answer(call: Call): object | undefined {
  calls.push(call);
  if (call.path === '/v1/traces') return { traces: [row('vr_a', 'a•••@acme.example')], cursor: null };
  if (call.path === '/v1/traces/search') return { traces: [row('vr_b', 'b•••@acme.example')], cursor: null };
  if (call.path === `/v1/traces/${TRACE.trace_id}`) return { trace: TRACE };
  return undefined;
}

describe('the log', () => {
  it('finds the judgements of an address, which stands in no URL and no store', async () => {
    await openPage('log', 'admin', answer);
    await screen.findByText('a•••@acme.example');
    await user.type(screen.getByRole('textbox', { name: 'Find an address' }), 'bob@acme.example{Enter}');
    await screen.findByText('b•••@acme.example');
    expect(calls.find(({ path }) => path === '/v1/traces/search')).toMatchObject({
      method: 'POST',
      body: { email: 'bob@acme.example' },
    });
    for (const kept of [window.location.href, ...Object.values(localStorage), ...Object.values(sessionStorage)])
      expect(kept).not.toContain('bob');
    await user.click(screen.getByRole('button', { name: 'Clear the address' }));
    await screen.findByText('a•••@acme.example');
  });

  it.each(['viewer', 'member'] as const)('lets a %s look for no address: the API refuses them', async (role) => {
    await openPage('log', role, answer);
    await screen.findByText('a•••@acme.example');
    expect(screen.queryByRole('textbox', { name: 'Find an address' })).toBeNull();
  });

  it('takes its filters from the URL, asks by those it knows, and gives each up by itself', async () => {
    await openPage('log?recommendation=drop&domain=acme.example&verdict=wrong&time=7d', 'viewer', answer);
    await screen.findByText('a•••@acme.example');
    const { query } = calls.find(({ path }) => path === '/v1/traces') ?? {};
    expect(Object.fromEntries(query ?? [])).toEqual({
      recommendation: 'drop',
      domain: 'acme.example',
      limit: '100',
      from: expect.stringMatching(/^\d+$/),
    });
    await user.click(screen.getByRole('button', { name: 'Remove the filter Recommendation' }));
    await waitFor(() => expect(window.location.search).not.toContain('recommendation'));
    expect(window.location.search).toContain('domain=acme.example');
  });

  it('shows what moved the number, which adds up to it, and who was asked at what expected cost', async () => {
    await openPage(`log?trace=${TRACE.trace_id}`, 'viewer', answer);
    const moved = within(await screen.findByRole('table', { name: 'What moved the number' }));
    const lines = moved.getAllByRole('row').map((each) => each.textContent?.replaceAll('\u00a0', ' '));
    expect(lines.slice(1, 4)).toEqual([
      expect.stringMatching(/^Start: a new address at Google Workspace.*8 %$/),
      expect.stringMatching(/^A person signs up with it÷ 1.75 %$/),
      expect.stringMatching(/^Bouncer says “undeliverable”× 8.531 %$/),
    ]);
    const asked = within(screen.getByRole('region', { name: 'Who was asked' }));
    const choices = asked.getAllByRole('row').map((each) => each.textContent);
    expect(choices).toEqual([
      'ChoiceExpected costPrice',
      'Decide now$0.0300',
      'Ask ZeroBounce$0.0290$0.0050',
      'Ask Bouncer chosen$0.0210$0.0050',
      'ChoiceExpected costPrice',
      'Decide now chosen$0.0120',
      'Ask ZeroBounce$0.0140$0.0050',
    ]);
  });
});
