import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Role } from '../app/api/session.ts';
import { type Call, openPage } from './open-page.tsx';

const segmentOf = (n: number) => ({
  key: { domain: `d${n}.example` },
  exposures: 50 + n,
  events: 5,
  rate: 0.1,
  ci: [0.05, 0.2],
});
const SEGMENTS = {
  metric: 'subscribed',
  window_days: 30,
  computed_at: 1_790_000_000,
  segments: Array.from({ length: 140 }, (_, n) => segmentOf(n)),
  too_few: [],
  join: { exact: 1, by_email: 0, unmatched: 0 },
};

describe('segments', () => {
  it('are all listed, the worst first', async () => {
    const rate = (n: number) => ({ ...segmentOf(n), rate: (140 - n) / 1_000 });
    const segments = Array.from({ length: 140 }, (_, n) => rate(n));
    await openPage('learning?view=segments', 'viewer', ({ path }) =>
      path === '/v1/segments' ? { ...SEGMENTS, segments } : undefined,
    );
    await screen.findByText('140 shown');
    expect(screen.getAllByRole('row')[1]?.textContent).toContain('d139.example');
  });
});

const countOf = (key: object, exposures: number) => ({ key, exposures, events: 4, rate: 0.03, ci: [0.01, 0.07] });
const recommendationOf = (id: string, segment: object, exposures: number, events = 4) => ({
  id,
  proposed_action: 'review',
  proposed_action_alternatives: ['challenge'],
  rule: { id, when: { path: 'verification.esp', op: 'eq', value: id }, decision: 'review' },
  evidence: { segment, rate: 0.03, baseline: 0.2, probability: 0.99, exposures, events },
  try_as_experiment: { weight: 20, min_sample: 400 },
});
const RECOMMENDED = [
  recommendationOf('host', { esp: 'consumer_esp' }, 200),
  recommendationOf('mailbox', { mailbox_type: 'consumer' }, 210),
  recommendationOf('source', { 'attributes.source': 'ads' }, 200),
  recommendationOf('other-host', { esp: 'self_hosted' }, 200),
  recommendationOf('catch-all', { actor_class: 'role_mailbox' }, 210),
];
const COUNTED = {
  ...SEGMENTS,
  segments: [
    countOf({ esp: 'consumer_esp' }, 400),
    countOf({ mailbox_type: 'consumer' }, 420),
    countOf({ mailbox_type: 'consumer', esp: 'consumer_esp' }, 399),
    countOf({ actor_class: 'role_mailbox' }, 420),
  ],
};
const POLICY = {
  slug: 'default',
  version: 3,
  name: 'Default',
  rules: [{ id: 'invalid', when: { path: 'verification.verdict', op: 'eq', value: 'invalid' }, decision: 'deny' }],
  default: 'allow',
  icp: null,
};

function learned({ path, method, body }: Call): object | undefined {
  if (path === '/v1/policies/default' && method === 'PUT')
    return { policy: { ...POLICY, ...Object(body), version: 4 } };
  const answers: Readonly<Record<string, object>> = {
    '/v1/segments': COUNTED,
    '/v1/recommendations': { metric: 'subscribed', window_days: 90, computed_at: 1, recommendations: RECOMMENDED },
    '/v1/policies': { policies: [POLICY] },
  };
  return answers[path];
}

/** Of the first recommendation. */
async function openAdoption(user: UserEvent) {
  const card = await screen.findByRole('article', { name: 'Mail host type: Consumer mailbox' });
  await user.click(within(card).getByRole('button', { name: 'Add to policy' }));
  return within(await screen.findByRole('dialog'));
}

describe('recommendations', () => {
  it('say which of them have the same addresses, by counts of both or by equal counts', async () => {
    await openPage('learning?view=segments', 'viewer', learned);
    const card = async (name: string) => (await screen.findByRole('article', { name })).textContent ?? '';
    const ALONE = /addresses are also in|Probably the same|Includes/;
    expect(await card('Mail host type: Consumer mailbox')).not.toMatch(ALONE);
    expect(await card('Mailbox: Consumer')).toContain(
      '95% of these addresses are also in “Mail host type: Consumer mailbox”.',
    );
    expect(await card('Source: ads')).toContain('Probably the same addresses as “Mail host type: Consumer mailbox”.');
    // Pairs that nearly no address has are not counted.
    expect((await screen.findAllByRole('article')).at(-1)?.textContent).not.toContain('Mailbox: Consumer');
    // Two hosts share no address, though their counts are equal.
    expect(await card('Mail host type: Self-hosted')).not.toContain('Consumer mailbox');
  });

  it('say of two with mostly the same addresses that the policy decides both already', async () => {
    const rules = [{ id: 'hosts', when: { path: 'verification.esp', op: 'eq', value: 'host' }, decision: 'deny' }];
    await openPage('learning?view=segments', 'viewer', (call) =>
      call.path === '/v1/policies' ? { policies: [{ ...POLICY, rules }] } : learned(call),
    );
    const host = within(await screen.findByRole('article', { name: 'Mail host type: Consumer mailbox' }));
    await host.findByText(/^The policy “default” denies these already, by the rule hosts/);
    const mailbox = within(screen.getByRole('article', { name: 'Mailbox: Consumer' }));
    await mailbox.findByText(/^The policy “default” denies most of these already, by the rule hosts/);
    expect(screen.queryAllByText(/denies (?:most of )?these already/)).toHaveLength(2);
  });

  it('show what was counted before the estimate', async () => {
    await openPage('learning?view=segments', 'viewer', learned);
    const card = within(await screen.findByRole('article', { name: 'Mail host type: Consumer mailbox' }));
    const facts = card.getAllByRole('definition').map((each) => each.textContent?.replaceAll('\u00a0', ' '));
    expect(facts.slice(0, 2)).toEqual(['4 of 200', '3%']);
  });

  it('are adopted after the stricter rules, and lead to the rule and to the experiment', async () => {
    const user = userEvent.setup({ delay: null });
    await openPage('learning?view=segments', 'admin', learned);
    const card = within(await screen.findByRole('article', { name: 'Mail host type: Consumer mailbox' }));
    await user.click(card.getByRole('button', { name: 'Try as experiment' }));
    const dialog = within(await screen.findByRole('dialog'));
    const place = await dialog.findByRole<HTMLInputElement>('combobox', { name: 'Position' });
    expect(place.value).toBe('Last, after invalid');
    await user.click(dialog.getByRole('combobox', { name: 'Decision for these addresses' }));
    await user.click(await screen.findByRole('option', { name: 'Challenge' }));
    expect(place.value).toBe('Last, after invalid');
    await user.click(dialog.getByRole('button', { name: 'Start the experiment' }));
    const links = [
      ['See the rule', 'policy=default&rule=host'],
      ['See the experiments', 'policy=default&view=experiments&metric=subscribed'],
    ] as const;
    for (const [name, search] of links)
      expect((await dialog.findByRole('link', { name })).getAttribute('href')).toContain(`/policy?${search}`);
  });

  it('say where they were followed, and are not offered there again', async () => {
    const rules = [{ ...RECOMMENDED[0]?.rule, experiment: { id: 'x', weight: 20, min_sample: 400 } }];
    await openPage('learning?view=segments', 'admin', (call) =>
      call.path === '/v1/policies' ? { policies: [{ ...POLICY, rules }] } : learned(call),
    );
    const card = within(await screen.findByRole('article', { name: 'Mail host type: Consumer mailbox' }));
    await card.findByText(/^The policy “default” already runs this as a 20% experiment\./);
    expect(card.getByRole('link', { name: 'See the rule' }).getAttribute('href')).toContain('rule=host');
    expect(card.queryByRole('button')).toBeNull();
  });

  it.each([
    ['is for other addresses', { when: { path: 'verification.esp', op: 'eq', value: 'self_hosted' } }],
    ['decides less strictly', { decision: 'allow' }],
  ])('are offered again where their rule %s now', async (_title, change) => {
    const rules = [{ ...RECOMMENDED[0]?.rule, ...change }];
    await openPage('learning?view=segments', 'admin', (call) =>
      call.path === '/v1/policies' ? { policies: [{ ...POLICY, rules }] } : learned(call),
    );
    const card = within(await screen.findByRole('article', { name: 'Mail host type: Consumer mailbox' }));
    await card.findByText(/^The policy “default” has a changed version of this rule\./);
    expect(card.getByRole('button', { name: 'Add to policy' })).toBeTruthy();
  });

  it('say of disposable addresses that the policy denies them', async () => {
    const disposable = {
      ...recommendationOf('disposable-review', { 'signals.disposable': true }, 300),
      rule: { id: 'r', when: { path: 'verification.signals.disposable', op: 'eq', value: true }, decision: 'review' },
    };
    const isType = { path: 'verification.email_type', op: 'eq', value: 'disposable' };
    const guard = { not: { path: 'verification.reason', op: 'in', value: ['no_mx'] } };
    const rules = [{ id: 'disposable', when: { all: [isType, guard] }, decision: 'deny' }];
    await openPage('learning?view=segments', 'viewer', (call) => {
      if (call.path === '/v1/policies') return { policies: [{ ...POLICY, rules }] };
      const answer = learned(call);
      return call.path === '/v1/recommendations' ? { ...answer, recommendations: [disposable] } : answer;
    });
    const card = within(await screen.findByRole('article', { name: 'Disposable: yes' }));
    const said = 'The policy “default” denies these already, by the rule disposable, which may explain the low rate.';
    expect(await card.findByText(said)).toBeTruthy();
  });

  it('are adopted at the position that the dialog shows between its neighbours', async () => {
    const user = userEvent.setup({ delay: null });
    const saved: object[] = [];
    await openPage('learning?view=segments', 'admin', (call) => {
      if (call.method === 'PUT') saved.push(Object(call.body));
      return learned(call);
    });
    const dialog = await openAdoption(user);
    await user.click(await dialog.findByRole('combobox', { name: 'Position' }));
    await user.click(await screen.findByRole('option', { name: 'First, before invalid' }));
    await dialog.findByText('Addresses that get “Review” here skip the stricter rule invalid.');
    await user.click(dialog.getByRole('combobox', { name: 'Position' }));
    await user.click(await screen.findByRole('option', { name: 'Last, after invalid' }));
    await user.click(dialog.getByRole('button', { name: 'Add the rule' }));
    await dialog.findByText(/is live, with the rule at position 2 of 2/);
    expect(saved).toMatchObject([{ rules: [{ id: 'invalid' }, { id: 'host' }] }]);
  });

  it('are adopted after the rule that was chosen, also where the order changed meanwhile', async () => {
    const user = userEvent.setup({ delay: null });
    const saved: object[] = [];
    let rules: object[] = POLICY.rules;
    await openPage('learning?view=segments', 'admin', (call) => {
      if (call.method === 'PUT') saved.push(Object(call.body));
      return call.path === '/v1/policies' ? { policies: [{ ...POLICY, rules }] } : learned(call);
    });
    const dialog = await openAdoption(user);
    await user.click(await dialog.findByRole('combobox', { name: 'Position' }));
    await user.click(await screen.findByRole('option', { name: 'Last, after invalid' }));
    rules = [{ ...POLICY.rules[0], id: 'new' }, ...POLICY.rules];
    const { queryClient } = await import('../app/api/query-client.ts');
    await queryClient.invalidateQueries();
    await waitFor(() =>
      expect(dialog.getByRole<HTMLInputElement>('combobox', { name: 'Position' }).value).toBe('Last, after invalid'),
    );
    await user.click(dialog.getByRole('button', { name: 'Add the rule' }));
    await dialog.findByText(/is live, with the rule at position 3 of 3/);
    expect(saved).toMatchObject([{ rules: [{ id: 'new' }, { id: 'invalid' }, { id: 'host' }] }]);
  });
});

const REPORT = {
  version: 'seed-1',
  state: 'prior',
  computed_at: 1_790_000_000,
  outcomes: 12,
  hard_bounces: 1,
  coverage: null,
  sources: [],
  sends: null,
  bins: [],
  log_loss: { prior: null, fitted: null },
  routing: null,
  unread: [],
};

const open = (report: object, role: Role = 'admin') =>
  openPage('learning', role, ({ path }) => (path === '/v1/calibration' ? report : undefined));

it('a table beside the chart has the log loss of the nights, from the second night on', async () => {
  const night = (at: number, fitted: number | null) => ({
    computed_at: 1_780_000_000 + at * 86_400,
    prior: 0.21,
    fitted,
  });
  const bins = [{ predicted: 0.1, observed: 0.1, ci: [0.05, 0.2], count: 20 }];
  const report = { ...REPORT, state: 'fitted', bins, log_loss: { prior: 0.21, fitted: 0.2 } };
  await open({ ...report, log_loss_nights: [night(0, null), night(1, 0.2)] });
  const figure = (await screen.findByText(/^Log loss by night/)).closest('figure') ?? document.body;
  await userEvent.click(within(figure).getByRole('button', { name: 'Show table' }));
  const [, first, second] = within(figure).getAllByRole('row');
  expect(first?.textContent).toMatch(/0\.210–$/);
  expect(second?.textContent).toMatch(/0\.2100\.200$/);
  cleanup();
  await open({ ...report, log_loss_nights: [night(0, 0.2)] });
  await screen.findByText('Log loss 0.200 with your outcomes, 0.210 without them. Lower is better.');
});

describe('what to do first', () => {
  it('leads to the connections, and says what has come in', async () => {
    await open(REPORT);
    const link = await screen.findByRole('link', { name: 'Connect a mail service' });
    expect(link.getAttribute('href')).toMatch(/\/connections$/);
    screen.getByText(/So far: 12 usable outcomes, 1 hard bounce\./);
    screen.getByText(/^No provider was asked in the last weeks/);
  });

  it('asks no one for what their role may not do', async () => {
    await open(REPORT, 'viewer');
    await screen.findByText('Report what happens to your mail');
    expect(screen.queryByRole('link', { name: 'Connect a mail service' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'the log' })).toBeNull();
  });

  it('is gone once outcomes move the numbers', async () => {
    await open({ ...REPORT, state: 'fitted' });
    await screen.findByText('No outcomes reported yet.');
    expect(screen.queryByText('Report what happens to your mail')).toBeNull();
  });
});

it('bounces that say nothing certain are counted, by what their reports had', async () => {
  const unread = [
    { host_family: 'google', code: '550', enhanced: '5.7.1', count: 3 },
    { host_family: 'unknown', code: null, enhanced: null, count: 1 },
  ];
  await open({ ...REPORT, unread });
  await screen.findByText(/^4 bounces say nothing certain about the mailbox/);
  expect(screen.getByRole('row', { name: 'Google 550 5.7.1 3 75%' })).toBeDefined();
});
