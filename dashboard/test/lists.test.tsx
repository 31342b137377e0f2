import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Call, openPage, refused } from './open-page.tsx';

const JOB = {
  id: 'bj_a',
  state: 'done',
  name: 'people.csv',
  purpose: 'list_hygiene',
  policy_slug: null,
  has_header: true,
  email_column: 1,
  email_column_other: null,
  columns: ['id', 'email'],
  rows: 305,
  unique: 304,
  invalid: 1,
  progress: { chunks_done: 4, chunks_total: 4, rows_done: 305 },
  counts: { risky: 304 },
  providers_asked: 0,
  providers_not_asked: { settled: 200, budget_spent: 104 },
  breakdown: {
    basis: { local: 204, rule: 100 },
    warning: {},
    verdict: { risky: 304 },
    recommendation: { hold: 304 },
    email_type: { business: 304 },
    reason: { disposable_domain: 1 },
    host_family: { google: 304 },
    decision: null,
    domains: [],
    slips: 0,
    unresolved: 0,
    duplicates: 0,
  },
  error: null,
  allow_partial: false,
  notify: false,
  created_at: 1_790_000_000,
  started_at: 1_790_000_000,
  finished_at: 1_790_000_100,
  expires_at: 1_790_600_000,
  files_deleted_at: null,
};

const PREVIEW = {
  columns: ['id', 'email'],
  rows: [
    { cells: ['1', 'a@acme.example'], result: null },
    { cells: ['2', 'b@acme.example', 'one too many'], result: null },
  ],
};

const DECIDED = {
  columns: ['id', 'email'],
  rows: [
    {
      cells: ['1', 'a@acme.example'],
      result: {
        status: 'ok',
        verdict: 'risky',
        bounce_probability: 0.2,
        recommendation: 'hold',
        reason: 'disposable_domain',
        email_type: 'disposable',
        decision: 'deny',
        rule_id: 'throwaway',
        did_you_mean: 'a@acme.test',
        trace_id: 'vr_1',
      },
    },
  ],
};

let calls: Call[];
let user: UserEvent;
beforeEach(() => {
  calls = [];
  user = userEvent.setup({ delay: null });
});
/** In place of a state: no answer comes. */
const AWAY = 'away';

const openJob = (change: Partial<Record<keyof typeof JOB, unknown>>, preview: object = PREVIEW) =>
  openPage('lists/bj_a', 'member', (call) => {
    calls.push(call);
    if (call.path === '/v1/bulk/jobs/bj_a')
      return change.state === AWAY ? refused(422, 'Away.') : { job: { ...JOB, ...change } };
    if (call.path === '/v1/bulk/jobs/bj_a/preview') return preview;
    if (call.path === '/v1/bulk/jobs/bj_a/block') return { added: 9, moved: 0, unchanged: 0, domain_blocked: 0 };
    if (call.path === '/v1/losses')
      return { losses: { list_hygiene: { bounce: 0.4, contact_lost: 0.1, held_good: 0.03, held_bad: 0.03 } } };
    return undefined;
  });
const plain = () => document.body.textContent?.replaceAll('\u00a0', ' ') ?? '';

describe('a list that has ended', () => {
  it('says by which limits its rows are sent to or held, why no provider was asked, and what to do', async () => {
    await openJob({});
    await screen.findByText(/^Under your losses of today, an address is sent to where its number is below/);
    expect(plain()).toContain('below 8 %, and dropped above 70 % where enough is known of it.');
    screen.getByText('No provider was asked');
    expect(plain()).toContain(
      'The provider budget of the month is spent. Ask the people who run this service for a larger one',
    );
    expect(plain()).toContain('The reason for 104 addresses: The provider budget');
    expect(plain()).not.toContain('what a provider could settle stays in doubt');
    expect(plain()).toContain('First reason of 1 address that has one');
    screen.getByText('An address with several reasons counts under its first one alone.');
    await screen.findByText(/^1 of these rows has more cells than the first line/);
  });

  it('tells addresses that nobody checked from those that a provider answered for, and names its warnings', async () => {
    await openJob({
      providers_asked: 200,
      breakdown: { ...JOB.breakdown, basis: { provider: 200, local: 104 }, warning: { spam_trap: 3 } },
    });
    await screen.findAllByText('What the answers rest on');
    expect(plain()).toMatch(/Not checked by a provider\D{0,3}104/);
    expect(plain()).toMatch(/Checked: a provider answered\D{0,3}200/);
    expect(plain()).toContain('Warnings of providers of 3 addresses that have one');
    expect(plain()).toMatch(/Spam trap\D{0,3}3/);
  });

  it('says that something stays in doubt where the reason is that of most', async () => {
    await openJob({ providers_not_asked: { known: 100, unavailable: 204 } });
    await screen.findByText('No provider was asked');
    expect(plain()).toContain('The reason for 204 addresses: Every provider has failed too often of late.');
    expect(plain()).toContain('what a provider could settle stays in doubt');
  });

  it.each([{ known: 304 }, { unavailable: 304 }])('only, says that no provider was asked: %j', async (why) => {
    await openJob({ state: 'running', providers_not_asked: why });
    await screen.findByText(/^Under your losses of today/);
    expect(plain()).not.toContain('No provider was asked');
  });

  it('with a policy shows what it decided, and counts the rows behind each button so', async () => {
    const decision = { allow: 200, allow_with_flow: 50, challenge: 30, deny: 24 };
    await openJob({ policy_slug: 'default', breakdown: { ...JOB.breakdown, decision } });
    await screen.findByText(/The file names the decision of each row \(svc_decision\)\./);
    expect(screen.queryByRole('columnheader', { name: 'Decision' })).not.toBeNull();
    for (const name of [
      'All 305 rows',
      'Allow, 250 addresses',
      'Review, 30 addresses',
      'Deny, 24 addresses',
      'Business, 304 addresses',
    ])
      expect(screen.queryByRole('link', { name })).not.toBeNull();
    expect(screen.queryByRole('button', { name: 'Block “Deny”, 24 addresses' })).not.toBeNull();
  });

  it('with a policy says how many it blocks at most where some addresses of the file are of a wrong form', async () => {
    const reason = { syntax_invalid: 4 };
    await openJob({ policy_slug: 'default', breakdown: { ...JOB.breakdown, reason, decision: { deny: 24 } } });
    await user.click(await screen.findByRole('button', { name: 'Block “Deny”, up to 24 addresses' }));
    await screen.findByText(/^Up to 24 addresses are answered “drop” from the next request on: all but those/);
    expect(screen.queryByRole('link', { name: 'Deny, 24 addresses' })).not.toBeNull();
  });

  it('offers no segment without an address to block, and leads to the block list after blocking', async () => {
    await openJob({
      breakdown: { ...JOB.breakdown, reason: { syntax_invalid: 4 }, recommendation: { hold: 9, drop: 4 } },
    });
    await user.click(await screen.findByRole('button', { name: 'Block “Review”, 9 addresses' }));
    expect(screen.queryByRole('button', { name: /^Block “Undeliverable”/ })).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Block it' }));
    const link = await screen.findByRole('link', { name: 'your block list' });
    expect(link.getAttribute('href')).toMatch(/\/rules\?of=addresses$/);
  });

  it('with a policy shows in its first rows what it decided, by which rule, and the correction of a typo', async () => {
    await openJob({ policy_slug: 'default' }, DECIDED);
    const table = within(await screen.findByRole('table', { name: 'The first rows' }));
    expect(table.queryByRole('columnheader', { name: 'Decision' })).not.toBeNull();
    expect(table.queryByText('Deny')).not.toBeNull();
    expect(table.queryByText('Hold')).toBeNull();
    table.getByText('Rule throwaway');
    table.getByText('Did you mean a@acme.test?');
  });
});

describe('a new list', () => {
  it('is made for the purpose that is chosen', async () => {
    await openPage('lists', 'member', (call) => {
      calls.push(call);
      if (call.path === '/v1/policies') return { policies: [], cursor: null };
      if (call.path !== '/v1/bulk/jobs') return undefined;
      return call.method === 'GET' ? { jobs: [], cursor: null } : { job: JOB };
    });
    await user.click(await screen.findByRole('combobox', { name: 'Purpose' }));
    await user.click(await screen.findByRole('option', { name: 'Outbound' }));
    await screen.findByText(/^You are about to write to them\./);
    await user.click(screen.getByRole('tab', { name: 'Paste' }));
    await user.type(await screen.findByRole('textbox', { name: 'Addresses' }), 'a@acme.example');
    await user.click(screen.getByRole('button', { name: 'Go on with 1 address' }));
    await waitFor(() => expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ purpose: 'outbound' }));
  });
});

describe('a list before its start', () => {
  const ESTIMATE = {
    verifications: 300,
    cached: 20,
    cached_estimated: false,
    quota_remaining: null,
    fits: true,
    expected_cost_usd: 1,
    max_cost_usd: 2,
  };
  const NOBODY = { terminal: 0, rule: 0, recent: 0, catch_all: 0, budget: 0, no_provider: 0 };
  const openEstimate = (notAsked: object) => {
    const job = { ...JOB, state: 'ready', breakdown: null, progress: null };
    return openPage('lists/bj_a', 'member', ({ path }) => {
      if (path === '/v1/bulk/jobs/bj_a') return { job };
      if (path === '/v1/bulk/jobs/bj_a/preview') return PREVIEW;
      return path.endsWith('/estimate') ? { ...ESTIMATE, not_asked: notAsked } : undefined;
    });
  };

  it('says about how many addresses no provider will be asked, and why', async () => {
    await openEstimate({ ...NOBODY, terminal: 30, recent: 20 });
    await screen.findByText('Providers are asked about all addresses but these');
    expect(plain()).toContain('30: A finding ends them');
    expect(plain()).toContain('20: An answer or a report of the last 30 days says enough.');
    expect(plain()).not.toContain('0: A rule');
  });

  it('warns where no provider is set up, and says nothing where all are asked about', async () => {
    await openEstimate({ ...NOBODY, no_provider: 300 });
    await screen.findByText('No provider is asked');
    expect(plain()).toContain('what a provider could settle stays in doubt');
    cleanup();
    await openEstimate(NOBODY);
    await screen.findByText('Before it starts');
    await screen.findByText('Providers, at most');
    expect(plain()).not.toContain('No provider is asked');
    expect(plain()).not.toContain('all addresses but these');
  });
});

describe('a file without a column of addresses', () => {
  it('offers its columns and its deletion, and asks for no estimate', async () => {
    await openJob({ state: 'ready', email_column: null, columns: ['id'], breakdown: null, progress: null });
    await screen.findByText('No column with addresses was found');
    screen.getByRole('button', { name: 'More actions' });
    screen.getByText('The column with the addresses is not known.');
    expect(calls.some(({ path }) => path.endsWith('/estimate'))).toBe(false);
    await user.click(screen.getByRole('combobox', { name: 'Column with the addresses' }));
    await user.click(await screen.findByRole('option', { name: 'id' }));
    await waitFor(() => expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ email_column: 0 }));
  });
});

describe('what a list loses for good', () => {
  it.each([
    ['done', 'Delete its files…', 'Delete the files', 'all results are deleted now', 'DELETE /v1/bulk/jobs/bj_a'],
    ['running', 'Cancel the list…', 'Cancel it', 'No further row is checked', 'POST /v1/bulk/jobs/bj_a/cancel'],
  ])('is asked about before it is done: %s', async (state, item, action, loss, call) => {
    await openJob({ state });
    const sent = () => calls.map(({ method, path }) => `${method} ${path}`).filter((each) => !each.startsWith('GET'));
    await user.click(await screen.findByRole('button', { name: 'More actions' }));
    await user.click(await screen.findByRole('menuitem', { name: item }));
    await screen.findByRole('button', { name: action });
    expect(plain()).toContain(loss);
    expect(sent()).toEqual([]);
    await user.click(screen.getByRole('button', { name: action }));
    await waitFor(() => expect(sent()).toEqual([call]));
  });

  it('is sent at once without a network, so that it fails at once and is not done later', async () => {
    await openJob({});
    const { onlineManager } = await import('@tanstack/react-query');
    await user.click(await screen.findByRole('button', { name: 'More actions' }));
    onlineManager.setOnline(false);
    try {
      await user.click(await screen.findByRole('menuitem', { name: 'Delete its files…' }));
      await user.click(await screen.findByRole('button', { name: 'Delete the files' }));
      await waitFor(() => expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1));
    } finally {
      onlineManager.setOnline(true);
    }
  });
});

describe('a file with two columns of addresses', () => {
  it('asks which column to use', async () => {
    const columns = ['work', 'home'];
    await openJob({ state: 'ready', email_column: 0, email_column_other: 1, columns, breakdown: null, progress: null });
    await screen.findByText('Two columns hold addresses: which one?');
    screen.getByRole('button', { name: 'work' });
    await user.click(screen.getByRole('button', { name: 'home' }));
    await waitFor(() => expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ email_column: 1 }));
  });
});

describe('a list at work', () => {
  it('says that rows wait for another try once its count stands still', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      const progress = { chunks_done: 0, chunks_total: 1, rows_done: 4 };
      const change = { state: 'queued', breakdown: null, progress };
      await openJob(change);
      await screen.findByText(/^4 of 305 rows/);
      await vi.advanceTimersByTimeAsync(25_000);
      change.state = 'running';
      await screen.findByText(/^The rows done so far hold no address\./);
      expect(screen.queryByText(/do not answer/)).toBeNull();
      change.state = AWAY;
      await vi.advanceTimersByTimeAsync(25_000);
      expect(screen.queryByText(/do not answer/)).toBeNull();
      change.state = 'running';
      await screen.findByText(/^Some domains or providers do not answer\. Their rows are tried again/);
    } finally {
      vi.useRealTimers();
    }
  });
});
