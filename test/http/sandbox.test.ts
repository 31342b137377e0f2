import { describe, expect, it } from 'vitest';
import { Verification } from '../../src/contract/verification.ts';
import { SANDBOX, type SandboxCase } from '../../src/domain/verification/sandbox.ts';
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
  ['risky', { providers: { zerobounce: expect.objectContaining({ verdict: 'risky', reason: 'mailbox_full' }) } }],
  ['unknown', { providers: { zerobounce: expect.objectContaining({ verdict: 'unknown' }) } }],
  ['disposable', { reason: 'disposable_domain', email_type: 'disposable', recommendation: 'drop' }],
  ['role', { email_type: 'role', actor_class: 'role_account', mailbox_type: 'role' }],
  ['relay', { email_type: 'relay', actor_class: 'relay_alias' }],
  ['no-mx', { reason: 'no_mx', verdict: 'invalid', bounce_probability: 1, recommendation: 'drop' }],
  ['mx-unresolved', { reason: 'mx_unresolved', signals: expect.objectContaining({ mx: null }) }],
  ['typo', { recommendation: 'send' }],
  ['placeholder', { recommendation: 'send' }],
  ['degraded', { verdict: 'unknown', degraded: true, providers: {} }],
];
const REFUSED: [name: string, status: number, code: string][] = [
  ['quota-exceeded', 402, 'quota_exceeded'],
  ['rate-limited', 429, 'rate_limited'],
  ['internal-error', 500, 'internal_error'],
];

/** The cases in which screening says something of its own. */
const SCREENED = ['typo', 'placeholder', 'degraded', 'quota-exceeded'];

/** What differs from call to call, as the document shows it. */
function steady(answer: Record<string, unknown>, row: SandboxCase): object {
  if ('error' in answer) return { error: { ...(answer.error as object), trace_id: 'rq_…' } };
  return {
    ...answer,
    latency_ms: row.delayMs ?? 1,
    trace_id: `${String(answer.trace_id).slice(0, 3)}…`,
    ...('identity_hash' in answer ? { identity_hash: '64 hex digits' } : {}),
  };
}

async function section(route: 'verify' | 'screen', name: string, row: SandboxCase): Promise<string> {
  const body = { email: `${name}@example.com` };
  const answer = await service.call('POST', `/v1/${route}`, mine.keys.test, body);
  const retry = answer.headers.get('retry-after');
  const head = `HTTP ${answer.status}${retry === null ? '' : `, \`Retry-After: ${retry}\``}`;
  const shown = JSON.stringify(steady(answer.body, row), null, 2);
  return `### \`${name}\`\n\nShows ${row.shows}. ${head}\n\n\`\`\`json\n${shown}\n\`\`\``;
}

describe('the document of the sandbox', () => {
  it('shows every case with the full answer the service gives', async () => {
    const parts = [
      '# Sandbox',
      'Under an `evk_test_` key nothing is paid, metered, cached or learnt from, and these addresses at `example.com` (any case; a plus tag may follow: `risky+42@example.com`) show each kind of answer: the name is what the provider says, not our verdict. Every other address gets the real local checks and no provider. Test keys read only what test keys wrote. Below: what is answered to `{ "email": "<name>@example.com" }`. `/v1/check` shows the same world and never refuses for a quota.',
      '## `POST /v1/verify`',
    ];
    const cases = Object.entries(SANDBOX);
    for (const [name, row] of cases) parts.push(await section('verify', name, row));
    parts.push(
      '## `POST /v1/screen`',
      'The cases in which screening says something of its own; in the others `domain` and `reasons` follow the same world, and `slow`, `rate-limited` and `internal-error` are as above.',
    );
    for (const [name, row] of cases) if (SCREENED.includes(name)) parts.push(await section('screen', name, row));
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
