import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { DecisionResult } from '../../src/contract/decision.ts';
import type { PolicyDocument } from '../../src/contract/policy.ts';
import { startService } from '../support/service.ts';

/** Vendors on this machine: Hunter's enrichment, a provider and a model, each doing what its script says. */
const asked: string[] = [];
const script = { hunter: 'knows' as 'knows' | 'unknown' | 'down' | 'hangs', kickbox: 'deliverable' };
const COMPANY = {
  name: 'Acme',
  domain: 'zoho.test',
  category: { industry: 'Software' },
  geo: { countryCode: 'DE' },
  metrics: { employees: '51-200' },
};
const PERSON = { employment: { seniority: 'executive', role: 'sales' } };
const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://vendor');
  asked.push(`${url.pathname}${url.pathname.startsWith('/v2/c') ? url.search : ''}`);
  const answer = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (url.pathname.endsWith('/chat/completions'))
    return answer(200, { choices: [{ message: { content: '{"domain_check":"ok","fake_name":"unlikely"}' } }] });
  if (!url.pathname.endsWith('/find'))
    return answer(200, { success: true, result: script.kickbox, reason: 'accepted_email', role: false });
  if (script.hunter === 'hangs') return undefined;
  if (script.hunter === 'down') return answer(500, {});
  if (script.hunter === 'unknown') return answer(404, { errors: [] });
  if (url.pathname === '/v2/combined/find') return answer(200, { data: { company: COMPANY, person: PERSON } });
  return answer(200, { data: url.pathname === '/v2/people/find' ? PERSON : COMPANY });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const service = await startService({
  ENRICHMENT_HUNTER_API_KEY: 'k',
  ENRICHMENT_HUNTER_BASE_URL: origin,
  ENRICHMENT_HUNTER_COST_USD: '0.01',
  KICKBOX_API_KEY: 'k',
  KICKBOX_BASE_URL: origin,
  KICKBOX_COST_USD: '0.004',
  MODEL_BACKEND: 'openai',
  MODEL_BASE_URL: `${origin}/v1`,
  MODEL_NAME: 'tiny',
  MODEL_COST_USD: '0.001',
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  Object.assign(script, { hunter: 'knows', kickbox: 'deliverable' });
  asked.length = 0;
});

type Organisation = Awaited<ReturnType<typeof service.createOrganisation>>;
const enrichments = () => asked.filter((path) => path.includes('/find'));
const models = () => asked.filter((path) => path.includes('/chat/'));

const rule = (path: string, value: string | boolean): PolicyDocument['rules'][number] => ({
  id: path,
  when: { path, op: typeof value === 'boolean' ? 'exists' : 'eq', value },
  decision: 'review',
});
const COUNTRY = rule('company.country', 'DE');

async function createWith(policy: Partial<PolicyDocument>, limits: object = {}) {
  const org = await service.createOrganisation(limits);
  const document = { name: 'A policy', rules: [], default: 'allow', ...policy };
  expect((await service.call('PUT', '/v1/policies/default', org.keys.admin, document)).status).toBe(200);
  return org;
}

async function decide(org: Organisation, body: object = {}, key = org.keys.member) {
  const answer = await service.call('POST', '/v1/decide', key, { email: 'ada@zoho.test', ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await service.settle();
  return DecisionResult.strict().parse(answer.body);
}

const spent = async (org: Organisation) => (await service.objectOf(org.id).object.usage()).usage;

describe('enrichment', () => {
  it('is not asked for by a policy that does not read it', async () => {
    const org = await createWith({
      rules: [
        rule('verification.email_type', 'relay'),
        rule('attributes.plan', 'team'),
        rule('screening.placeholder', true),
      ],
    });
    const answer = await decide(org, { attributes: { plan: 'team' } });
    expect(enrichments()).toEqual([]);
    expect(answer).toMatchObject({
      company: null,
      person: null,
      enrichment: { asked: false, cost_usd: 0, degraded: false },
    });
  });

  it('is asked once by domain, decides, is counted apart from providers, and is kept for the organisation alone', async () => {
    const org = await createWith({ rules: [COUNTRY] });
    const answer = await decide(org);
    expect(enrichments()).toEqual(['/v2/companies/find?domain=zoho.test']);
    expect(answer).toMatchObject({
      decision: 'review',
      rule_id: 'company.country',
      person: null,
      company: { name: 'Acme', domain: 'zoho.test', industry: 'Software', employees_range: '51-200', country: 'DE' },
      enrichment: { asked: true, cost_usd: 0.01, degraded: false },
      cost_usd: 0.014,
      verification: { cost_usd: 0.004 },
    });
    expect(await spent(org)).toMatchObject({ spendMicros: 4_000, enrichmentMicros: 10_000 });
    expect((await service.call('GET', '/v1/usage', org.keys.viewer)).body.provider_spend_usd).toBe(0.014);
    const other = await createWith({ rules: [COUNTRY] });
    const again = [];
    for (const who of [org, other]) again.push(await decide(who, { email: 'bob@zoho.test' }));
    expect(again).toMatchObject([
      { rule_id: 'company.country', enrichment: { asked: false, cost_usd: 0 } },
      { rule_id: 'company.country', enrichment: { asked: true, cost_usd: 0.01 } },
    ]);
    expect(enrichments()).toHaveLength(2);
  });

  it('reports the fit with the policy’s profile', async () => {
    const icp = {
      industries: ['software'],
      employees_ranges: [],
      countries: ['FR'],
      seniorities: ['executive' as const],
    };
    const org = await createWith({ rules: [rule('icp.fit', 'partial')], icp });
    expect(await decide(org, { context: { max_cost_usd: 1 } })).toMatchObject({
      rule_id: 'icp.fit',
      icp: { fit: 'partial' },
      person: { seniority: 'executive' },
    });
    expect(enrichments()).toEqual(['/v2/combined/find?email=ada%40zoho.test']);
  });

  it('leaves in the trace only what the contract names', async () => {
    const org = await createWith({ rules: [COUNTRY] });
    const answer = await decide(org);
    const { body } = await service.call('GET', `/v1/traces/${answer.trace_id}`, org.keys.viewer);
    expect(body.trace.policy_decision.company).toEqual({
      industry: 'Software',
      employees_range: '51-200',
      country: 'DE',
    });
    expect(body.trace.policy_decision).not.toHaveProperty('person');
    expect(body.trace.policy_decision.enrichment).toEqual([
      { source: 'hunter', outcome: 'found', ms: expect.any(Number), cost_usd: 0.01 },
    ]);
    expect(body.trace.cost_usd).toBe(0.014);
    expect(JSON.stringify(body)).not.toContain('Acme');
  });

  it.each(['down', 'hangs'] as const)(
    'from a vendor that is %s: values missing, degraded, decided all the same',
    async (says) => {
      script.hunter = says;
      const org = await createWith({ rules: [COUNTRY] });
      const answer = await decide(org, { context: { max_latency_ms: 1_500 } });
      expect(answer).toMatchObject({
        decision: 'allow',
        rule_id: 'default',
        company: null,
        enrichment: { asked: true, degraded: true },
      });
      expect(answer.latency_ms).toBeLessThanOrEqual(1_600);
    },
  );

  it.each([
    ['a free mailbox', 'ada@gmail.com'],
    ['a disposable domain', 'ada@mailinator.com'],
    ['a relay', 'ada@privaterelay.appleid.com'],
    ['broken syntax', 'ada'],
  ])('asks for no company of %s', async (_, email) => {
    const org = await createWith({ rules: [COUNTRY] });
    expect((await decide(org, { email })).enrichment).toEqual({ asked: false, cost_usd: 0, degraded: false });
    expect(enrichments()).toEqual([]);
  });

  it('is not asked for under a test key, and not read from what others paid for', async () => {
    const org = await createWith({ rules: [COUNTRY] });
    await decide(org);
    asked.length = 0;
    expect(await decide(org, {}, org.keys.test)).toMatchObject({
      company: null,
      enrichment: { asked: false, degraded: false },
    });
    expect(asked).toEqual([]);
  });

  it('is not asked for while the organisation is out of reach, which counts as failed', async () => {
    const org = await createWith({ rules: [COUNTRY] });
    await decide(org, { email: 'ada@gmail.com' });
    service.breakObject(org.id);
    asked.length = 0;
    expect(await decide(org)).toMatchObject({
      company: null,
      enrichment: { asked: false, cost_usd: 0, degraded: true },
    });
    expect(asked).toEqual([]);
  });
});

describe('the month’s budget', () => {
  it('is never passed, not by requests side by side either', async () => {
    script.hunter = 'knows';
    const org = await createWith({ rules: [rule('person.seniority', 'junior')] }, { enrichment_budget_usd: 0.035 });
    const emails = Array.from({ length: 10 }, (_, i) => `ada${i}@zoho.test`);
    const answers = await Promise.all(emails.map((email) => decide(org, { email })));
    expect(enrichments()).toHaveLength(3);
    expect(answers.filter(({ enrichment }) => enrichment.asked)).toHaveLength(3);
    expect(answers.every(({ enrichment }) => !enrichment.degraded)).toBe(true);
    expect(answers.map(({ enrichment }) => enrichment.limited_by?.join() ?? null)).toEqual(
      answers.map(({ enrichment }) => (enrichment.asked ? null : 'budget')),
    );
    expect((await spent(org)).enrichmentMicros).toBe(30_000);
  });

  it('gets back what was reserved and not billed', async () => {
    const org = await createWith({ rules: [COUNTRY] }, { enrichment_budget_usd: 0.01 });
    script.hunter = 'unknown';
    await decide(org, { email: 'ada@business.test' });
    script.hunter = 'knows';
    expect((await decide(org)).enrichment).toEqual({ asked: true, cost_usd: 0.01, degraded: false });
    expect((await spent(org)).enrichmentMicros).toBe(10_000);
  });
});

describe('the request’s ceilings', () => {
  it.each([
    [0.014, true],
    [0.0139, false],
    [0, false],
  ])('a decision of at most $%d asks for enrichment: %s', async (max_cost_usd, asks) => {
    const org = await createWith({ rules: [COUNTRY] });
    const answer = await decide(org, { context: { max_cost_usd } });
    expect(answer.enrichment).toMatchObject({ asked: asks, degraded: false });
    expect(answer.enrichment.limited_by).toEqual(asks ? undefined : ['cost_ceiling']);
    expect(answer.cost_usd).toBeLessThanOrEqual(max_cost_usd);
  });

  it.each([
    [0.006, 1],
    [0.0059, 0],
    [0, 0],
  ])('a decision of at most $%d makes %i requests of the model about the domain', async (max_cost_usd, requests) => {
    const org = await createWith({ rules: [rule('screening.domain_check', 'lookalike')] });
    const answer = await decide(org, { email: `ada@${requests}x.bulk.test`, context: { max_cost_usd } });
    expect(models()).toHaveLength(requests);
    expect(answer.screening).toMatchObject({ domain_check: requests === 1 ? 'ok' : 'not_checked', degraded: false });
    expect(answer.cost_usd).toBeLessThanOrEqual(max_cost_usd);
  });

  it('ask no vendor at a latency of 0', async () => {
    const org = await createWith({ rules: [rule('screening.domain_check', 'lookalike'), COUNTRY] });
    const answer = await decide(org, { context: { max_latency_ms: 0 } });
    expect(asked).toEqual([]);
    expect(answer).toMatchObject({ cost_usd: 0, enrichment: { asked: false, degraded: false } });
  });
});

// Runs last: the circuit stays open for a while.
describe('an outage', () => {
  it('costs nothing, is named by the trace, and puts a vendor aside after five failures', async () => {
    script.hunter = 'down';
    const org = await createWith({ rules: [COUNTRY] });
    const answers = [];
    for (let i = 0; i < 8; i += 1) answers.push(await decide(org, { email: `ada@d${i}.zoho.test` }));
    expect(enrichments().length).toBeLessThanOrEqual(5);
    for (const { enrichment } of answers) expect(enrichment).toMatchObject({ cost_usd: 0, degraded: true });
    expect((await spent(org)).enrichmentMicros).toBe(0);
    const { body } = await service.call('GET', `/v1/traces/${answers.at(-1)?.trace_id}`, org.keys.viewer);
    expect(body.trace.policy_decision.enrichment).toEqual([
      { source: 'hunter', outcome: 'circuit_open', ms: null, cost_usd: 0 },
    ]);
  });
});
