import { afterEach, describe, expect, it } from 'vitest';
import { captureLog } from '../support/capture-log.ts';
import { startService } from '../support/service.ts';

const service = await startService();

afterEach(() => {
  service.faults.down = false;
});

const operator = (method: string, path: string, body?: unknown) =>
  service.call(method, `/operator/v1/${path}`, service.operatorKey, body);
const verify = (key: string, email = 'ada@business.test') => service.call('POST', '/v1/verify', key, { email });

describe('while Postgres is away, of an organisation', () => {
  it('a leaked key is revoked, and refused from the next request on', async () => {
    const org = await service.createOrganisation();
    service.faults.down = true;
    const { keys } = (await operator('GET', `organisations/${org.id}/keys`)).body;
    const leaked = keys.find(({ role }: { role: string }) => role === 'admin');
    expect((await operator('DELETE', `organisations/${org.id}/keys/${leaked.id}`)).status).toBe(200);
    expect((await verify(org.keys.admin)).status).toBe(401);
  });

  it('a key is made that works, and Postgres has both once it is back', async () => {
    const org = await service.createOrganisation();
    service.faults.down = true;
    const made = await operator('POST', `organisations/${org.id}/keys`, { name: 'new', role: 'member' });
    expect(made.status).toBe(201);
    expect((await verify(made.body.key.key)).status).toBe(200);
    service.faults.down = false;
    await service.objectOf(org.id).object.flush(null);
    const { rows } = await service.database.query('select name from api_key where organisation_id = $1', [org.id]);
    expect(rows.flat()).toContain('new');
  });

  it('limits and name change, and the list shows them once Postgres is back', async () => {
    const org = await service.createOrganisation();
    service.faults.down = true;
    const changed = await operator('PATCH', `organisations/${org.id}`, { verification_quota: 1, name: 'Renamed' });
    expect(changed.body.organisation).toMatchObject({ verification_quota: 1, name: 'Renamed' });
    expect([(await verify(org.keys.member)).status, (await verify(org.keys.member)).status]).toEqual([200, 402]);
    service.faults.down = false;
    await service.objectOf(org.id).object.flush(null);
    const { body } = await operator('GET', 'organisations');
    expect(body.organisations[0]).toMatchObject({ id: org.id, name: 'Renamed', verification_quota: 1 });
  });

  it('its failures are counted for it, and the sandbox’s are not', async () => {
    const org = await service.createOrganisation();
    const counted = async () => {
      const { counters } = (await operator('GET', 'status')).body.last_24h;
      return ['postgres', 'bug'].map((of) => counters[`request_failed:${of}`]?.count ?? 0);
    };
    const [failed = 0, bugs] = await counted();
    service.faults.down = true;
    expect((await service.call('GET', '/v1/traces', org.keys.viewer)).status).toBe(503);
    expect((await verify(org.keys.test, 'internal-error@example.com')).status).toBe(500);
    service.faults.down = false;
    expect(await counted()).toEqual([failed + 1, bugs]);
  });

  it('rules are changed by traces that the object holds', async () => {
    const org = await service.createOrganisation();
    const written = (await verify(org.keys.member, 'old@business.test')).body.trace_id;
    await service.objectOf(org.id).object.flush(null);
    service.faults.down = true;
    const held = (await verify(org.keys.member)).body.trace_id;
    const decided = await service.call('POST', '/v1/decide', org.keys.member, { email: 'bob@business.test' });
    const add = (...trace_ids: string[]) =>
      service.call('POST', '/v1/addresses/blocklist', org.keys.member, { trace_ids });
    const { trace_id, verification } = decided.body;
    expect((await add(held, trace_id, verification.trace_id)).body).toMatchObject({
      added: 2,
      unchanged: 0,
      rejected: [],
    });
    expect((await verify(org.keys.member)).body.reason).toBe('address_blocklisted');
    expect(await add(held, written)).toMatchObject({
      status: 503,
      body: { error: { code: 'dependency_unavailable' } },
    });
  });

  it('the content of another organisation’s object stays unknown', async () => {
    const [mine, theirs] = [await service.createOrganisation(), await service.createOrganisation()];
    service.faults.down = true;
    const { trace_id } = (await verify(theirs.keys.member)).body;
    const { status } = await service.call('POST', '/v1/addresses/blocklist', mine.keys.member, {
      trace_ids: [trace_id],
    });
    expect(status).toBe(503);
  });
});

describe('while Postgres is away', () => {
  it.each([
    ['GET', '/v1/traces', 'viewer'],
    ['GET', '/v1/screenings', 'viewer'],
    ['GET', '/v1/segments', 'viewer'],
    ['GET', '/v1/recommendations', 'viewer'],
    ['GET', '/v1/calibration', 'viewer'],
    ['GET', '/v1/policies/default/experiments', 'viewer'],
    ['GET', '/operator/v1/organisations', 'operator'],
  ] as const)('%s %s is 503 with Retry-After, and no bug in the log', async (method, path, role) => {
    const org = await service.createOrganisation();
    service.faults.down = true;
    const log = captureLog();
    const key = role === 'operator' ? service.operatorKey : org.keys[role];
    const { status, headers, body } = await service.call(method, path, key);
    expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'dependency_unavailable' });
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    const outages = log.filter((line) => line.includes('"event":"dependency_failed","dependency":"postgres"'));
    expect(outages.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ request_id: body.error.trace_id, cause: expect.stringMatching(/./) }),
    ]);
    expect(outages.join().match(/"stack":/g)).toHaveLength(1);
    expect(JSON.stringify(body)).not.toContain(JSON.parse(outages[0] ?? '{}').cause);
    expect(log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it.each(['me', 'usage', 'policies', 'domains/blocklist', 'addresses/allowlist', 'bulk/jobs'])(
    'GET /v1/%s is answered',
    async (path) => {
      const org = await service.createOrganisation();
      service.faults.down = true;
      expect((await service.call('GET', `/v1/${path}`, org.keys.viewer)).status).toBe(200);
    },
  );
});

describe('forget while Postgres is away', () => {
  const forget = async (email = 'ada@business.test') => (await operator('POST', 'forget', { email })).body;

  it('is done at once in objects and caches, and in Postgres when it is back, without another call', async () => {
    const org = await service.createOrganisation();
    await operator('POST', `organisations/${org.id}/users`, { email: 'Mia@business.test' });
    const block = (emails: string[]) => service.call('POST', '/v1/addresses/blocklist', org.keys.member, { emails });
    await verify(org.keys.member, 'mia@business.test');
    await service.objectOf(org.id).object.flush(null);
    await block(['mia@business.test', 'kay@business.test']);
    service.faults.down = true;
    // The object still holds this trace when the address is forgotten.
    await verify(org.keys.member, 'mia@business.test');
    const { forgotten, pending, incomplete } = await forget('mia@business.test');
    expect(forgotten).toMatchObject({ rules: 1, traces: 0, users: 0 });
    expect(pending).toContain(org.id);
    expect(incomplete).toEqual([]);
    const list = await service.call('GET', '/v1/addresses/blocklist', org.keys.viewer);
    expect(list.body.entries.map(({ display }: { display: string }) => display)).toEqual(['k•••@business.test']);
    expect((await operator('GET', 'status')).body.totals.erasures).toBeGreaterThan(0);

    service.faults.down = false;
    await service.passFailures(org.id);
    const { rows } = await service.database.query(
      'select address_hash, display from trace where organisation_id = $1',
      [org.id],
    );
    expect(rows).toEqual([
      [null, '•••'],
      [null, '•••'],
    ]);
    const users = await service.database.query('select email from app_user where organisation_id = $1', [org.id]);
    expect(users.rows).toEqual([]);
    expect((await service.objectOf(org.id).object.status())?.erasures).toBe(0);
  });

  it('cuts off no other organisation', async () => {
    const org = await service.createOrganisation();
    await operator('POST', `organisations/${org.id}/users`, { email: 'kay@business.test' });
    await verify(org.keys.member, 'kay@business.test');
    service.faults.down = true;
    await forget();
    service.faults.down = false;
    const { object } = service.objectOf(org.id);
    await object.flush(null);
    await service.passTimers(org.id);
    const { rows } = await service.database.query('select display from trace where organisation_id = $1', [org.id]);
    expect(rows).toEqual([['k•••@business.test']]);
    const users = await service.database.query('select email from app_user where organisation_id = $1', [org.id]);
    expect(users.rows).toEqual([['kay@business.test']]);
  });

  it('is carried on by the object’s own timer', async () => {
    const org = await service.createOrganisation();
    await verify(org.keys.member);
    await service.objectOf(org.id).object.flush(null);
    service.faults.down = true;
    await forget();
    service.faults.down = false;
    await service.passFailures(org.id);
    const { rows } = await service.database.query('select display from trace where organisation_id = $1', [org.id]);
    expect(rows).toEqual([['•••']]);
  });

  it('names an organisation whose object is out of reach too, and stops naming one that is deleted', async () => {
    const [broken, gone] = [await service.createOrganisation(), await service.createOrganisation()];
    await operator('DELETE', `organisations/${gone.id}`);
    service.breakObject(broken.id);
    service.faults.down = true;
    const { pending, incomplete } = await forget();
    expect(incomplete).toEqual([broken.id]);
    expect(pending).not.toContain(gone.id);
  });
});

describe('status while Postgres is away', () => {
  it('reports each organisation as its object knows it, and what could not be read', async () => {
    const org = await service.createOrganisation();
    service.faults.down = true;
    await verify(org.keys.member);
    const { status, body } = await operator('GET', 'status');
    expect(status).toBe(200);
    expect(body.unread).toHaveLength(1);
    expect(body.cron).toEqual([]);
    const row = body.organisations.find(({ id }: { id: string }) => id === org.id);
    expect(row.outbox_rows).toBeGreaterThan(0);
    expect(body.last_24h.counters['object_ms:authorize'].count).toBeGreaterThan(0);
  });

  it('knows organisations that were made before the list was kept, from the night', async () => {
    const org = await service.createOrganisation();
    const operators = service.operatorsObject();
    await operators.dropOrganisation(org.id as `org_${string}`);
    await service.runNight(org.id);
    service.faults.down = true;
    const { body } = await operator('GET', 'status');
    expect(body.organisations.map(({ id }: { id: string }) => id)).toContain(org.id);
  });
});

describe('an organisation whose deletion was interrupted', () => {
  async function interrupted() {
    const org = await service.createOrganisation();
    await verify(org.keys.member);
    await service.objectOf(org.id).object.flush(null);
    service.faults.down = true;
    expect((await operator('DELETE', `organisations/${org.id}`)).status).toBe(503);
    service.faults.down = false;
    return org;
  }
  const rows = async (table: string, id: string) =>
    (await service.database.query(`select * from ${table} where organisation_id = $1`, [id])).rows;

  it.each([
    ['POST', 'rebuild', undefined],
    ['GET', 'keys', undefined],
    ['POST', 'keys', { name: 'late', role: 'admin' }],
    ['DELETE', 'keys/key_00000000000000000000000000', undefined],
    ['PATCH', '', { name: 'Late' }],
    ['POST', 'connections', { kind: 'stripe', webhook_secret: 'whsec_0123456789' }],
    ['GET', 'connections', undefined],
    ['POST', 'users', { email: 'late@business.test' }],
  ])('is gone for %s /%s', async (method, path, body) => {
    const { id } = await interrupted();
    const answer = await operator(method, `organisations/${id}/${path}`.replace(/\/$/, ''), body);
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    expect(await rows('processor_connection', id)).toEqual([]);
  });

  it('is deleted to the end by a repeat, and by one more', async () => {
    const { id } = await interrupted();
    for (let repeat = 0; repeat < 2; repeat += 1)
      expect(await operator('DELETE', `organisations/${id}`)).toMatchObject({ status: 200, body: { done: true } });
    expect([await rows('trace', id), await rows('api_key', id), await rows('policy', id)]).toEqual([[], [], []]);
    expect(
      (await operator('GET', 'organisations')).body.organisations.map((each: { id: string }) => each.id),
    ).not.toContain(id);
  });

  it('is deleted to the end by the night', async () => {
    const { id } = await interrupted();
    expect(await rows('api_key', id)).not.toEqual([]);
    await service.runNight(id);
    expect([await rows('trace', id), await rows('api_key', id)]).toEqual([[], []]);
    expect(
      (await operator('GET', 'organisations')).body.organisations.map((each: { id: string }) => each.id),
    ).not.toContain(id);
  });
});
