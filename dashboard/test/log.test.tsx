import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
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

/** A judgement that one provider moved from 5 to 31%. */
const TRACE = {
  ...row('vr_00000000000000000000000001', 'j•••@acme.example'),
  confidence_interval: [0.1, 0.6],
  context: { purpose: 'signup' },
  signals: null,
  reasons: [],
  did_you_mean: null,
  sent_to: ['bouncer'],
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
    disposable_by: null,
    known_answers: [],
    known_outcomes: [],
    accepts_all_odds: 1,
    evidence: [
      { code: 'stranger', shift: logOdds(0.08) },
      { code: 'purpose', shift: logOdds(0.05) - logOdds(0.08) },
      { code: 'answer', shift: logOdds(0.31) - logOdds(0.05), provider: 'bouncer', verdict: 'undeliverable' },
    ],
  },
} as unknown as Trace;

const SCREENED = ['sc_00000000000000000000000001', 'sc_00000000000000000000000002'];
const screeningOf = (id: string) => ({
  trace_id: id,
  display: `${id.slice(-1)}•••@gmial.com`,
  created_at: 1_790_000_000,
  key_id: null,
  screening: {
    typo_suggestion: `${id.slice(-1)}•••@gmail.com`,
    typo_source: 'domain',
    name_match: 'mismatch',
    fake_name: 'likely',
    domain_check: 'typo_like',
    placeholder: false,
    recommendation: 'review',
    reasons: ['typo_domain', 'fake_name'],
    degraded: true,
  },
  cost_usd: 0.0001,
  latency_ms: 431,
});

const DAY_S = 86_400;
const SERIES = {
  from: 1_789_948_800,
  to: 1_789_948_800 + 30 * DAY_S,
  interval: 'day',
  series: [{ value: 'drop', points: [{ at: 1_789_948_800, calls: 3, cost_usd: 0 }] }],
};

/** Here nothing has a width: a chart is drawn once it has one. */
class WideObserver {
  private readonly tell: (entries: object[]) => void;
  constructor(tell: (entries: object[]) => void) {
    this.tell = tell;
  }
  observe(target: Element): void {
    const size = [{ inlineSize: 900, blockSize: 40 }];
    this.tell([{ target, contentRect: { width: 900, height: 40 }, borderBoxSize: size, contentBoxSize: size }]);
  }
  unobserve(): void {}
  disconnect(): void {}
}

let calls: Call[];
let user: UserEvent;
beforeEach(() => {
  calls = [];
  user = userEvent.setup({ delay: null });
});
function answer(call: Call): object | undefined {
  calls.push(call);
  if (call.path === '/v1/traces') return { traces: [row('vr_a', 'a•••@acme.example')], cursor: null };
  if (call.path === '/v1/traces/search') return { traces: [row('vr_b', 'b•••@acme.example')], cursor: null };
  if (call.path === `/v1/traces/${TRACE.trace_id}`) return { trace: TRACE };
  if (call.path === '/v1/usage/series') return SERIES;
  if (call.path === '/v1/screenings') return { screenings: SCREENED.map(screeningOf), cursor: null };
  if (call.path.startsWith('/v1/screenings/')) return { screening: screeningOf(call.path.slice(-30)) };
  return undefined;
}

/** Where the router keeps the entry's place in the history. */
const ROUTERS_PLACE = '__TSR_index';

describe('the log', () => {
  it('finds the judgements of an address, which is in no URL and no store', async () => {
    await openPage('log', 'admin', answer);
    await screen.findByText('a•••@acme.example');
    await user.type(screen.getByRole('textbox', { name: 'Search' }), 'bob@acme.example{Enter}');
    await screen.findByText('b•••@acme.example');
    expect(calls.find(({ path }) => path === '/v1/traces/search')).toMatchObject({
      method: 'POST',
      body: { email: 'bob@acme.example', scope: 'owner' },
    });
    for (const kept of [window.location.href, ...Object.values(localStorage), ...Object.values(sessionStorage)])
      expect(kept).not.toContain('bob');
    await user.click(screen.getByRole('button', { name: 'Clear search' }));
    await screen.findByText('a•••@acme.example');
  });

  it.each([
    ['of decide', 'decide', { policy_decision: { decision: 'deny', rule_id: 'slip' } }, 'DenyRule slip'],
    ['of a file', 'bulk', { bulk_decision: { decision: 'review', rule_id: 'default' } }, 'ReviewDefault'],
    ['of a file without a policy', 'bulk', { bulk_decision: null }, 'No policyNo policy appliedDisposable domain'],
  ])('shows in a search the decision %s', async (_, kind, told, shown) => {
    const found = { ...row('dc_b', 'b•••@acme.example'), kind, reason: 'disposable_domain', ...told };
    await openPage('log', 'admin', (call) =>
      call.path === '/v1/traces/search' ? { traces: [found], cursor: null } : answer(call),
    );
    await user.type(await screen.findByRole('textbox', { name: 'Search' }), 'b@acme.example{Enter}');
    const link = await screen.findByRole('link', { name: 'b•••@acme.example' });
    const cells = within(link.closest('tr') as HTMLElement).getAllByRole('cell');
    expect(cells[4]?.textContent).toBe(shown);
  });

  it('asks about no text that is not an address, and says so in its own words', async () => {
    await openPage('log', 'admin', answer);
    const box = await screen.findByRole('textbox', { name: 'Search' });
    await user.type(box, 'anna{Enter}');
    await screen.findByText('Type an address, a domain like example.com, or a trace id.');
    expect(calls.map(({ path }) => path)).not.toContain('/v1/traces/search');
  });

  it('opens what is looked for by its id', async () => {
    await openPage('log', 'admin', answer);
    const box = await screen.findByRole('textbox', { name: 'Search' });
    await user.type(box, `${TRACE.trace_id}{Enter}`);
    await screen.findByText('Outcome');
    expect(window.location.search).toContain(TRACE.trace_id);
    expect(calls.map(({ path }) => path)).not.toContain('/v1/traces/search');
  });

  it('reports an outcome once one is chosen', async () => {
    await openPage(`log?trace=${TRACE.trace_id}`, 'member', (call) =>
      call.path === '/v1/outcome' ? (calls.push(call), { id: 'oc_1' }) : answer(call),
    );
    const report = await screen.findByRole<HTMLButtonElement>('button', { name: 'Report' });
    expect(report.disabled).toBe(true);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Report outcome' }), 'Hard bounce');
    await user.click(report);
    await waitFor(() =>
      expect(calls.find(({ path }) => path === '/v1/outcome')?.body).toEqual({
        trace_id: TRACE.trace_id,
        outcome: 'hard_bounce',
      }),
    );
  });

  it('puts the domain of a judgement on a list, where it is no provider of free mailboxes', async () => {
    const trace = { ...TRACE };
    const page = (call: Call) => {
      if (call.path === '/v1/domains/allowlist') return { added: 1, moved: 0, unchanged: 0, rejected: [], total: 1 };
      return call.path === `/v1/traces/${TRACE.trace_id}` ? { trace } : undefined;
    };
    await openPage(`log?trace=${TRACE.trace_id}`, 'member', (call) => page(call) ?? answer(call));
    await user.click(await screen.findByRole('button', { name: 'Allow domain' }));
    await screen.findByText('Added to your allow list.');
    cleanup();
    trace.email_type = 'free';
    await openPage(`log?trace=${TRACE.trace_id}`, 'member', (call) => page(call) ?? answer(call));
    await screen.findByText('Outcome');
    expect(screen.queryByRole('button', { name: 'Allow domain' })).toBeNull();
  });

  it('keeps what was done to the domain of one record away from the next', async () => {
    const records = ['a', 'b'].map((letter) => ({
      ...TRACE,
      ...row(`vr_${letter}`, `${letter}•••@${letter}.example`),
      domain: `${letter}.example`,
    }));
    await openPage('log', 'member', (call) => {
      if (call.path === '/v1/domains/blocklist') return { added: 1, moved: 0, unchanged: 0, rejected: [], total: 1 };
      if (call.path === '/v1/traces') return { traces: records, cursor: null };
      const trace = records.find(({ trace_id: id }) => call.path === `/v1/traces/${id}`);
      return trace === undefined ? answer(call) : { trace };
    });
    const open = async (letter: string) => {
      await user.click(await screen.findByRole('link', { name: new RegExp(`${letter}•••@`) }));
      await screen.findByText(`A rule on ${letter}.example goes before every policy, for all of its addresses.`);
    };
    // Both are read once: the second time nothing is waited for.
    await open('b');
    await open('a');
    await user.click(screen.getByRole('button', { name: 'Block domain' }));
    await screen.findByText('Added to your block list.');
    await open('b');
    screen.getByRole('button', { name: 'Block domain' });
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    expect(screen.queryByText('Added to your block list.')).toBeNull();
  });

  it.each(['viewer', 'member'] as const)('lets a %s look for no address: the API refuses them', async (role) => {
    await openPage('log', role, answer);
    await screen.findByText('a•••@acme.example');
    expect(screen.queryByRole('textbox', { name: 'Search' })).toBeNull();
  });

  it('takes its filters from the URL, asks by those it knows, and gives each up by itself', async () => {
    await openPage('log?recommendation=drop&domain=acme.example&verdict=wrong&time=7d', 'viewer', answer);
    await screen.findByText('a•••@acme.example');
    const { query } = calls.find(({ path }) => path === '/v1/traces') ?? {};
    expect(Object.fromEntries(query ?? [])).toEqual({
      recommendation: 'drop',
      domain: 'acme.example',
      scope: 'owner',
      limit: '100',
      from: expect.stringMatching(/^\d+$/),
    });
    await user.click(screen.getByRole('button', { name: 'Remove the filter Recommendation' }));
    await waitFor(() => expect(window.location.search).not.toContain('recommendation'));
    expect(window.location.search).toContain('domain=acme.example');
  });

  it('shows what a policy decided and by which rule, and of other rows that no policy was asked and what was found, with the kind apart', async () => {
    const decided = {
      ...row('dc_a', 'd•••@acme.example'),
      kind: 'decide',
      policy_decision: { decision: 'deny', rule_id: 'slip' },
    };
    const left = {
      ...row('dc_b', 'e•••@acme.example'),
      policy_decision: { decision: 'allow', rule_id: 'default' },
      reason: 'domain_allowlisted',
    };
    const plain = { ...row('vr_a', 'a•••@acme.example'), policy_decision: null, reason: 'no_mx' };
    await openPage('log', 'viewer', (call) =>
      call.path === '/v1/traces' ? { traces: [decided, left, plain], cursor: null } : answer(call),
    );
    const cellsOf = (link: HTMLElement) => within(link.closest('tr') as HTMLElement).getAllByRole('cell');
    const [, , , , ofDecided] = cellsOf(await screen.findByRole('link', { name: 'd•••@acme.example' }));
    const [, , , , ofPlain] = cellsOf(screen.getByRole('link', { name: 'a•••@acme.example' }));
    const [, , , , ofLeft] = cellsOf(screen.getByRole('link', { name: 'e•••@acme.example' }));
    expect([ofDecided, ofLeft, ofPlain].map((cell) => cell?.textContent)).toEqual([
      'DenyRule slip',
      'AllowDefault',
      'No policyNo policy appliedNo mail hosts',
    ]);
    const kinds = ['d', 'a'].map((name) => cellsOf(screen.getByRole('link', { name: `${name}•••@acme.example` }))[5]);
    expect(kinds.map((cell) => cell?.textContent)).toEqual(['Decide', 'Verify']);
  });

  it('says which part of its address it does not follow, and what a filter by decision lists', async () => {
    await openPage('log?policy=default&verdict=wrong&toString=x&decision=deny', 'viewer', answer);
    await screen.findByText(
      /^The page’s address also asks for Policy: default, Verdict: wrong, and ToString: x\. No filter/,
    );
    screen.getByText('Every row that a policy decided so: calls of decide, and rows of lists.');
    cleanup();
    await openPage('log?verdict=risky', 'viewer', answer);
    await screen.findByText('a•••@acme.example');
    expect(screen.queryByText(/also asks for/)).toBeNull();
    expect(screen.queryByText(/^Every row that/)).toBeNull();
  });

  it('lists the day before, in UTC', async () => {
    await openPage('log?time=yesterday', 'viewer', answer);
    await screen.findByText('a•••@acme.example');
    const { query } = calls.find(({ path }) => path === '/v1/traces') ?? {};
    const [from, to] = ['from', 'to'].map((name) => Number(query?.get(name)));
    expect([from, to]).toEqual([(to ?? 0) - DAY_S, Math.floor(Date.now() / 1000 / DAY_S) * DAY_S]);
  });

  it('reads on the same day past midnight', async () => {
    await openPage('log?time=yesterday', 'viewer', (call) => {
      const found = answer(call);
      return call.path === '/v1/traces' ? { ...found, cursor: call.query.has('cursor') ? null : 'next' } : found;
    });
    const more = await screen.findByRole('button', { name: 'Show more' });
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + DAY_S * 1000);
    const pages = () => calls.filter(({ path }) => path === '/v1/traces').map(({ query }) => query);
    await user.click(more);
    await waitFor(() => expect(pages().length).toBeGreaterThan(1));
    clock.mockRestore();
    expect(pages()[1]?.get('cursor')).toBe('next');
    expect(pages()[1]?.get('from')).toBe(pages()[0]?.get('from'));
  });

  it('counts in its chart what fits the filters, and shows none where one is set that it can’t follow', async () => {
    vi.stubGlobal('ResizeObserver', WideObserver);
    await openPage('log?domain=acme.example&esp=self_hosted', 'viewer', answer);
    await screen.findByText('No chart by mail host type and domain. Remove these filters to see it.');
    expect(calls.some(({ path }) => path === '/v1/usage/series')).toBe(false);
    cleanup();
    await openPage('log?decision=deny&key_id=key_1&time=7d', 'viewer', answer);
    await screen.findByText(
      /^Matching verifications, Sep 21 to Oct 20 \(UTC\)\. The list below shows another period\./,
    );
    const { query } = calls.find(({ path }) => path === '/v1/usage/series') ?? {};
    expect(Object.fromEntries(query ?? [])).toEqual({ by: 'recommendation', decision: 'deny', key_id: 'key_1' });
  });

  it('shows what moved the number, which adds up to it, and who was asked at what expected cost', async () => {
    await openPage(`log?trace=${TRACE.trace_id}`, 'viewer', answer);
    const moved = within(await screen.findByRole('table', { name: 'What moved the risk' }));
    const lines = moved.getAllByRole('row').map((each) => each.textContent?.replaceAll('\u00a0', ' '));
    expect(lines.slice(1, 4)).toEqual([
      expect.stringMatching(/^Start: new address at Google Workspace.*8%$/),
      expect.stringMatching(/^Used for a signup÷ 1.75%$/),
      expect.stringMatching(/^Bouncer says “undeliverable”× 8.531%$/),
    ]);
    const asked = within(screen.getByRole('region', { name: 'Provider lookups' }));
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

  it('explains a recommendation by the losses of then alone', async () => {
    const losses = { bounce: 0.4, contact_lost: 0.1, held_good: 0.03, held_bad: 0.03 };
    const dropped = { ...TRACE, recommendation: 'drop', reasons: ['disposable_domain'] };
    const open = (features: object | null) =>
      openPage(`log?trace=${TRACE.trace_id}`, 'viewer', (call) => {
        if (call.path === '/v1/losses') return { losses: { signup: losses } };
        return call.path === `/v1/traces/${TRACE.trace_id}` ? { trace: { ...dropped, features } } : answer(call);
      });
    const WHY = 'Disposable addresses are offered at this domain. That always means drop.';
    await open(null);
    await screen.findByRole('img', { name: /; drop above/ });
    expect(screen.queryByText(WHY)).toBeNull();
    cleanup();
    await open({ ...TRACE.features, losses });
    await screen.findByText(WHY);
  });

  it('opens a screening from its row, leads to the next by J, and gives the focus back to the row', async () => {
    await openPage('log?view=screenings', 'viewer', answer);
    await user.click(await screen.findByRole('link', { name: '1•••@gmial.com' }));
    const why = within(await screen.findByRole('region', { name: 'Why' }));
    why.getByText('Did you mean 1•••@gmail.com.');
    const drawer = screen.getByRole('dialog', { name: 'Screening' });
    for (const text of ['No match', 'Typo', 'The model failed', '431 ms']) within(drawer).getByText(text);
    expect(new URLSearchParams(window.location.search).get('trace')).toBe(SCREENED[0]);
    await user.keyboard('j');
    await screen.findByText('Did you mean 2•••@gmail.com.');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('2•••@gmial.com'));
    expect(calls.some(({ path }) => path.startsWith('/v1/traces'))).toBe(false);
  });

  it('closes the records that were opened on one way, so that Back opens none of them again', async () => {
    await openPage('log?view=screenings', 'viewer', answer);
    const place = () => Number(window.history.state[ROUTERS_PLACE]);
    const shown = () => new URLSearchParams(window.location.search).get('trace');
    await user.click(await screen.findByRole('link', { name: '1•••@gmial.com' }));
    await waitFor(() => expect(shown()).toBe(SCREENED[0]));
    const list = place() - 1;
    await screen.findByText('Did you mean 1•••@gmail.com.');
    await user.keyboard('j');
    await screen.findByText('Did you mean 2•••@gmail.com.');
    await user.click(screen.getByRole('link', { name: '1•••@gmial.com' }));
    await screen.findByText('Did you mean 1•••@gmail.com.');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(shown()).toBeNull());
    expect(place()).toBe(list);
  });

  it('closes a record that its page began with in its place', async () => {
    await openPage(`log?view=screenings&trace=${SCREENED[0]}`, 'viewer', answer);
    await screen.findByText('Did you mean 1•••@gmail.com.');
    const { length } = window.history;
    await user.keyboard('{Escape}');
    await waitFor(() => expect(window.location.search).toBe('?view=screenings'));
    expect(window.history.length).toBe(length);
  });
});
