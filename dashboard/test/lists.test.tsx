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

const openJob = (change: Partial<Record<keyof typeof JOB, unknown>>, preview: object = PREVIEW, estimate?: object) =>
  openPage('lists/bj_a', 'member', (call) => {
    calls.push(call);
    if (call.path === '/v1/bulk/jobs/bj_a')
      return change.state === AWAY ? refused(422, 'Away.') : { job: { ...JOB, ...change } };
    if (call.path === '/v1/bulk/jobs/bj_a/preview') return preview;
    if (call.path === '/v1/bulk/jobs/bj_a/estimate') return estimate;
    if (call.path === '/v1/bulk/jobs/bj_a/again') return { job: { ...JOB, id: 'bj_b', state: 'ready' } };
    if (call.path === '/v1/bulk/jobs/bj_a/block') return { added: 9, moved: 0, unchanged: 0, domain_blocked: 0 };
    if (call.path === '/v1/losses')
      return { losses: { list_hygiene: { bounce: 0.4, contact_lost: 0.1, held_good: 0.03, held_bad: 0.03 } } };
    return undefined;
  });
const plain = () => document.body.textContent?.replaceAll('\u00a0', ' ') ?? '';

const LOCAL = { basis: { local: 104, provider: 200 }, recommendation: { send: 200, hold: 90, drop: 14 } };

describe('a list that has ended', () => {
  it('has three parts, each with its file, and says where they are divided', async () => {
    await openJob({ breakdown: { ...JOB.breakdown, ...LOCAL } });
    const link = await screen.findByRole('link', { name: 'Download Review, 90 addresses' });
    expect(link.getAttribute('href')).toMatch(/results\.csv\?segment=review$/);
    screen.getByRole('link', { name: 'Download Deliverable, 200 addresses' });
    screen.getByRole('link', { name: 'Download all' });
    await screen.findByText(/^Send below 8% bounce risk, drop above 70%, by your costs of mistakes for list hygiene\./);
  });

  it('says how many nobody checked, why, what checking costs, and checks them', async () => {
    await openJob({ breakdown: { ...JOB.breakdown, ...LOCAL } }, PREVIEW, { max_cost_usd: 1.04 });
    await screen.findByText(/provider budget is spent\. Checking the list again costs at most \$1\.04\.$/);
    await user.click(screen.getByRole('button', { name: 'Check again' }));
    await waitFor(() => expect(calls.some(({ path }) => path === '/v1/bulk/jobs/bj_a/again')).toBe(true));
  });

  it('offers no check where it would ask nobody', async () => {
    await openJob({ providers_not_asked: { no_provider: 304 } });
    await screen.findByText(/no provider is connected\. Ask your operator to connect one\.$/);
    expect(screen.queryByRole('button', { name: 'Check again' })).toBeNull();
  });

  it('folds what the addresses are, and tells checked ones from others', async () => {
    await openJob({ breakdown: { ...JOB.breakdown, ...LOCAL, warning: { spam_trap: 3 } } });
    await user.click(await screen.findByRole('button', { name: 'Breakdown' }));
    const basis = within(await screen.findByRole('table', { name: 'Basis' }));
    basis.getByRole('row', { name: /^Not checked 104/ });
    basis.getByRole('row', { name: /^Checked by a provider 200/ });
    screen.getByRole('row', { name: /^Spam trap 3/ });
    await user.click(screen.getByRole('button', { name: 'First rows' }));
    expect(await screen.findByText(/^1 of these rows has more cells than the first line/)).toBeDefined();
  });

  it('with a policy is divided by its decisions', async () => {
    const decision = { allow: 200, allow_with_flow: 50, challenge: 30, deny: 24 };
    await openJob({ policy_slug: 'default', breakdown: { ...JOB.breakdown, decision } }, DECIDED);
    for (const name of ['Allow, 250 addresses', 'Review, 30 addresses', 'Deny, 24 addresses'])
      await screen.findByRole('link', { name: `Download ${name}` });
    await user.click(screen.getByRole('button', { name: 'First rows' }));
    const table = within(await screen.findByRole('table', { name: 'First rows' }));
    table.getByText('Rule throwaway');
    table.getByText('Did you mean a@acme.test?');
    expect(table.queryByText('Hold')).toBeNull();
  });

  it('blocks a part after a question, without what has a broken syntax, and leads to the block list', async () => {
    await openJob({
      breakdown: { ...JOB.breakdown, reason: { syntax_invalid: 4 }, recommendation: { hold: 9, drop: 4 } },
    });
    await user.click(await screen.findByRole('button', { name: 'Block review (9)' }));
    expect(screen.queryByRole('button', { name: /^Block undeliverable/ })).toBeNull();
    await screen.findByText('Block 9 addresses?');
    await user.click(screen.getByRole('button', { name: 'Block' }));
    const link = await screen.findByRole('link', { name: 'See them in your block list' });
    expect(link.getAttribute('href')).toMatch(/\/rules\?of=addresses&q=people/);
  });
});

describe('a new list', () => {
  const openLists = (jobs: readonly object[] = []) =>
    openPage('lists', 'member', (call) => {
      calls.push(call);
      if (call.path === '/v1/policies') return { policies: [], cursor: null };
      if (call.path === '/v1/bulk/jobs' && call.method === 'GET') return { jobs, cursor: null };
      if (call.path === '/v1/bulk/jobs') return { job: { ...JOB, state: 'uploading', ...Object(call.body) } };
      return undefined;
    });

  it('is made for the purpose that is chosen', async () => {
    await openLists();
    await user.click(await screen.findByRole('tab', { name: 'Paste' }));
    await user.type(await screen.findByRole('textbox', { name: 'Addresses' }), 'a@acme.example');
    await user.click(screen.getByRole('combobox', { name: 'Purpose' }));
    await user.click(await screen.findByRole('option', { name: 'Outbound' }));
    await user.click(screen.getByRole('button', { name: 'Continue with 1 address' }));
    await waitFor(() => expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ purpose: 'outbound' }));
  });

  it('is behind a button once there are others, which come first with their shares', async () => {
    await openLists([{ ...JOB, breakdown: { ...JOB.breakdown, ...LOCAL } }]);
    // Once in its column, once below the name for a phone.
    expect(await screen.findAllByText('66% deliverable · 30% review · 5% undeliverable')).toHaveLength(2);
    screen.getByRole('link', { name: 'Download people.csv' });
    expect(screen.queryByRole('tab', { name: 'Paste' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'New list' }));
    await screen.findByRole('tab', { name: 'Paste' });
  });

  it('takes several files, and says why it takes no picture', async () => {
    await openLists();
    await screen.findByText(/^Drop CSV or Excel files here/);
    const field = document.querySelector<HTMLInputElement>('.dropzone input') ?? document.createElement('input');
    await user.upload(field, [new File(['email'], 'one.csv'), new File(['email'], 'two.csv')]);
    await screen.findByRole('button', { name: 'Upload 2 files' });
    await user.click(screen.getByRole('button', { name: 'Remove one.csv' }));
    await screen.findByRole('button', { name: 'Upload 1 file' });
    await userEvent.setup({ applyAccept: false }).upload(field, new File([''], 'cat.png', { type: 'image/png' }));
    expect(await screen.findByText('cat.png isn’t a CSV, text or Excel file.')).toBeDefined();
  });

  it('of a workbook has the displayed cells of the chosen sheet', async () => {
    const { utils, write } = await import('@e965/xlsx');
    const book = utils.book_new();
    const sheet = utils.aoa_to_sheet([
      ['id', 'email'],
      [7, 'a@acme.example'],
    ]);
    Object.assign(sheet['A2'], { z: '00000' });
    utils.book_append_sheet(book, utils.aoa_to_sheet([['notes'], ['one']]), 'Notes');
    utils.book_append_sheet(book, sheet, 'People');
    const { sheetsOf } = await import('../app/screens/lists/spreadsheet.ts');
    const sheets = await sheetsOf(new File([write(book, { type: 'array', bookType: 'xlsx' })], 'all.xlsx'));
    expect(sheets.map(({ name, rows }) => [name, rows])).toEqual([
      ['Notes', 2],
      ['People', 2],
    ]);
    const file = sheets[1]?.toFile();
    expect(file?.name).toBe('all, People.csv');
    expect((await file?.text())?.trim()).toBe('id,email\n00007,a@acme.example');
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
    const said = 'No provider lookup for 30 settled by free checks, 20 known from the last 30 days.';
    expect(await screen.findByText(said)).toBeDefined();
  });

  it('warns where no provider is connected, and says nothing where all are asked about', async () => {
    await openEstimate({ ...NOBODY, no_provider: 300 });
    await screen.findByText('No provider is connected');
    cleanup();
    await openEstimate(NOBODY);
    await screen.findByText('Expected provider cost');
    expect(plain()).not.toMatch(/No provider/);
  });
});

describe('a file without a column of addresses', () => {
  it('offers its columns and its deletion, and asks for no estimate', async () => {
    await openJob({ state: 'ready', email_column: null, columns: ['id'], breakdown: null, progress: null });
    await screen.findByText('No column with addresses found');
    screen.getByRole('button', { name: 'More actions' });
    expect(calls.some(({ path }) => path.endsWith('/estimate'))).toBe(false);
    await user.click(screen.getByRole('combobox', { name: 'Email column' }));
    await user.click(await screen.findByRole('option', { name: 'id' }));
    await waitFor(() => expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ email_column: 0 }));
  });
});

describe('what a list loses for good', () => {
  it.each([
    ['done', 'Delete files…', 'Delete files', 'Deletes the upload and all results now', 'DELETE /v1/bulk/jobs/bj_a'],
    ['running', 'Cancel list…', 'Cancel list', 'No further rows are checked', 'POST /v1/bulk/jobs/bj_a/cancel'],
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
      await user.click(await screen.findByRole('menuitem', { name: 'Delete files…' }));
      await user.click(await screen.findByRole('button', { name: 'Delete files' }));
      await waitFor(() => expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1));
    } finally {
      onlineManager.setOnline(true);
    }
  });
});

describe('a file with two columns of addresses', () => {
  it('asks which one is right', async () => {
    const columns = ['work', 'home'];
    await openJob({ state: 'ready', email_column: 0, email_column_other: 1, columns, breakdown: null, progress: null });
    await screen.findByText('Two columns hold addresses. Which one?');
    screen.getByRole('button', { name: 'work' });
    await user.click(screen.getByRole('button', { name: 'home' }));
    await waitFor(() => expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ email_column: 1 }));
  });
});

describe('a list at work', () => {
  it('says that rows wait for another try once its count stops', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      const progress = { chunks_done: 0, chunks_total: 1, rows_done: 4 };
      const change = { state: 'queued', breakdown: null, progress };
      await openJob(change);
      await screen.findByText(/4 of 305 rows/);
      await vi.advanceTimersByTimeAsync(25_000);
      change.state = 'running';
      await screen.findByText('Nothing checked yet');
      expect(screen.queryByText(/aren’t answering/)).toBeNull();
      change.state = AWAY;
      await vi.advanceTimersByTimeAsync(25_000);
      expect(screen.queryByText(/aren’t answering/)).toBeNull();
      change.state = 'running';
      await screen.findByText(/Some domains or providers aren’t answering\. Their rows are retried/);
    } finally {
      vi.useRealTimers();
    }
  });
});
