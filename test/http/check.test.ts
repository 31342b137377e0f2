import { describe, expect, it } from 'vitest';
import { CheckResult } from '../../src/contract/verification.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const mine = await service.createOrganisation();

const check = async (email: string) => {
  const { status, body, headers } = await service.call('POST', '/v1/check', mine.keys.viewer, { email });
  expect(status).toBe(200);
  const answer = CheckResult.strict().parse(body);
  expect(headers.get('x-trace-id')).toBe(answer.trace_id);
  return answer;
};

type Row = [email: string, expected: Partial<CheckResult>];

const ROWS: Row[] = [
  [
    'Ada@business.test',
    {
      email: 'Ada@business.test',
      domain: 'business.test',
      passes: true,
      reasons: [],
      reason: null,
      checks: { syntax: 'pass', mx: 'pass', disposable: 'pass' },
      esp: 'self_hosted',
      email_type: 'business',
      mx_hosts: ['mx1.business.test', 'mx2.business.test'],
      mx_provider: 'unknown',
    },
  ],
  ['ada@google-workspace.test', { passes: true, esp: 'hosted_suite_a', mx_provider: 'google' }],
  ['ada@microsoft-365.test', { passes: true, esp: 'hosted_suite_b', mx_provider: 'microsoft' }],
  ['ada@proofpoint.test', { passes: true, esp: 'unknown', mx_provider: 'proofpoint' }],
  ['ada@gmail.com', { passes: true, esp: 'consumer_esp', mx_provider: 'google', email_type: 'free' }],
  ['info@gmail.com', { passes: true, email_type: 'role' }],
  ['ada@implicit-mx.test', { passes: true, mx_hosts: ['implicit-mx.test'] }],
  ['ada@null-mx.test', { passes: false, reason: 'no_mx', mx_hosts: [], mx_provider: null, email_type: 'unknown' }],
  ['ada@dead-mx.test', { passes: false, reason: 'no_mx', mx_hosts: [], mx_provider: null }],
  ['ada@half-dead-mx.test', { passes: true, mx_hosts: ['nxdomain.test', 'mx1.business.test'] }],
  ['ada@mx-servfail.test', { passes: false, reason: 'mx_unresolved', mx_hosts: [] }],
  ['ada@nxdomain.test', { passes: false, reason: 'no_mx', checks: { syntax: 'pass', mx: 'fail', disposable: 'pass' } }],
  [
    'ada@servfail.test',
    { passes: false, reason: 'mx_unresolved', checks: { syntax: 'pass', mx: 'unknown', disposable: 'pass' } },
  ],
  ['ada@timeout.test', { passes: false, reason: 'mx_unresolved', mx_provider: null }],
  ['ada@mailinator.com', { passes: false, disposable: true, reasons: ['disposable_domain'], email_type: 'disposable' }],
  ['ada@sub.mailinator.com', { disposable: true }],
  [
    'not an address',
    {
      passes: false,
      domain: '',
      reason: 'syntax_invalid',
      reasons: ['syntax_invalid'],
      checks: { syntax: 'fail', mx: 'unknown', disposable: 'pass' },
      mx_hosts: [],
      mx_provider: null,
      esp: 'unknown',
      email_type: 'unknown',
    },
  ],
  ['a..b@Business.test', { domain: 'business.test', reason: 'syntax_invalid' }],
  ['  ada@business.test\n', { email: '  ada@business.test\n', passes: true }],
  ['ада@почта.рф', { domain: 'xn--80a1acny.xn--p1ai', checks: expect.objectContaining({ syntax: 'pass' }) }],
  ['a\u0000b@business.test', { reason: 'syntax_invalid' }],
  ['\ud800@business.test', { reason: 'syntax_invalid' }],
];

describe('POST /v1/check', () => {
  it.each(ROWS)('%j', async (email, expected) => {
    expect(await check(email)).toMatchObject(expected);
  });

  it('is counted, and not against the quota', async () => {
    const org = await service.createOrganisation({ verification_quota: 1 });
    for (let i = 0; i < 3; i += 1)
      await service.call('POST', '/v1/check', org.keys.viewer, { email: 'ada@business.test' });
    const { body } = await service.call('GET', '/v1/usage', org.keys.viewer);
    expect(body.calls.check).toBe(3);
    expect(body.quota).toEqual({ limit: 1, used: 0, remaining: 1, unmetered: false });
  });

  it('says what is left of the rate, and refuses with Retry-After beyond it', async () => {
    const org = await service.createOrganisation({ rate_per_minute: 2 });
    const send = () => service.call('POST', '/v1/check', org.keys.viewer, { email: 'ada@business.test' });
    const first = await send();
    expect(first.headers.get('ratelimit-policy')).toBe('"default";q=2;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"default";r=1;t=\d+$/);
    await send();
    const third = await send();
    expect({ status: third.status, code: third.body.error.code }).toEqual({ status: 429, code: 'rate_limited' });
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
