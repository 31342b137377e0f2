import { beforeEach, describe, expect, it } from 'vitest';
import { onPort } from '../support/on-port.ts';
import { startService } from '../support/service.ts';

const PRICE_USD = 0.004;
let asked = 0;
const vendor = await onPort(async () => {
  asked += 1;
  return Response.json({ success: true, result: 'deliverable', reason: 'accepted_email', role: false });
});
const service = await startService({
  KICKBOX_API_KEY: 'key',
  KICKBOX_BASE_URL: vendor,
  KICKBOX_COST_USD: `${PRICE_USD}`,
});
type Organisation = Awaited<ReturnType<typeof service.createOrganisation>>;
beforeEach(() => {
  asked = 0;
});

const withBudget = (calls: number | null) =>
  service.createOrganisation({ provider_budget_usd: calls === null ? null : calls * PRICE_USD });
let numbers = 0;
const verify = ({ keys }: Organisation) => {
  numbers += 1;
  return service.call('POST', '/v1/verify', keys.member, { email: `ada${numbers}@d${numbers}.google-workspace.test` });
};
const traceOf = async ({ keys }: Organisation, id: string) =>
  (await service.call('GET', `/v1/traces/${id}`, keys.admin)).body.trace;

describe('an organisation’s provider budget', () => {
  it('is unlimited unless an operator sets one, who reads it and lifts it again', async () => {
    const { id } = await service.createOrganisation();
    const path = `/operator/v1/organisations/${id}`;
    const change = async (provider_budget_usd: unknown) =>
      service.call('PATCH', path, service.operatorKey, { provider_budget_usd });
    expect((await change(1.5)).body.organisation.provider_budget_usd).toBe(1.5);
    expect((await change(0)).body.organisation.provider_budget_usd).toBe(0);
    expect((await change(null)).body.organisation.provider_budget_usd).toBeNull();
    for (const bad of [-1, '1', 1e7]) expect((await change(bad)).status).toBe(400);
  });

  it('pays for what fits; then answers are local, not degraded, and the trace says why', async () => {
    const org = await withBudget(2);
    const answers = [await verify(org), await verify(org), await verify(org)].map(({ body }) => body);
    expect(asked).toBe(2);
    expect(answers.map(({ cost_usd }) => cost_usd)).toEqual([PRICE_USD, PRICE_USD, 0]);
    const last = answers[2];
    expect(last).toMatchObject({ providers: {} });
    expect(last).not.toHaveProperty('degraded');
    expect(last.verdict).not.toBe('unknown');
    const { route } = await traceOf(org, last.trace_id);
    expect(route).toMatchObject([{ choice: 'stop', excluded: [{ provider: 'kickbox', why: 'budget' }] }]);
    const { body: usage } = await service.call('GET', '/v1/usage', org.keys.viewer);
    expect(usage.provider_spend_usd).toBe(2 * PRICE_USD);
    expect(usage.budgets.providers).toEqual({ limit_usd: 2 * PRICE_USD, used_usd: 2 * PRICE_USD });
  });

  it('is not passed by requests side by side', async () => {
    const org = await withBudget(5);
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(org)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(asked).toBe(5);
  });

  it('holds for a file too, to the last call', async () => {
    const org = await withBudget(7);
    const call = (method: string, path: string, body: object = {}) =>
      service.call(method, `/v1/bulk/jobs${path}`, org.keys.member, method === 'GET' ? undefined : body);
    const { id } = (await call('POST', '')).body.job;
    const emails = Array.from({ length: 30 }, (_, i) => `b${i}@e${i}.google-workspace.test`);
    await call('POST', `/${id}/paste`, { emails });
    await call('POST', `/${id}/start`);
    await service.runJobs(org.id);
    expect((await call('GET', `/${id}`)).body.job.state).toBe('done');
    expect(asked).toBe(7);
    const { body: usage } = await service.call('GET', '/v1/usage', org.keys.viewer);
    expect(usage.provider_spend_usd).toBeCloseTo(7 * PRICE_USD, 9);
    expect((await verify(org)).body.providers).toEqual({});
  });
});

describe('a file says when and why no provider is asked', () => {
  const NONE = { terminal: 0, rule: 0, recent: 0, catch_all: 0, budget: 0, no_provider: 0 };

  async function file(org: Organisation, emails: readonly string[], key = org.keys.member) {
    const call = (method: string, path: string, body?: object) =>
      service.call(method, `/v1/bulk/jobs${path}`, key, body);
    const { id } = (await call('POST', '', {})).body.job;
    await call('POST', `/${id}/paste`, { emails });
    const { body: estimate } = await call('GET', `/${id}/estimate`);
    await call('POST', `/${id}/start`, {});
    await service.runJobs(org.id);
    return { estimate, job: (await call('GET', `/${id}`)).body.job };
  }
  const someone = (n: number): string => `c${n}@f${n}.google-workspace.test`;

  it('some are: no reason, and the counts', async () => {
    const { estimate, job } = await file(await withBudget(null), [someone(1), someone(2), 'x@nxdomain.test']);
    expect(estimate).toMatchObject({ not_asked: { ...NONE, terminal: 1 }, provider_budget_remaining_usd: null });
    expect(job).toMatchObject({ providers_asked: 2, providers_not_asked: { settled: 1 } });
  });

  it('the budget is spent', async () => {
    const { estimate, job } = await file(await withBudget(0), [someone(3), someone(4)]);
    expect(estimate).toMatchObject({ not_asked: { ...NONE, budget: 2 }, provider_budget_remaining_usd: 0 });
    expect(estimate).toMatchObject({ max_cost_usd: 0, expected_cost_usd: 0 });
    expect(job).toMatchObject({ providers_asked: 0, providers_not_asked: { budget_spent: 2 } });
  });

  it('each row is, whatever an answer is worth: behind Barracuda nearly every server accepts everything', async () => {
    const { estimate, job } = await file(await withBudget(null), ['ada@barracuda.test', 'bob@barracuda.test']);
    expect(estimate.not_asked).toEqual(NONE);
    expect(job).toMatchObject({ providers_asked: 2, providers_not_asked: {} });
  });

  it('all of it is known', async () => {
    const org = await withBudget(null);
    await file(org, [someone(5), someone(6)]);
    const { estimate, job } = await file(org, [someone(5), someone(6)]);
    expect(estimate).toMatchObject({ to_verify: 0, not_asked: { ...NONE, recent: 2 } });
    expect(job).toMatchObject({ providers_asked: 0, providers_not_asked: { known: 2 } });
  });

  it('the key is a test key', async () => {
    const org = await withBudget(null);
    const { estimate, job } = await file(org, [someone(7)], org.keys.test);
    expect(estimate.not_asked).toEqual({ ...NONE, no_provider: 1 });
    expect(job).toMatchObject({ providers_asked: 0, providers_not_asked: { test_key: 1 } });
  });
});
