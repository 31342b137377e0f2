import { describe, expect, it } from 'vitest';
import { consumeDeadLetters } from '../../src/entrypoints/queue/dead-letters.ts';
import { openBackground } from '../../src/runtime/wiring.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const operate = (method: string, path: string, body?: unknown) =>
  service.call(method, `/operator/v1${path}`, service.operatorKey, body);

describe('organisations', () => {
  it('are listed newest first, and the last page ends without a cursor', async () => {
    await service.createOrganisation();
    await service.createOrganisation();
    const all = (await operate('GET', '/organisations?limit=200')).body;
    expect(all.cursor).toBeNull();
    const ids = all.organisations.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(ids.toSorted((a: string, b: string) => (a < b ? 1 : -1)));
    expect((await operate('GET', `/organisations?limit=${ids.length}`)).body.cursor).toBeNull();
    const first = (await operate('GET', '/organisations?limit=1')).body;
    const rest = (await operate('GET', `/organisations?limit=200&cursor=${first.cursor}`)).body;
    expect(rest.organisations.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1));
  });

  it.each([{ name: 'a\u0000b' }, { name: 'line\nbreak' }, { name: '\ud800' }, { name: '  ' }, { rate_per_minute: 0 }])(
    'refuse %j with 400, and stay as they were',
    async (body) => {
      const { id, keys } = await service.createOrganisation();
      expect((await operate('POST', '/organisations', body)).status).toBe(400);
      expect((await operate('PATCH', `/organisations/${id}`, body)).status).toBe(400);
      expect((await service.call('GET', '/v1/me', keys.viewer)).body.org.name).toBe('Personal org');
    },
  );

  it('are renamed and limited from the next request on', async () => {
    const { id, keys } = await service.createOrganisation();
    await operate('PATCH', `/organisations/${id}`, { name: 'Acme', verification_quota: 0 });
    expect((await service.call('GET', '/v1/me', keys.viewer)).body.org.name).toBe('Acme');
    expect((await service.call('GET', '/v1/usage', keys.viewer)).body.quota).toMatchObject({
      remaining: null,
      unmetered: true,
    });
  });

  it('that belong to operators keep their limits, so that operators are never shut out', async () => {
    const operators = '/operator/v1/organisations/org_00000000000000000000000000';
    const change = (body: object) => service.call('PATCH', operators, service.operatorKey, body);
    for (const limits of [{ rate_per_minute: 1 }, { verification_quota: 1, name: 'x' }])
      expect(await change(limits)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    expect(await change({ name: 'Operators' })).toMatchObject({ status: 200 });
  });

  it('leave nothing in Postgres when they are deleted while their outbox is being written', async () => {
    const { id, keys, createKey } = await service.createOrganisation();
    service.faults.delayMs = 400;
    for (let i = 0; i < 3; i += 1) {
      await service.call('POST', '/v1/verify', keys.member, { email: `p${i}@business.test` });
      await createKey({ role: 'viewer' });
    }
    const { object } = service.objectOf(id);
    const draining = object.tick();
    expect((await operate('DELETE', `/organisations/${id}`)).status).toBe(200);
    await draining;
    service.faults.delayMs = 10;
    for (const table of ['organisation', 'api_key', 'trace', 'trace_detail', 'usage_month']) {
      const column = table === 'organisation' ? 'id' : 'organisation_id';
      const { rows } = await service.database.query(`select count(*) from ${table} where ${column} = $1`, [id]);
      expect({ table, count: rows[0]?.[0] }).toEqual({ table, count: '0' });
    }
  });

  it('are forgotten by the operators’ object when they are deleted while a sweep notes them', async () => {
    const { id } = await service.createOrganisation();
    const operators = service.operatorsObject();
    const drop = operators.dropOrganisation.bind(operators);
    operators.dropOrganisation = async (dropped) => {
      operators.dropOrganisation = drop;
      await drop(dropped);
      await service.sweep();
    };
    expect((await operate('DELETE', `/organisations/${id}`)).status).toBe(200);
    expect(await operators.listOrganisations()).not.toContain(id);
  });

  it('stay deleted, and are not there, when they are deleted while they are rebuilt', async () => {
    const { id, keys } = await service.createOrganisation();
    const { object } = service.objectOf(id);
    const rebuild = object.rebuild.bind(object);
    object.rebuild = async (snapshot) => {
      expect((await operate('DELETE', `/organisations/${id}`)).status).toBe(200);
      return rebuild(snapshot);
    };
    expect((await operate('POST', `/organisations/${id}/rebuild`)).status).toBe(404);
    expect((await service.call('GET', '/v1/me', keys.viewer)).status).toBe(401);
  });

  it('come back from Postgres with keys, settings and the month’s counts when their object is lost', async () => {
    const { id, keys } = await service.createOrganisation({ verification_quota: 5 });
    for (let i = 0; i < 2; i += 1) await service.call('POST', '/v1/verify', keys.member, { email: 'a@business.test' });
    await service.passTimers(id);
    await service.settle();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await service.passTimers(id);
    service.loseObject(id);
    expect((await service.call('GET', '/v1/me', keys.viewer)).status).toBe(401);
    expect((await operate('POST', `/organisations/${id}/rebuild`)).status).toBe(200);
    // For some seconds the isolate keeps refusing the other key from memory.
    expect((await service.call('GET', '/v1/usage', keys.member)).body.quota).toMatchObject({ limit: 5, used: 2 });
  });
});

describe('forget', () => {
  it('cuts every link to an address, in every organisation and spelling', async () => {
    const orgs = [await service.createOrganisation(), await service.createOrganisation()];
    const ids: string[] = [];
    for (const org of orgs) {
      ids.push(
        (await service.call('POST', '/v1/verify', org.keys.member, { email: 'Eve@Business.test' })).body.trace_id,
      );
      await operate('POST', `/organisations/${org.id}/users`, { email: ' Eve@business.test ' });
    }
    const { body } = await operate('POST', '/forget', { email: 'eve@BUSINESS.test' });
    expect(body).toEqual({ forgotten: { traces: 2, rules: 0, users: 1 }, pending: [], incomplete: [], cursor: null });
    for (const [index, org] of orgs.entries()) {
      const { trace } = (await service.call('GET', `/v1/traces/${ids[index]}`, org.keys.viewer)).body;
      expect(trace).toMatchObject({ display: '•••', domain: '' });
    }
  });

  it('names the unreachable organisation, and continues', async () => {
    const broken = await service.createOrganisation();
    const org = await service.createOrganisation();
    await service.call('POST', '/v1/verify', org.keys.member, { email: 'mallory@business.test' });
    service.breakObject(broken.id);
    const { status, body } = await operate('POST', '/forget', { email: 'mallory@business.test' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ forgotten: { traces: 1 }, incomplete: [broken.id] });
  });

  it('refuses what is not an address', async () => {
    expect((await operate('POST', '/forget', { email: 'nobody' })).status).toBe(400);
  });
});

describe('status', () => {
  it('reports what each object holds, what the crons did and what all isolates counted', async () => {
    const { id, keys } = await service.createOrganisation();
    await service.call('POST', '/v1/verify', keys.member, { email: 'a@business.test' });
    const { body } = await operate('GET', '/status');
    const row = body.organisations.find((each: { id: string }) => each.id === id);
    expect(row.outbox_rows).toBeGreaterThan(0);
    expect(body.last_24h.counters['object_ms:authorize'].count).toBeGreaterThan(0);
    expect(body.totals.outbox_rows).toBeGreaterThanOrEqual(row.outbox_rows);
    expect(body.unread).toEqual([]);
  });

  it('sums up what other isolates reported of a provider, and counts what queues gave up on', async () => {
    const operators = service.operatorsObject();
    const total = (count: number, sum: number) => ({ count, sum, max: sum });
    await operators.addCounters({
      'provider_ms:reacher': total(3, 900),
      'provider_failed:reacher:timeout': total(1, 1),
    });
    const letter = (id: string, body: string) => ({ id, body: { v: 1, job_id: body }, ack: () => undefined });
    let acknowledged = 0;
    const batch = {
      queue: 'email-verification-bulk-dead',
      messages: [letter('m1', 'bj_1'), letter('m2', 'bj_2')],
      ackAll: () => void (acknowledged += 1),
      retryAll: () => undefined,
    };
    for (let times = 0; times < 2; times += 1)
      await consumeDeadLetters(
        batch as never,
        openBackground(service.env as never, () => undefined),
      );
    expect(acknowledged).toBe(2);
    const { body } = await operate('GET', '/status');
    expect(body.providers).toContainEqual({
      provider: 'reacher',
      calls: 4,
      failed: 1,
      error_rate: 0.25,
      mean_ms: 300,
      max_ms: 900,
    });
    expect(body.dead_letters).toMatchObject([{ queue: 'email-verification-bulk', count: 2 }]);
    expect(JSON.parse(body.dead_letters[0].newest)).toMatchObject({ v: 1 });
  });

  it('lets a queue bring its dead letters again while the operators’ object is out of reach', async () => {
    const retried: unknown[] = [];
    const batch = {
      queue: 'email-verification-wake-dead',
      messages: [{ id: 'm3', body: {} }],
      ackAll: () => retried.push('acknowledged'),
      retryAll: (options: unknown) => retried.push(options),
    };
    service.objectFault.error = new Error('gone');
    await consumeDeadLetters(
      batch as never,
      openBackground(service.env as never, () => undefined),
    );
    service.objectFault.error = null;
    expect(retried).toEqual([{ delaySeconds: expect.any(Number) }]);
  });
});
