import { createServer } from 'node:http';
import Papa from 'papaparse';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BulkEstimate } from '../../src/contract/bulk.ts';
import type { PolicyDocument } from '../../src/contract/policy.ts';
import { TraceResponse } from '../../src/contract/traces.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { listening } from '../support/on-port.ts';
import { startService } from '../support/service.ts';

/** An enrichment vendor that knows every company, and the addresses it was asked about. */
const asked: string[] = [];
const COMPANY = { name: 'Acme', category: { industry: 'Software' }, geo: { countryCode: 'DE' }, metrics: {} };
const vendor = createServer((request, response) => {
  asked.push(new URL(request.url ?? '', 'http://vendor').searchParams.get('domain') ?? '');
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: COMPANY }));
});
const origin = await listening(vendor);
const service = await startService({
  ENRICHMENT_HUNTER_API_KEY: 'k',
  ENRICHMENT_HUNTER_BASE_URL: origin,
  ENRICHMENT_HUNTER_COST_USD: '0.01',
});
beforeEach(() => {
  asked.length = 0;
  for (const key of service.facts.keys()) if (key.startsWith('company:')) service.facts.delete(key);
});

const POLICY: PolicyDocument = {
  name: 'For lists',
  rules: [
    { id: 'gone', when: { path: 'verification.recommendation', op: 'eq', value: 'drop' }, decision: 'deny' },
    { id: 'roles', when: { path: 'verification.email_type', op: 'eq', value: 'role' }, decision: 'challenge' },
    { id: 'purpose', when: { path: 'context.purpose', op: 'ne', value: 'list_hygiene' }, decision: 'review' },
    {
      id: 'free',
      when: { path: 'verification.email_type', op: 'eq', value: 'free' },
      decision: 'allow_with_flow',
      flow: 'confirm',
    },
  ],
  default: 'allow',
};
const COUNTRY: PolicyDocument = {
  name: 'By country',
  rules: [{ id: 'germany', when: { path: 'company.country', op: 'eq', value: 'DE' }, decision: 'review' }],
  default: 'allow',
};
const FILE = 'email\nada@business.test\ninfo@business.test\nbob.king@gmail.com\nwho@nxdomain.test\nnobody\n';

async function open(policy: PolicyDocument, limits: object = {}, slug = 'lists') {
  const organisation = await service.createOrganisation(limits);
  const put = (document: PolicyDocument) =>
    service.call('PUT', `/v1/policies/${slug}`, organisation.keys.admin, document);
  expect((await put(policy)).status).toBe(200);
  const call = (method: string, path: string, body?: object, key = organisation.keys.member) =>
    service.call(method, `/v1/bulk/jobs${path}`, key, body);
  const download = async (id: string, segment = 'all') => {
    const headers = { authorization: `Bearer ${organisation.keys.viewer}` };
    const response = await service.request(`/v1/bulk/jobs/${id}/results.csv?segment=${segment}`, { headers });
    const { data } = Papa.parse<Record<string, string>>(await response.text(), { header: true, skipEmptyLines: true });
    return { status: response.status, data };
  };
  return {
    organisation,
    put,
    call,
    download,
    run: () => service.runJobs(organisation.id),
    usage: async () => (await service.objectOf(organisation.id).object.usage()).usage,
    async ready(file = FILE, wishes: object = { policy_slug: slug }, key = organisation.keys.member): Promise<string> {
      const { id } = (await call('POST', '', wishes, key)).body.job;
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv' };
      const init = { method: 'PUT', headers, body: file };
      expect((await service.request(`/v1/bulk/jobs/${id}/upload`, init)).status).toBe(200);
      return id;
    },
  };
}

describe('a job with a policy', () => {
  it('decides every row, has the decision’s segments, and blocks by them', async () => {
    const { call, ready, run, download, organisation } = await open(POLICY);
    const id = await ready();
    expect((await call('POST', `/${id}/start`, {})).body.job).toMatchObject({ policy_slug: 'lists' });
    await run();
    const rows = (await download(id)).data;
    expect(rows.map((row) => [row.svc_status, row.svc_decision, row.svc_decision_rule])).toEqual([
      ['ok', 'allow', 'default'],
      ['ok', 'challenge', 'roles'],
      ['ok', 'allow_with_flow', 'free'],
      ['ok', 'deny', 'gone'],
      ['skipped', '', ''],
    ]);
    expect((await call('GET', `/${id}`)).body.job.breakdown.decision).toEqual({
      allow: 1,
      challenge: 1,
      allow_with_flow: 1,
      deny: 1,
    });
    const last = 'svc_decision svc_decision_rule svc_trace_id svc_did_you_mean svc_basis svc_warning'.split(' ');
    expect(Object.keys(rows[0] ?? {}).slice(-6)).toEqual(last);
    const shown = (await call('GET', `/${id}/preview`)).body.rows;
    expect(shown.map(({ result }: { result: { rule_id: string | null } }) => result.rule_id)).toEqual([
      'default',
      'roles',
      'free',
      'gone',
      null,
    ]);
    const emails = async (segment: string) => (await download(id, segment)).data.map((row) => row.email);
    expect(await emails('allow')).toEqual(['ada@business.test', 'bob.king@gmail.com']);
    expect(await emails('review')).toEqual(['info@business.test']);
    expect(await emails('deny')).toEqual(['who@nxdomain.test']);
    expect(await emails('business')).toEqual(['ada@business.test']);
    for (const segment of ['deliverable', 'undeliverable']) expect((await download(id, segment)).status).toBe(400);
    expect(await call('POST', `/${id}/block`, { segment: 'undeliverable' })).toMatchObject({
      status: 400,
      body: { error: { message: 'The job has a policy, so `segment` must be one of `deny`, `review`.' } },
    });
    expect((await call('POST', `/${id}/block`, { segment: 'deny' })).body).toMatchObject({ added: 1, total: 1 });

    const path = `/v1/traces/${rows[1]?.svc_trace_id}`;
    const { trace } = TraceResponse.parse((await service.call('GET', path, organisation.keys.viewer)).body);
    expect(trace).toMatchObject({
      kind: 'bulk',
      bulk_job_id: id,
      policy_decision: null,
      bulk_decision: { decision: 'challenge', rule_id: 'roles', policy: { slug: 'lists', version: 1 } },
    });
    const listed = (await service.call('GET', '/v1/traces?scope=owner', organisation.keys.viewer)).body.traces;
    expect(listed.find(({ trace_id: traceId }: { trace_id: string }) => traceId === trace.trace_id)).toMatchObject({
      policy_decision: null,
      bulk_decision: { decision: 'challenge', rule_id: 'roles', policy: { slug: 'lists', version: 1 } },
    });
  });

  it('without one leaves out the columns, and the decision in its traces', async () => {
    const { call, ready, run, download, organisation } = await open(POLICY);
    const id = await ready(FILE, {});
    await call('POST', `/${id}/start`, {});
    await run();
    const [row] = (await download(id)).data;
    expect(Object.keys(row ?? {})).not.toContain('svc_decision');
    expect((await download(id, 'deny')).status).toBe(400);
    expect((await call('GET', `/${id}`)).body.job.breakdown.decision).toBeNull();
    const { body } = await service.call('GET', `/v1/traces/${row?.svc_trace_id}`, organisation.keys.viewer);
    expect(body.trace).toMatchObject({ policy_decision: null, bulk_decision: null });
  });

  it('is 404 when the account lacks the policy, when it is made and when it is changed', async () => {
    const { call, ready } = await open(POLICY);
    expect((await call('POST', '', { policy_slug: 'none' })).status).toBe(404);
    const id = await ready(FILE, {});
    expect((await call('PATCH', `/${id}`, { policy_slug: 'none' })).status).toBe(404);
    expect((await call('PATCH', `/${id}`, { policy_slug: 'lists' })).body.job.policy_slug).toBe('lists');
    expect((await call('PATCH', `/${id}`, { policy_slug: null })).body.job.policy_slug).toBeNull();
  });

  it('runs the version it began with to its end', async () => {
    const { call, ready, run, put, download, organisation } = await open(POLICY, { verification_quota: 2 });
    const id = await ready();
    expect((await put({ ...POLICY, default: 'review' })).status).toBe(200);
    await call('POST', `/${id}/start`, { allow_partial: true });
    await run();
    await put({ ...POLICY, rules: [], default: 'deny' });
    const limits = { verification_quota: 100 };
    await service.call('PATCH', `/operator/v1/organisations/${organisation.id}`, service.operatorKey, limits);
    await run();
    expect((await download(id)).data.map((row) => row.svc_decision)).toEqual([
      'review',
      'challenge',
      'allow_with_flow',
      'deny',
      '',
    ]);
  });
});

describe('enrichment in a job', () => {
  const LIST = `email\n${['a@business.test', 'b@business.test', 'c@zoho.test', 'dora.king@gmail.com'].join('\n')}\n`;

  it('is in the estimate, is asked where a rule turns on it, and is counted once', async () => {
    const { call, ready, run, download, usage } = await open(COUNTRY);
    const id = await ready(LIST);
    const { body: estimate } = await call('GET', `/${id}/estimate`);
    expect(BulkEstimate.parse(estimate)).toMatchObject({
      enrichment_max_cost_usd: 0.04,
      max_cost_usd: 0.04,
      expected_cost_usd: 0.04,
    });
    await call('POST', `/${id}/start`, {});
    await run();
    const { data } = await download(id);
    expect(data.map((row) => row.svc_decision_rule)).toEqual(['germany', 'germany', 'germany', 'default']);
    expect(asked.toSorted()).toEqual(['business.test', 'zoho.test']);
    expect(await usage()).toMatchObject({ enrichmentMicros: 20_000, spendMicros: 0 });
  });

  it('is asked for and counted once when a chunk runs twice', async () => {
    const { call, ready, run, usage, download } = await open(COUNTRY);
    const id = await ready(LIST);
    await call('POST', `/${id}/start`, {});
    const store = service.files.bucket.put;
    const put = vi.spyOn(service.files.bucket, 'put');
    put.mockImplementation((key, value) => {
      if (!key.includes('/results/')) return store(key, value);
      put.mockRestore();
      return Promise.reject(new Error('ended here'));
    });
    await run();
    expect((await call('GET', `/${id}`)).body.job.state).toBe('running');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + MINUTE_MS });
    await run();
    vi.useRealTimers();
    expect((await download(id)).data.map((row) => row.svc_decision_rule)).toEqual([
      'germany',
      'germany',
      'germany',
      'default',
    ]);
    expect(asked).toHaveLength(2);
    expect(await usage()).toMatchObject({ enrichmentMicros: 20_000, calls: { bulk: 4 } });
  });

  it('stops where the month’s budget ends: the values are missing, the job goes on', async () => {
    const { call, ready, run, download, usage } = await open(COUNTRY, { enrichment_budget_usd: 0.02 });
    const emails = Array.from({ length: 12 }, (_, i) => `a@d${i}.google-workspace.test`);
    const id = await ready(`email\n${emails.join('\n')}\n`);
    expect((await call('GET', `/${id}/estimate`)).body.enrichment_max_cost_usd).toBe(0.02);
    await call('POST', `/${id}/start`, {});
    await run();
    const rules = (await download(id)).data.map((row) => row.svc_decision_rule);
    expect(rules.filter((rule) => rule === 'germany')).toHaveLength(2);
    expect(asked).toHaveLength(2);
    expect(await usage()).toMatchObject({ enrichmentMicros: 20_000, calls: { bulk: 12 } });
  });

  it('is not asked for under a test key', async () => {
    const { call, ready, run, usage, organisation } = await open(COUNTRY);
    const key = organisation.keys.test;
    const id = await ready(LIST, { policy_slug: 'lists' }, key);
    expect((await call('GET', `/${id}/estimate`, undefined, key)).body.enrichment_max_cost_usd).toBe(0);
    await call('POST', `/${id}/start`, {}, key);
    await run();
    expect(asked).toEqual([]);
    expect(await usage()).toMatchObject({ enrichmentMicros: 0, calls: { bulk: 0 } });
  });
});
