import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Client, type ClientOptions, createClient, type EmailVerificationError } from '../../client/src/client.ts';
import type { Usage } from '../../src/contract/account.ts';
import { BulkJob } from '../../src/contract/bulk.ts';
import { CheckResult, Verification } from '../../src/contract/verification.ts';
import * as rules from '../../src/contract/rules.ts';
import { ScreeningResult } from '../../src/contract/screening.ts';
import { runOperator } from '../support/operator-cli.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.remove());

const client = (role: keyof TestStack['keys'], options: ClientOptions = {}): Client =>
  createClient({ apiKey: stack.keys[role], baseUrl: stack.base_url, ...options });

/** What an operator's command that must succeed answers. */
async function operator<T>(...args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await runOperator(['--state', stack.stateDir, '--json', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

/** A member's key of an organisation with a monthly quota of its own. */
async function keyWithQuota(verifications: number): Promise<string> {
  const { organisation } = await operator<{ organisation: { id: string } }>('org', 'create', 'Small');
  const { key } = await operator<{ key: { key: string } }>('key', 'create', organisation.id, '--name', 'test');
  await operator('quota', 'set', organisation.id, '--verifications', String(verifications));
  return key.key;
}

describe('against the service', () => {
  it('full answers are what the contract says', async () => {
    const { checkEmail, verifyEmail, screenEmail } = client('member');
    expect(CheckResult.parse(await checkEmail('ada@business.test'))).toMatchObject({ passes: true });
    const verification = await verifyEmail('ada@business.test', { purpose: 'signup' });
    expect(Verification.parse(verification)).toMatchObject({ email: 'ada@business.test', recommendation: 'send' });
    const named = await screenEmail('grace.hoper@business.test', 'Grace Hopper');
    expect(ScreeningResult.parse(named).screening).toMatchObject({
      typo_suggestion: 'grace.hopper@business.test',
      name_match: 'typo',
      recommendation: 'review',
    });
    const nameless = await screenEmail('δοκιμή@business.test');
    expect(ScreeningResult.parse(nameless)).toMatchObject({ screening: { name_match: 'not_checked' } });
    await expect(screenEmail('ada@business.test', 'x'.repeat(201))).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('domain rules go out in batches, are listed page by page, and are in force at once', async () => {
    const mine = client('member', { failOpen: false });
    const many = Array.from({ length: 1_001 }, (_, i) => `d${i}.example`);
    const added = await mine.blockDomains([...many, 'com', 'Bücher.example'], 'spam');
    expect(rules.RulesAdded.parse(added)).toEqual({
      rule: 'block',
      added: 1_002,
      moved: 0,
      unchanged: 0,
      total: 1_002,
      rejected: [{ index: 1_001, reason: 'public_suffix' }],
    });
    const listed = new Set<string>();
    let cursor: string | null = null;
    do {
      const page = rules.DomainList.parse(await mine.listBlockedDomains({ limit: 200, cursor }));
      for (const { domain } of page.entries) listed.add(domain);
      expect(page.count).toBe(1_002);
      cursor = page.cursor;
    } while (cursor !== null);
    expect(listed).toEqual(new Set([...many, 'xn--bcher-kva.example']));

    expect(await mine.isDisposableEmail('zoë@sub.bücher.example')).toBe(true);
    expect(await mine.isValidEmail('zoë@sub.bücher.example')).toBe(false);
    expect(rules.DomainStanding.parse(await mine.checkDomain('sub.bücher.example'))).toMatchObject({
      status: 'blocked',
      org_rule: 'block',
      note: 'spam',
      matched_domain: 'xn--bcher-kva.example',
    });
    for (const name of ['mailinator.com', 'mailinator.com.']) expect(await mine.isDomainDisposable(name)).toBe(true);
    expect(rules.RulesAdded.parse(await mine.allowDomains(['mailinator.com', 'd0.example']))).toMatchObject({
      rule: 'allow',
      added: 1,
      moved: 1,
      total: 2,
    });
    expect(await mine.isDomainDisposable('mailinator.com')).toBe(false);
    expect(
      rules.DomainList.parse(await mine.listAllowedDomains())
        .entries.map(({ domain }) => domain)
        .sort(),
    ).toEqual(['d0.example', 'mailinator.com']);
    expect(rules.RulesRemoved.parse(await mine.unblockDomains([...many, 'bücher.example']))).toEqual({
      rule: 'block',
      removed: 1_001,
      not_found: 1,
      total: 0,
      rejected: [],
    });
    expect(await mine.unallowDomains(['mailinator.com', 'd0.example'])).toMatchObject({ removed: 2, total: 0 });
  });

  it('address rules hold for every spelling of an address, and show none', async () => {
    const mine = client('member', { failOpen: false });
    const [email, other] = ['ΔΟΚΙΜΉ@business.test', 'grace@business.test'];
    expect(rules.RulesAdded.parse(await mine.blockAddresses([email, 'nobody', other], 'left'))).toMatchObject({
      rule: 'block',
      added: 2,
      rejected: [{ index: 1, reason: 'invalid_address' }],
    });
    expect(rules.AddressStanding.parse(await mine.checkAddress('δοκιμή@business.test'))).toMatchObject({
      org_rule: 'block',
      note: 'left',
      domain_rule: null,
      effective: 'block',
    });
    expect(await mine.isValidEmail('δοκιμή@business.test')).toBe(false);
    expect(await mine.isDisposableEmail('δοκιμή@business.test')).toBe(true);
    const blocked = rules.AddressList.parse(await mine.listBlockedAddresses({ limit: 1 }));
    expect([blocked.count, blocked.entries.length, blocked.cursor === null]).toEqual([2, 1, false]);
    expect(JSON.stringify(blocked)).not.toContain('grace@');
    expect(await mine.allowAddresses([other])).toMatchObject({ rule: 'allow', moved: 1 });
    expect(await mine.isDisposableEmail('ada@mailinator.com')).toBe(true);
    expect(await mine.allowAddresses(['ada@mailinator.com'])).toMatchObject({ added: 1 });
    expect(await mine.isDisposableEmail('ada@mailinator.com')).toBe(false);
    expect(await mine.unallowAddresses(['ada@mailinator.com'])).toMatchObject({ removed: 1 });
    expect(rules.AddressList.parse(await mine.listAllowedAddresses())).toMatchObject({
      rule: 'allow',
      count: 1,
      entries: [{ display: 'g•••@business.test' }],
      cursor: null,
    });
    expect(rules.RulesRemoved.parse(await mine.unblockAddresses([email]))).toMatchObject({ removed: 1, not_found: 0 });
    expect(await mine.unallowAddresses([other, other])).toMatchObject({ removed: 1, total: 0 });
    expect(await mine.isValidEmail('δοκιμή@business.test')).toBe(true);
    await expect(mine.checkAddress('nobody')).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
    await expect(client('viewer').blockAddresses([email])).rejects.toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('drop-in functions say what the service finds', async () => {
    const { isValidEmail, emailType, isBusinessEmail, getEmailProvider } = client('viewer', { failOpen: false });
    expect({
      valid: await isValidEmail('ada@business.test'),
      gone: await isValidEmail('ada@nxdomain.test'),
      unresolved: await isValidEmail('ada@servfail.test'),
      unicode: await isValidEmail('δοκιμή@business.test'),
      type: await emailType('info@business.test'),
      business: await isBusinessEmail('ada@business.test'),
      provider: await getEmailProvider('ada@google-workspace.test'),
      none: await getEmailProvider('ada@nxdomain.test'),
    }).toEqual({
      valid: true,
      gone: false,
      unresolved: true,
      unicode: true,
      type: 'role',
      business: true,
      provider: 'google',
      none: null,
    });
  });

  it('the sandbox shows each kind of answer and refusal', async () => {
    const { isValidEmail, emailType, checkEmail, verifyEmail } = client('test');
    expect(await isValidEmail('disposable@example.com')).toBe(false);
    expect(await isValidEmail('mx-unresolved@example.com')).toBe(true);
    expect(await emailType('relay@example.com')).toBe('relay');
    expect(await checkEmail('no-mx@example.com')).toMatchObject({ passes: false, reason: 'no_mx' });
    const failed = (status: number, code: string) => ({ status, code, traceId: expect.stringMatching(/^rq_/) });
    await expect(verifyEmail('quota-exceeded@example.com')).rejects.toMatchObject(failed(402, 'quota_exceeded'));
    await expect(verifyEmail('rate-limited@example.com')).rejects.toMatchObject(failed(429, 'rate_limited'));
    await expect(verifyEmail('internal-error@example.com')).rejects.toMatchObject(failed(500, 'internal_error'));
  });

  it('a role too low, a malformed request and a route that is not there are errors with their code', async () => {
    await expect(client('viewer').verifyEmail('ada@business.test')).rejects.toMatchObject({
      status: 403,
      code: 'forbidden',
    });
    await expect(client('member').verifyEmail('x'.repeat(321))).rejects.toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
    const lost = createClient({ apiKey: stack.keys.member, baseUrl: `${stack.base_url}/elsewhere` });
    await expect(lost.checkEmail('ada@business.test')).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  it('a key that is not the account’s is an error, and drop-in functions fail open on it', async () => {
    const onError = vi.fn<(error: EmailVerificationError, helper: string) => void>();
    const forged = `${stack.keys.member.slice(0, -4)}zzzz`;
    for (const apiKey of [forged, 'evk_live_wrong', 'Bearer']) {
      const wrong = createClient({ apiKey, baseUrl: stack.base_url, onError });
      const refused = { status: 401, code: 'unauthorized', traceId: expect.stringMatching(/^rq_/) };
      await expect(wrong.verifyEmail('ada@business.test')).rejects.toMatchObject(refused);
      await expect(wrong.verifyList('email\nada@business.test\n')).rejects.toMatchObject({ ...refused, jobId: null });
      expect(await wrong.isDisposableEmail('ada@mailinator.com')).toBe(false);
    }
    expect(onError.mock.calls.map(([{ code }]) => code)).toEqual(Array(3).fill('unauthorized'));
  });

  it('a revoked key is an error, and drop-in functions fail open on it', async () => {
    const json = ['--state', stack.stateDir, '--json'];
    const made = await runOperator([...json, 'key', 'create', stack.org_id, '--name', 'leaving', '--role', 'member']);
    const { key } = JSON.parse(made.stdout) as { key: { id: string; key: string } };
    const onError = vi.fn<(error: EmailVerificationError, helper: string) => void>();
    const leaving = createClient({ apiKey: key.key, baseUrl: stack.base_url, onError });
    expect(await leaving.isValidEmail('ada@nxdomain.test')).toBe(false);
    await runOperator([...json, 'key', 'revoke', stack.org_id, key.id]);
    await expect(leaving.checkEmail('ada@business.test')).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
    expect(await leaving.isValidEmail('ada@nxdomain.test')).toBe(true);
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ code: 'unauthorized' }), 'isValidEmail']]);
  });

  it('a verification whose answer was lost on the way is sent again and charged once', async () => {
    let passed = 0;
    const losesFirstAnswer = createServer((request, response) => {
      const pass = async () => {
        const { authorization = '', 'idempotency-key': key = '' } = request.headers;
        const headers = { authorization, 'idempotency-key': String(key), 'content-type': 'application/json' };
        const init = { method: 'POST', headers, body: await text(request) };
        const answer = await fetch(`${stack.base_url}${request.url}`, init);
        const body = await answer.text();
        passed += 1;
        if (passed === 1) response.destroy();
        else response.writeHead(answer.status).end(body);
      };
      pass().catch(() => response.destroy());
    }).listen(0, '127.0.0.1');
    await once(losesFirstAnswer, 'listening');
    const { port } = losesFirstAnswer.address() as AddressInfo;
    const used = async () => {
      const usage = (await (await stack.request('/v1/usage', stack.keys.member)).json()) as Usage;
      return usage.calls.verify;
    };
    const before = await used();
    const { verifyEmail } = createClient({ apiKey: stack.keys.member, baseUrl: `http://127.0.0.1:${port}` });
    expect(await verifyEmail('lost@business.test')).toMatchObject({ email: 'lost@business.test' });
    losesFirstAnswer.close();
    expect([passed, await used()]).toEqual([2, before + 1]);
  });
});

describe('a list', () => {
  const file =
    'Name;Email\r\n"Zoë; the first";zoë@business.test\r\nRole;info@business.test\r\nGone;x@nxdomain.test\r\n';

  it('goes up, is verified, and comes back whole or in segments', async () => {
    const { verifyList, waitForList } = client('member');
    const { jobId, job } = await verifyList(file, { name: 'May' });
    expect(BulkJob.parse(job)).toMatchObject({ id: jobId, name: 'May', rows: 3, unique: 3, email_column: 1 });
    const done = BulkJob.parse(await waitForList(jobId, { pollMs: 100 }));
    expect(done).toMatchObject({ id: jobId, state: 'done', error: null });

    const { downloadList } = client('viewer');
    const lines = (await downloadList(jobId)).split('\r\n');
    expect(lines[0]).toMatch(/^Name;Email;svc_status;svc_verdict;/);
    expect(lines[1]).toMatch(/^"Zoë; the first";zoë@business\.test;ok;/);
    expect(lines).toHaveLength(5);
    const undeliverable = (await downloadList(jobId, 'undeliverable')).split('\r\n');
    expect([undeliverable.length, undeliverable[1]]).toEqual([3, expect.stringMatching(/^Gone;x@nxdomain\.test;ok;/)]);
    await expect(downloadList(jobId, 'allow')).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
    await expect(downloadList('bj_unknown')).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  it('has its policy’s segments', async () => {
    const { verifyList, waitForList, downloadList } = client('member');
    const { jobId } = await verifyList(file, { policy: 'default' });
    expect(await waitForList(jobId, { pollMs: 100 })).toMatchObject({ state: 'done', policy_slug: 'default' });
    expect(await downloadList(jobId, 'deny')).toContain('x@nxdomain.test');
    await expect(verifyList(file, { policy: 'no-such-policy' })).rejects.toMatchObject({ status: 404, jobId: null });
  });

  it.each([
    ['without an email column', 'a,b\n1,2\n3,4\n', { status: 400, code: 'no_email_column' }],
    ['without a byte', new Uint8Array(), { code: 'empty_file' }],
    ['without a row', 'email\n', { code: 'no_rows' }],
    ['that is not text', new Uint8Array(1_000), { code: 'not_text' }],
    ['of too many rows', 'ada@business.test\n'.repeat(100_001), { code: 'too_many_rows' }],
  ])('%s is an error that names the job, whatever failOpen says', async (_, csv, error) => {
    const { verifyList, downloadList } = client('member', { failOpen: true });
    const failed = (await verifyList(csv).catch((e: unknown) => e)) as EmailVerificationError;
    expect(failed).toMatchObject({ name: 'EmailVerificationError', ...error, jobId: expect.stringMatching(/^bj_/) });
    await expect(downloadList(failed.jobId ?? '')).rejects.toMatchObject({ status: 409, code: 'invalid_request' });
  });

  it('larger than the quota needs allowPartial, and then waits where the quota ends', async () => {
    const { verifyList, waitForList, downloadList } = createClient({
      apiKey: await keyWithQuota(1),
      baseUrl: stack.base_url,
    });
    await expect(verifyList(file)).rejects.toMatchObject({
      status: 402,
      code: 'quota_exceeded',
      jobId: expect.stringMatching(/^bj_/),
    });
    const { jobId } = await verifyList(file, { allowPartial: true });
    expect(BulkJob.parse(await waitForList(jobId, { pollMs: 100 }))).toMatchObject({
      state: 'paused_quota',
      allow_partial: true,
      progress: { rows_done: 1 },
    });
    await expect(downloadList(jobId)).rejects.toMatchObject({ status: 409, code: 'invalid_request' });
  });

  it('takes a member’s key', async () => {
    await expect(client('viewer').verifyList(file)).rejects.toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('goes up and comes back at 50 MB under a client whose calls have 5 s', async () => {
    const row = `ada@business.test,${'é'.repeat(300)}\n`;
    const csv = Buffer.from(`email,note\n${row.repeat(Math.floor((50 * 2 ** 20) / Buffer.byteLength(row)) - 1)}`);
    const { verifyList, waitForList, downloadList } = client('member');
    const { jobId, job } = await verifyList(csv);
    expect(job).toMatchObject({ unique: 1 });
    expect(await waitForList(jobId, { pollMs: 100 })).toMatchObject({ state: 'done' });
    const lines = (await downloadList(jobId)).split('\n');
    expect(lines.length - 2).toBe(job.rows);
    expect(lines.slice(1, -1).every((line) => line.startsWith(`${row.slice(0, -1)},ok,`))).toBe(true);
  });
});

describe('while the service hangs', () => {
  const signal = (name: NodeJS.Signals) => {
    for (const { name: process_, pid } of stack.processes()) if (process_ === 'workerd') process.kill(pid, name);
  };
  beforeAll(() => signal('SIGSTOP'));
  afterAll(() => signal('SIGCONT'));

  it('every call ends by its timeoutMs, drop-in functions with their fallback', async () => {
    const onError = vi.fn<(error: EmailVerificationError, helper: string) => void>();
    const mine = client('member', { timeoutMs: 500, onError });
    const late = { status: 0, code: 'timeout' };
    expect(await mine.isValidEmail('ada@nxdomain.test')).toBe(true);
    expect(await mine.isDomainDisposable('mailinator.com')).toBe(false);
    expect(onError.mock.calls).toMatchObject([
      [late, 'isValidEmail'],
      [late, 'isDomainDisposable'],
    ]);
    for (const call of [
      mine.verifyEmail('ada@business.test'),
      mine.screenEmail('ada@business.test'),
      mine.blockDomains(['a.example']),
      mine.verifyList('email\nada@business.test\n'),
      mine.waitForList('bj_1'),
    ])
      await expect(call).rejects.toMatchObject(late);
  });
});

describe('once the service has ended', () => {
  beforeAll(() => stack.stop().then(() => undefined));

  it('drop-in functions answer with their fallback, all others with an error', async () => {
    const { isValidEmail, emailType, isBusinessEmail, verifyEmail } = client('member');
    expect(await isValidEmail('ada@nxdomain.test')).toBe(true);
    expect(await isBusinessEmail('info@business.test')).toBe(true);
    expect(await emailType('info@business.test')).toBe('unknown');
    await expect(verifyEmail('ada@business.test')).rejects.toMatchObject({ status: 0, code: 'network_error' });
  });
});
