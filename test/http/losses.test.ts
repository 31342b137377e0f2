import { describe, expect, it } from 'vitest';
import { LossesResponse, LossSimulation } from '../../src/contract/losses.ts';
import { LOSSES, lossesBody } from '../../src/domain/router/losses.ts';
import { startService } from '../support/service.ts';

const service = await startService();
type Organisation = Awaited<ReturnType<typeof service.createOrganisation>>;

const OWN = { bounce: 9, contact_lost: 1, held_good: 0.5, held_bad: 0.25 };
const get = ({ keys }: Organisation, query = '') => service.call('GET', `/v1/losses${query}`, keys.viewer);
const put = ({ keys }: Organisation, body: unknown, headers: Record<string, string> = {}, key = keys.admin) =>
  service.call('PUT', '/v1/losses', key, body, headers);
const verify = async ({ keys }: Organisation, purpose?: string, key = keys.member) => {
  const body = { email: 'ada@google-workspace.test', ...(purpose && { context: { purpose } }) };
  const { body: answer } = await service.call('POST', '/v1/verify', key, body);
  const { body: shown } = await service.call('GET', `/v1/traces/${answer.trace_id}`, keys.admin);
  return { answer, trace: shown.trace };
};

describe('losses', () => {
  it('are the service’s until an admin sets others', async () => {
    const { body, headers } = await get(await service.createOrganisation());
    expect(LossesResponse.strict().parse(body).losses).toEqual({
      version: 0,
      outbound: lossesBody(LOSSES.outbound),
      signup: lossesBody(LOSSES.signup),
      list_hygiene: lossesBody(LOSSES.list_hygiene),
      created_at: null,
      created_by: null,
    });
    expect(headers.get('etag')).toBe('"0"');
  });

  it('are the service’s for an omitted purpose; an empty change restores all of these', async () => {
    const org = await service.createOrganisation();
    const { body } = await put(org, { outbound: OWN });
    const { losses } = LossesResponse.strict().parse(body);
    expect(losses).toMatchObject({ version: 1, outbound: OWN, signup: lossesBody(LOSSES.signup) });
    expect((await put(org, {})).body.losses).toMatchObject({ version: 2, outbound: lossesBody(LOSSES.outbound) });
    expect((await get(org, '?version=1')).body.losses).toEqual(losses);
    expect((await get(org, '?version=0')).body.losses).toMatchObject({ version: 0 });
    expect((await get(org, '?version=3')).status).toBe(404);
  });

  it('are in force for the next request of that purpose, and its trace says which they were', async () => {
    const org = await service.createOrganisation();
    const before = await verify(org, 'list_hygiene');
    expect(before.trace.features.losses).toEqual({ version: 0, ...lossesBody(LOSSES.list_hygiene) });
    // Holding costs more here than the worst outcome of sending.
    const careless = { bounce: 0.01, contact_lost: 9, held_good: 5, held_bad: 5 };
    await put(org, { list_hygiene: careless });
    const after = await verify(org, 'list_hygiene');
    expect([before.answer.recommendation, after.answer.recommendation]).toEqual(['hold', 'send']);
    expect(after.answer.bounce_probability).toBe(before.answer.bounce_probability);
    expect(after.trace.features.losses).toEqual({ version: 1, ...careless });
    expect((await verify(org, 'signup')).trace.features.losses).toEqual({ version: 1, ...lossesBody(LOSSES.signup) });
  });

  it('are the service’s under a test key, and can’t be changed', async () => {
    const org = await service.createOrganisation();
    await put(org, { signup: OWN });
    const { keys } = org;
    const { body: answer } = await service.call('POST', '/v1/verify', keys.test, { email: 'risky@example.com' });
    const { body: shown } = await service.call('GET', `/v1/traces/${answer.trace_id}`, keys.test);
    expect(shown.trace.features.losses.version).toBe(0);
    expect((await put(org, {}, {}, keys.test)).status).toBe(403);
    expect((await put(org, {}, {}, keys.member)).status).toBe(403);
  });

  it('change only where the version named is in force', async () => {
    const org = await service.createOrganisation();
    expect((await put(org, {}, { 'if-match': '"1"' })).body.error.code).toBe('version_conflict');
    expect((await put(org, {}, { 'if-match': '"0"' })).status).toBe(200);
  });

  it.each([
    ['a misspelt purpose', { outbond: OWN }],
    ['a figure too few', { outbound: { ...OWN, bounce: undefined } }],
    ['a figure too many', { outbound: { ...OWN, spam: 1 } }],
    ['a negative figure', { outbound: { ...OWN, bounce: -0.01 } }],
    ['a figure beyond all bounds', { outbound: { ...OWN, bounce: 1e7 } }],
    ['text', { outbound: { ...OWN, bounce: '0.4' } }],
    ['a list', []],
  ])('refuse %s, and change nothing', async (_, body) => {
    const org = await service.createOrganisation();
    expect((await put(org, body)).status).toBe(400);
    expect((await get(org)).body.losses.version).toBe(0);
  });
});

describe('a file', () => {
  it('is judged by the account’s own losses', async () => {
    const org = await service.createOrganisation();
    await put(org, { list_hygiene: { bounce: 0.01, contact_lost: 9, held_good: 5, held_bad: 5 } });
    const { body: created } = await service.call('POST', '/v1/bulk/jobs', org.keys.member, {});
    const path = `/v1/bulk/jobs/${created.job.id}`;
    await service.call('POST', `${path}/paste`, org.keys.member, { emails: ['ada@google-workspace.test'] });
    await service.call('POST', `${path}/start`, org.keys.member, {});
    await service.runJobs(org.id);
    const results = await service.request(`${path}/results.csv`, {
      headers: { authorization: `Bearer ${org.keys.viewer}` },
    });
    expect(await results.text()).toContain(',send,');
  });
});

describe('a simulation of losses', () => {
  const simulate = async ({ keys }: Organisation, body: object, key = keys.member) =>
    service.call('POST', '/v1/losses/simulate', key, body);

  it('shows what others would have recommended, and what the service’s own would', async () => {
    const org = await service.createOrganisation();
    const before = await verify(org, 'list_hygiene');
    expect(before.answer.recommendation).toBe('hold');
    const careless = { bounce: 0.01, contact_lost: 9, held_good: 5, held_bad: 5 };
    const { body } = await simulate(org, { losses: { list_hygiene: careless } });
    expect(LossSimulation.strict().parse(body)).toMatchObject({
      window_days: 90,
      complete: true,
      traces: 1,
      counts: { send: 1, hold: 0 },
      undetermined: 0,
      changed: [{ from: 'hold', to: 'send', count: 1 }],
      sample_trace_ids: [before.answer.trace_id],
    });
    await put(org, { list_hygiene: careless });
    await verify(org, 'list_hygiene');
    const own = (await simulate(org, {})).body;
    expect(own).toMatchObject({ traces: 2, counts: { hold: 2 }, changed: [{ from: 'send', to: 'hold', count: 1 }] });
  });

  it('changes nothing where the losses in force are simulated, for any purpose', async () => {
    const org = await service.createOrganisation();
    for (const purpose of ['outbound', 'signup', 'list_hygiene']) await verify(org, purpose);
    expect((await simulate(org, {})).body).toMatchObject({ traces: 3, undetermined: 0, changed: [] });
  });

  it('refuses what a change would', async () => {
    const org = await service.createOrganisation();
    for (const body of [{ losses: { outbond: OWN } }, { losses: { outbound: {} } }, { window_days: 0 }])
      expect((await simulate(org, body)).status).toBe(400);
    expect((await simulate(org, {}, org.keys.viewer)).status).toBe(403);
  });
});
