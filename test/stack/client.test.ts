import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Client, type ClientOptions, createClient, type EmailVerificationError } from '../../src/client/client.ts';
import type { Usage } from '../../src/contract/account.ts';
import { CheckResult } from '../../src/contract/check.ts';
import { Verification } from '../../src/contract/verification.ts';
import { runOperator } from '../support/operator-cli.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.remove());

const client = (role: keyof TestStack['keys'], options: ClientOptions = {}): Client =>
  createClient({ apiKey: stack.keys[role], baseUrl: stack.base_url, ...options });

describe('against the service', () => {
  it('full answers are what the contract says', async () => {
    const { checkEmail, verifyEmail } = client('member');
    expect(CheckResult.parse(await checkEmail('ada@business.test'))).toMatchObject({ passes: true });
    const verification = await verifyEmail('ada@business.test', { purpose: 'signup' });
    expect(Verification.parse(verification)).toMatchObject({ email: 'ada@business.test', recommendation: 'send' });
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
