import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ScreeningResult } from '../../src/contract/screening.ts';
import { startService } from '../support/service.ts';

/** A model on this machine that speaks the chat-completions form; a script can make it fail. */
const asked: string[] = [];
const model = { fakeName: 'unlikely', domainCheck: 'ok', fault: null as null | 'down' | 'nonsense' };
const server = createServer((request, response) => void reply(request, response));
async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += chunk;
  asked.push(body);
  if (model.fault === 'down') return void response.writeHead(500).end();
  const about = body.includes('fake_name') ? { fake_name: model.fakeName } : { domain_check: model.domainCheck };
  const content = model.fault === 'nonsense' ? 'As a model I can’t say.' : JSON.stringify(about);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ choices: [{ message: { content } }] }));
}
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

const service = await startService({
  MODEL_BACKEND: 'openai',
  MODEL_BASE_URL: origin,
  MODEL_NAME: 'tiny',
  MODEL_COST_USD: '0.0001',
});
const mine = await service.createOrganisation();
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked.length = 0;
  Object.assign(model, { fakeName: 'unlikely', domainCheck: 'ok', fault: null });
});

async function screen(body: object, key = mine.keys.member) {
  const answer = await service.call('POST', '/v1/screen', key, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await service.settle();
  return ScreeningResult.strict().parse(answer.body);
}

describe('the model', () => {
  it('is asked about the name and about the domain apart: neither request holds the other, or the address', async () => {
    model.fakeName = 'likely';
    model.domainCheck = 'throwaway_like';
    const answer = await screen({ email: 'grace.hopper@google-workspace.test', name: 'Asdf Qwerty' });
    expect(answer).toMatchObject({
      screening: {
        fake_name: 'likely',
        domain_check: 'throwaway_like',
        degraded: false,
        recommendation: 'review',
        reasons: ['placeholder', 'name_mismatch', 'fake_name', 'domain_suspicious'],
      },
      cost_usd: 0.0002,
    });
    expect(asked).toHaveLength(2);
    const [name = '', domain = ''] = asked.toSorted((one) => (one.includes('Asdf') ? -1 : 1));
    expect(name).not.toMatch(/grace|hopper|workspace/i);
    expect(domain).not.toMatch(/grace|hopper|asdf|qwerty/i);
    expect((await service.call('GET', '/v1/usage', mine.keys.viewer)).body.provider_spend_usd).toBeCloseTo(0.0002, 9);
  });

  it('is asked once about a domain, and never about a known one', async () => {
    model.domainCheck = 'lookalike';
    expect((await screen({ email: 'a@business.test' })).cost_usd).toBe(0.0001);
    asked.length = 0;
    const again = await screen({ email: 'b@business.test' });
    expect(again).toMatchObject({ screening: { domain_check: 'lookalike' }, cost_usd: 0 });
    await screen({ email: 'ada@gmail.com' });
    expect(asked).toEqual([]);
  });

  it.each(['nxdomain.test', 'null-mx.test'])('is not asked about %s, which receives no mail', async (domain) => {
    const { screening, cost_usd } = await screen({ email: `ada@${domain}`, name: 'Ada Lovelace' });
    expect(screening).toMatchObject({
      domain_check: 'not_checked',
      degraded: false,
      reasons: expect.arrayContaining(['no_mx']),
    });
    expect([asked, cost_usd]).toEqual([[], 0]);
  });

  it.each(['down', 'nonsense'] as const)('%s: no label, degraded, and the code checks answer', async (fault) => {
    model.fault = fault;
    const { screening } = await screen({
      email: `ada@${fault === 'down' ? 'zoho' : 'proofpoint'}.test`,
      name: 'Ada Lovelace',
    });
    expect(screening).toMatchObject({ name_match: 'partial', domain_check: 'not_checked', degraded: true });
  });

  it('is not asked under a test key', async () => {
    const key = mine.keys.test;
    const { screening } = await screen({ email: 'ada@yahoo.test', name: 'Zzzz' }, key);
    expect(asked).toEqual([]);
    expect(screening).toMatchObject({ fake_name: 'not_checked', degraded: false });
  });

  it('is asked about an odd name though the address fits it', async () => {
    model.fakeName = 'likely';
    const { screening } = await screen({ email: 'test.test@gmail.com', name: 'Test Test' });
    expect(screening).toMatchObject({ name_match: 'match', fake_name: 'likely' });
  });
});

describe('while the organisation is out of reach', () => {
  it('the model is not asked, which counts as failed', async () => {
    const org = await service.createOrganisation();
    service.breakObject(org.id);
    const { screening } = await screen({ email: 'ada@mimecast.test' }, org.keys.member);
    expect(asked).toEqual([]);
    expect(screening).toMatchObject({ domain_check: 'not_checked', degraded: true });
  });

  it('a label once given still stands, and nothing is missed', async () => {
    model.domainCheck = 'lookalike';
    const org = await service.createOrganisation();
    await screen({ email: 'a@proofpoint.test' }, org.keys.member);
    service.breakObject(org.id);
    asked.length = 0;
    const { screening } = await screen({ email: 'b@proofpoint.test' }, org.keys.member);
    expect(asked).toEqual([]);
    expect(screening).toMatchObject({ domain_check: 'lookalike', degraded: false });
    expect(screening.reasons).toContain('domain_suspicious');
    const named = await screen({ email: 'b@proofpoint.test', name: 'Grace Hopper' }, org.keys.member);
    expect(named.screening).toMatchObject({ domain_check: 'lookalike', fake_name: 'not_checked', degraded: true });
  });

  it('a test key misses nothing: it never asks the model', async () => {
    const org = await service.createOrganisation();
    service.breakObject(org.id);
    const { screening } = await screen({ email: 'ada@mimecast.test', name: 'Grace Hopper' }, org.keys.test);
    expect(screening).toMatchObject({ domain_check: 'not_checked', degraded: false });
  });
});
