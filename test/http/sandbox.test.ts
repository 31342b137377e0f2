import { describe, expect, it } from 'vitest';
import { Verification } from '../../src/contract/verification.ts';
import { SANDBOX, type SandboxCase } from '../../src/domain/answer/sandbox.ts';
import { startService } from '../support/service.ts';

const service = await startService({ KICKBOX_API_KEY: 'never asked', KICKBOX_BASE_URL: 'http://127.0.0.1:9' });
const mine = await service.createOrganisation();

const verify = (email: string, key = mine.keys.test, context: object = {}) =>
  service.call('POST', '/v1/verify', key, { email, context });

type Row = [name: string, expected: Partial<Verification>];
const ROWS: Row[] = [
  ['deliverable', { verdict: 'valid', recommendation: 'send', reasons: [] }],
  ['undeliverable', { verdict: 'invalid', recommendation: 'drop' }],
  ['catch-all', { signals: expect.objectContaining({ catch_all: true }) }],
  ['risky', { providers: expect.objectContaining({ zerobounce: expect.objectContaining({ reason: 'low_quality' }) }) }],
  ['unknown', { providers: expect.objectContaining({ zerobounce: expect.objectContaining({ verdict: 'unknown' }) }) }],
  ['disposable', { reason: 'disposable_domain', email_type: 'disposable', recommendation: 'drop' }],
  ['role', { email_type: 'role', actor_class: 'role_account', mailbox_type: 'role' }],
  ['relay', { email_type: 'relay', actor_class: 'relay_alias' }],
  ['no-mx', { reason: 'no_mx', verdict: 'invalid', bounce_probability: 1, recommendation: 'drop' }],
  ['mx-unresolved', { reason: 'mx_unresolved', signals: expect.objectContaining({ mx: null }) }],
  ['typo', { recommendation: 'send', did_you_mean: 'typo@gmail.com', email_type: 'unknown' }],
  ['placeholder', { recommendation: 'challenge' }],
  ['mailbox-full', { signals: expect.not.objectContaining({ warning: expect.anything() }) }],
  ['spam-trap', { recommendation: 'challenge', signals: expect.objectContaining({ warning: 'spam_trap' }) }],
  ['degraded', { verdict: 'unknown', degraded: true, providers: {} }],
];
const REFUSED: [name: string, status: number, code: string][] = [
  ['quota-exceeded', 402, 'quota_exceeded'],
  ['rate-limited', 429, 'rate_limited'],
  ['internal-error', 500, 'internal_error'],
];

/** The cases in which screening says something of its own. */
const SCREENED = ['typo', 'placeholder', 'degraded', 'quota-exceeded'];

/** Replaces what differs from call to call by fixed values. */
function steady(answer: Record<string, unknown>, row: SandboxCase): object {
  if ('error' in answer) return { error: { ...(answer.error as object), trace_id: 'rq_…' } };
  return {
    ...answer,
    latency_ms: row.delayMs ?? 1,
    trace_id: `${String(answer.trace_id).slice(0, 3)}…`,
    ...('identity_hash' in answer ? { identity_hash: '64 hex digits' } : {}),
  };
}

const inJson = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

async function section(route: 'verify' | 'screen', name: string, row: SandboxCase): Promise<string> {
  const body = { email: `${name}@example.com` };
  const answer = await service.call('POST', `/v1/${route}`, mine.keys.test, body);
  const retry = answer.headers.get('retry-after');
  const head = `HTTP ${answer.status}${retry === null ? '' : `, \`Retry-After: ${retry}\``}`;
  return `### \`${name}\`\n\nShows ${row.shows}. ${head}\n\n${inJson(steady(answer.body, row))}`;
}

const decide = (name: string, request: object = {}) =>
  service.call('POST', '/v1/decide', mine.keys.test, { email: `${name}@example.com`, ...request });

/** A table of the default policy's decision on each case. */
async function decisions(): Promise<string> {
  const rows = ['| address | decision | rule | recommendation inside |', '|---|---|---|---|'];
  for (const name of Object.keys(SANDBOX)) {
    const { status, body } = await decide(name);
    rows.push(
      'error' in body
        ? `| \`${name}\` | HTTP ${status} \`${body.error.code}\` | | |`
        : `| \`${name}\` | \`${body.decision}\` | \`${body.rule_id}\` | \`${body.verification.recommendation}\` |`,
    );
  }
  return rows.join('\n');
}

/** A policy that reads screening, enrichment and attributes. */
const TRIAL = {
  name: 'Trial',
  rules: [
    {
      id: 'typo',
      description: 'A typo in the domain.',
      when: { path: 'screening.reasons', op: 'contains', value: 'typo_domain' },
      decision: 'review',
    },
    {
      id: 'small',
      when: { path: 'company.employees_range', op: 'eq', value: '1-10' },
      decision: 'allow_with_flow',
      flow: 'self-service',
    },
    { id: 'team', when: { path: 'attributes.plan', op: 'eq', value: 'team' }, decision: 'allow' },
  ],
  default: 'challenge',
};
const ASKED = { policy_slug: 'trial', attributes: { plan: 'team' }, explain: true };

/** The answer to `ASKED`, with the verification left out. */
async function decision(name: string): Promise<string> {
  const { body } = await decide(name, ASKED);
  const shown = { ...body, verification: '…', latency_ms: 1, trace_id: 'dc_…' };
  return `### \`${name}\`\n\n${inJson(shown)}`;
}

describe('the document of the sandbox', () => {
  it('shows every case with the full answer the service gives', async () => {
    const parts = [
      '# Sandbox',
      'Under an `evk_test_` key nothing is paid, metered, cached or learnt from. The addresses below, at `example.com`, show each kind of answer. They may be in any case, and a plus tag may follow: `risky+42@example.com`. The name is what the provider says, not our verdict. Every other address gets the real local checks and no provider. Of traces, screenings and files, test keys read only what test keys wrote. `GET /v1/usage` shows them the account’s own figures.',
      'Each answer below is the one to `{ "email": "<name>@example.com" }`. `/v1/check` shows the same world and never refuses for a quota.',
      '## `POST /v1/verify`',
    ];
    const cases = Object.entries(SANDBOX);
    for (const [name, row] of cases) parts.push(await section('verify', name, row));
    parts.push(
      '## `POST /v1/screen`',
      'These are the cases in which screening says something of its own. In the others `domain` and `reasons` follow the same world, and `slow`, `rate-limited` and `internal-error` are as above.',
    );
    for (const [name, row] of cases) if (SCREENED.includes(name)) parts.push(await section('screen', name, row));
    await service.call('PUT', '/v1/policies/trial', mine.keys.admin, TRIAL);
    parts.push(
      '## `POST /v1/decide`',
      'A test key decides by the account’s own policies, and by its rule lists. It may read both and change neither (403). The verification inside is that of `/v1/verify` with purpose `signup`, unless `context` says otherwise. Two engines refuse `undeliverable`, so it is dropped; what is only likely is confirmed: the visitor is there to be asked. By the policy that organisations begin with:',
      await decisions(),
      'Where a rule reads `screening.*`, it sees what `/v1/screen` shows. Enrichment is never asked: `icp.fit` is `unknown`, `company` and `person` are null. Of the conditions on these two only `ne`, `not_in` and `exists: false` hold. An experiment gives an address its arm, the same every time, and counts in no result. An admin’s live key has saved this policy as `trial`:',
      inJson(TRIAL),
      'It answers `{ "email": "<name>@example.com", "policy_slug": "trial", "attributes": { "plan": "team" }, "explain": true }` so (`verification` as above):',
    );
    for (const name of ['typo', 'deliverable']) parts.push(await decision(name));
    await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot('../../docs/sandbox.md');
  });
});

describe('a sandbox address under a test key', () => {
  it.each(ROWS)('%s', async (name, expected) => {
    const { status, body } = await verify(`${name}@example.com`);
    expect(status).toBe(200);
    expect(Verification.strict().parse(body)).toMatchObject({ cost_usd: 0, cache: { hit: false }, ...expected });
  });

  it.each(REFUSED)('%s is answered %i', async (name, status, code) => {
    const answer = await verify(`${name}@example.com`);
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status, code });
  });

  it.each([
    ['screen', 402, { error: { code: 'screening_quota_exceeded' } }],
    ['check', 200, { passes: true }],
  ])('quota-exceeded is refused by the meter of the route: /v1/%s answers %i', async (route, status, body) => {
    const sent = { email: 'quota-exceeded@example.com' };
    expect(await service.call('POST', `/v1/${route}`, mine.keys.test, sent)).toMatchObject({ status, body });
  });

  it('has an arm of an experiment that is always the same, and enriches nothing', async () => {
    const experiment = { id: 'e1', weight: 50, min_sample: 1 };
    const everybody = { path: 'verification.signals.syntax', op: 'eq', value: true };
    const policy = {
      name: 'Arms',
      rules: [
        { id: 'known', when: { path: 'company.name', op: 'exists', value: true }, decision: 'deny' },
        { id: 'half', when: everybody, decision: 'review', experiment },
      ],
      default: 'allow',
    };
    expect((await service.call('PUT', '/v1/policies/arms', mine.keys.admin, policy)).status).toBe(200);
    const arms = async () => {
      const names = Array.from({ length: 20 }, (_, i) => `deliverable+${i}`);
      const answers = await Promise.all(names.map((name) => decide(name, { policy_slug: 'arms' })));
      for (const { body } of answers) expect(body).toMatchObject({ company: null, enrichment: { asked: false } });
      return answers.map(({ body }) => body.experiment.arm);
    };
    const first = await arms();
    expect(new Set(first)).toEqual(new Set(['treatment', 'control']));
    expect(await arms()).toEqual(first);
  });

  it('covers every case there is', () => {
    expect(['slow', ...[...ROWS, ...REFUSED].map(([name]) => name)].toSorted()).toEqual(
      Object.keys(SANDBOX).toSorted(),
    );
  });

  it('may carry a plus tag, in any case', async () => {
    expect((await verify('No-MX+42@Example.com')).body.reason).toBe('no_mx');
  });

  it('slow takes its time, up to the latency ceiling', async () => {
    const delayMs = SANDBOX.slow?.delayMs ?? Number.NaN;
    const { body } = await verify('slow@example.com');
    expect(body.latency_ms).toBeGreaterThanOrEqual(delayMs);
    const hurried = await verify('slow@example.com', mine.keys.test, { max_latency_ms: 100 });
    expect(hurried.body.latency_ms).toBeLessThan(delayMs);
  });

  it('is an address like any other under a live key, and with another name', async () => {
    expect((await verify('deliverable@example.com', mine.keys.member)).body.reason).toBe('no_mx');
    expect((await verify('constructor@example.com')).body.reason).toBe('no_mx');
  });

  it('shows in the free check as well', async () => {
    const check = (name: string) => service.call('POST', '/v1/check', mine.keys.test, { email: `${name}@example.com` });
    expect((await check('deliverable')).body).toMatchObject({ passes: true, esp: 'hosted_suite_a' });
    expect((await check('disposable')).body).toMatchObject({ passes: false, disposable: true });
  });
});
