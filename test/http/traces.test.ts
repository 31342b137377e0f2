import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { TraceList } from '../../src/contract/traces.ts';
import { startService } from '../support/service.ts';

const service = await startService();

async function setUp(count: number) {
  const org = await service.createOrganisation();
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    // Traces are listed by time, so no two may share a millisecond.
    await sleep(2);
    ids.unshift(
      (await service.call('POST', '/v1/verify', org.keys.member, { email: `p${i}@business.test` })).body.trace_id,
    );
  }
  const list = async (query = '', key = org.keys.viewer) => {
    const { status, body } = await service.call('GET', `/v1/traces${query}`, key);
    return { status, body: status === 200 ? TraceList.parse(body) : body };
  };
  const listIds = async (query = '', key = org.keys.viewer): Promise<string[]> =>
    (await list(query, key)).body.traces.map((row: { trace_id: string }) => row.trace_id);
  return { ...org, ids, list, listIds };
}

describe('GET /v1/traces', () => {
  it('shows newest first what was just answered, without any address', async () => {
    const { ids, list } = await setUp(3);
    const { body } = await list();
    expect(body.traces.map((row: { trace_id: string }) => row.trace_id)).toEqual(ids);
    expect(body.cursor).toBeNull();
    expect(JSON.stringify(body)).not.toMatch(/p\d@/);
  });

  it('pages by cursor, stable while traces are added', async () => {
    const { ids, list, keys } = await setUp(5);
    const first = await list('?limit=2');
    await service.call('POST', '/v1/verify', keys.member, { email: 'later@business.test' });
    const second = await list(`?limit=2&cursor=${first.body.cursor}`);
    const third = await list(`?limit=2&cursor=${second.body.cursor}`);
    const pages = [first, second, third].map(({ body }) =>
      body.traces.map((row: { trace_id: string }) => row.trace_id),
    );
    expect(pages.flat()).toEqual(ids);
    expect(third.body.cursor).toBeNull();
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'cursor=nonsense', 'cursor='])('refuses ?%s with 400', async (query) => {
    const { list } = await setUp(0);
    expect((await list(`?${query}`)).status).toBe(400);
  });

  it('narrows to one key; a key of another organisation is an empty page', async () => {
    const { ids, listIds, createKey } = await setUp(1);
    const other = await createKey({ role: 'member', origin: 'service' });
    const { body } = await service.call('POST', '/v1/verify', other.key, { email: 'a@business.test' });
    expect(await listIds(`?key_id=${other.id}`)).toEqual([body.trace_id]);
    expect(await listIds()).toEqual([body.trace_id, ...ids]);
    const stranger = await service.createOrganisation();
    const theirs = await stranger.createKey({ role: 'member' });
    await service.call('POST', '/v1/verify', theirs.key, { email: 'a@business.test' });
    expect(await listIds(`?key_id=${theirs.id}`)).toEqual([]);
    expect(await listIds('?bulk_job_id=bj_none')).toEqual([]);
  });

  it('shows a manual or service key below admin its own rows, whatever filter it passes', async () => {
    const { ids, listIds, createKey } = await setUp(1);
    const manual = await createKey({ role: 'member', origin: 'manual' });
    const machine = await createKey({ role: 'member', origin: 'service' });
    const own = (await service.call('POST', '/v1/verify', manual.key, { email: 'a@business.test' })).body.trace_id;
    expect(await listIds('', manual.key)).toEqual([own]);
    expect(await listIds(`?key_id=${machine.id}`, manual.key)).toEqual([]);
    expect(await listIds('', machine.key)).toEqual([]);
    const admin = await createKey({ role: 'admin', origin: 'manual' });
    expect(await listIds('', admin.key)).toEqual([own, ...ids]);
  });

  it('keeps live and test traces apart', async () => {
    const { ids, listIds, keys } = await setUp(1);
    const test = (await service.call('POST', '/v1/verify', keys.test, { email: 'a@business.test' })).body.trace_id;
    expect(await listIds()).toEqual(ids);
    expect(await listIds('', keys.test)).toEqual([test]);
  });

  it('labels rows with their key under scope=owner', async () => {
    const { accountId, list, createKey } = await setUp(0);
    const key = await createKey({ role: 'member', origin: 'service' });
    await service.call('POST', '/v1/verify', key.key, { email: 'a@business.test' });
    const { body } = await list('?scope=owner');
    expect(body.traces[0]).toMatchObject({
      account_id: accountId,
      api_key_id: key.id,
      key_name: 'test',
      key_origin: 'service',
      policy_decision: null,
      bulk_decision: null,
    });
    expect((await list('?scope=all')).body.traces[0]).not.toHaveProperty('api_key_id');
  });

  it.each(['key_id=%00', 'key_id=a%00b', 'bulk_job_id=%00', 'bulk_job_id=x'])('?%s matches nothing', async (query) => {
    const { list, keys } = await setUp(1);
    expect(await list(`?${query}`, keys.admin)).toMatchObject({ status: 200, body: { traces: [], cursor: null } });
  });
});

describe('GET /v1/traces/:trace_id', () => {
  it.each([
    'vr_00000000000000000000000000',
    'dc_00000000000000000000000000',
    'vr_7zzzzzzzzzzzzzzzzzzzzzzzzz',
    'vr_',
    'ck_01m7yhb0vvfqvvs27ddrp6khyq',
    'sc_01m7yhb0vvfqvvs27ddrp6khyq',
    `vr_${'0'.repeat(100)}`,
    '%00',
  ])('answers 404 to %s', async (id) => {
    const { keys } = await setUp(0);
    expect((await service.call('GET', `/v1/traces/${id}`, keys.viewer)).status).toBe(404);
  });
});
