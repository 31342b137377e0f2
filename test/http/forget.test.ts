import { describe, expect, it, vi } from 'vitest';
import { bulkCalls } from '../support/bulk-calls.ts';
import { onPort } from '../support/on-port.ts';
import { startService } from '../support/service.ts';
import { findInStores } from '../support/stores.ts';

/** Kickbox on this machine: every domain accepts every recipient. */
const origin = await onPort(async () =>
  Response.json({ success: true, result: 'risky', reason: 'low_deliverability', accept_all: true }),
);
const service = await startService({
  KICKBOX_API_KEY: 'key',
  KICKBOX_BASE_URL: origin,
  KICKBOX_COST_USD: '0.0001',
});

// Every byte of every store is looked at.
vi.setConfig({ testTimeout: 120_000 });

const post = async (path: string, key: string, body: object, headers: Record<string, string> = {}) => {
  const answer = await service.call('POST', path, key, body, headers);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  await service.settle();
  return answer.body;
};
const forget = async (email: string) =>
  (await service.call('POST', '/operator/v1/forget', service.operatorKey, { email })).body;
const places = async (needles: readonly string[]): Promise<string[]> => {
  const found = await findInStores(service, needles);
  return [...new Set(found.map((line) => line.replace(/org_\w+ ?|: .*$/g, '')))];
};

describe('after forget', () => {
  it('no store holds a byte about the person, a live bulk file aside', async () => {
    const email = 'ada.king@ada-lovelace.bulk.test';
    const [organisation, other] = [await service.createOrganisation(), await service.createOrganisation()];
    const { member } = organisation.keys;
    const keyed = (key: string) => ({ 'idempotency-key': key });
    const decided = await post(
      '/v1/decide',
      member,
      { email, attributes: { title: 'Countess-of-Lovelace', plan: 'analytical' } },
      keyed('d'),
    );
    const verified = await post('/v1/verify', member, { email }, keyed('v'));
    await post('/v1/decide', member, { email: 'charles@babbage.bulk.test', attributes: { plan: 'analytical' } });
    await post('/v1/screen', member, { email, name: 'Ada King' }, keyed('s'));
    await post('/v1/verify', other.keys.member, { email });
    for (const { trace_id } of [verified, decided, decided.verification]) {
      const at = Math.floor(Date.now() / 1_000);
      const properties = { machine: 'difference-engine' };
      await post('/v1/events', member, { trace_id, event: 'subscribed', at, properties });
    }
    await post('/v1/outcome', member, { trace_id: verified.trace_id, outcome: 'delivered', smtp_code: `250 ${email}` });
    const users = `/operator/v1/organisations/${organisation.id}/users`;
    await post(users, service.operatorKey, { email, name: 'Ada King-Noel' });
    for (const key of ['company:v1', 'domain-check:v1'])
      service.facts.set(`${key}:${organisation.id}:ada-lovelace.bulk.test`, '{}');
    await service.runNight();
    await post('/v1/addresses/blocklist', member, { emails: [email], note: 'Ada King herself' });

    const { rows } = await service.database.query(
      `select address_hash from trace where domain = 'ada-lovelace.bulk.test' group by 1, organisation_id
       order by organisation_id = $1 desc`,
      [organisation.id],
    );
    const hashes = rows.map(([hash]) => hash ?? '');
    expect(hashes).toHaveLength(2);
    const person = [
      'ada-lovelace',
      'ada.king',
      'ada king',
      'countess-of-lovelace',
      'difference-engine',
      ...hashes,
      ...hashes.map((hash) => hash.slice(0, 16)),
      verified.identity_hash,
    ];
    // A trace that Postgres refused, set aside in the outbox.
    const { sql } = service.objectOf(organisation.id).storage;
    sql.exec(
      "insert into outbox (kind, id, record, at, dead) values ('trace', 'x', ?, 0, 1)",
      JSON.stringify({ addressHash: hashes[0], display: 'a•••@ada-lovelace.bulk.test' }),
    );

    const held = await places(person);
    for (const place of ['operation', 'outbox', 'address_rule', 'address_facts'])
      expect(held).toContain(`object ${place}`);
    for (const table of ['delivery_report', 'address_event', 'exposure', 'segment_value', 'segment_cell', 'app_user'])
      expect(held).toContain(`postgres ${table}`);
    expect(held.filter((place) => /^postgres (trace|event|screening)_/.test(place))).toHaveLength(3);
    expect(held.filter((place) => place.startsWith('kv ')).length).toBeGreaterThanOrEqual(3);

    const jobs = bulkCalls(service, organisation);
    const job = await jobs.ready(`email\n${email}\n`);
    expect(await forget('Ada.King@ADA-LOVELACE.bulk.test')).toMatchObject({ incomplete: [], forgotten: { users: 1 } });
    expect((await findInStores(service, person)).filter((place) => !place.startsWith('r2 '))).toEqual([]);
    await jobs.call('DELETE', `/${job}`);
    await jobs.run();
    expect(await findInStores(service, person)).toEqual([]);
    // Data about other people stays.
    expect(await places(['analytical'])).toContain('postgres segment_cell');
    expect(await forget(email)).toEqual({
      pending: [],
      incomplete: [],
      cursor: null,
      forgotten: { traces: 0, rules: 0, users: 0 },
    });
    await service.runNight();
    expect(await findInStores(service, person)).toEqual([]);
  });

  it('a repeat under an Idempotency-Key is a new request, and another address’s stays as it was answered', async () => {
    const { keys } = await service.createOrganisation();
    const ask = (email: string) => post('/v1/verify', keys.member, { email }, { 'idempotency-key': email });
    const [mary, joan] = ['mary@repeats.bulk.test', 'joan@repeats.bulk.test'];
    const before = [await ask(mary), await ask(joan)];
    await forget(mary);
    const after = [await ask(mary), await ask(joan)];
    expect(after.map(({ trace_id }, at) => trace_id === before[at].trace_id)).toEqual([false, true]);
  });

  it('a failed removal from KV makes the call fail, and its repeat finish', async () => {
    const { keys } = await service.createOrganisation();
    const email = 'grace@kv-away.bulk.test';
    await post('/v1/verify', keys.member, { email });
    const { delete: remove } = service.env.FACTS;
    service.env.FACTS.delete = async (key) => {
      if (key.startsWith('domain:')) throw new Error('kv');
      return remove(key);
    };
    const refused = await service.call('POST', '/operator/v1/forget', service.operatorKey, { email });
    service.env.FACTS.delete = remove;
    expect(refused.status).toBe(503);
    await forget(email);
    expect(await findInStores(service, ['kv-away', 'grace'])).toEqual([]);
  });
});

describe('forget of an address whose rows are still on their way', () => {
  it('waits with an organisation until they are there: what events say of the address goes with its traces', async () => {
    const { id, keys } = await service.createOrganisation();
    const email = 'hedy@slow-outbox.bulk.test';
    const { object } = service.objectOf(id);
    const { trace_id } = await post('/v1/verify', keys.member, { email });
    expect(await object.flush(null)).toMatchObject({ drained: true });
    const about = (properties: object) => ({
      trace_id,
      event: 'subscribed',
      at: Math.floor(Date.now() / 1_000),
      properties,
    });
    const { transaction } = service.database;
    service.database.transaction = (mode, work) =>
      transaction(mode, (run) =>
        work((text, values) => {
          if (text.includes('into event ')) throw Object.assign(new Error('busy'), { code: '53300' });
          return run(text, values);
        }),
      );
    await post('/v1/events', keys.member, about({ machine: 'frequency-hopper' }));
    const { pending } = await forget(email);
    service.database.transaction = transaction;
    expect(pending).toEqual([id]);
    await service.passFailures(id);
    const { rows } = await service.database.query(
      'select properties, display from event join trace on trace.id = trace_id where event.organisation_id = $1',
      [id],
    );
    expect(rows).toEqual([[null, '•••']]);
    expect(await findInStores(service, ['slow-outbox', 'hedy', 'frequency-hopper'])).toEqual([]);
  });

  it('a lost object leaves nothing while Postgres is there, and is incomplete while it is away', async () => {
    const { id, keys } = await service.createOrganisation();
    const email = 'rosalind@lost-object.bulk.test';
    await post('/v1/verify', keys.member, { email });
    await service.objectOf(id).object.flush(null);
    service.loseObject(id);
    service.faults.down = true;
    const away = await forget(email);
    service.faults.down = false;
    expect(away.incomplete).toEqual([id]);
    expect(await forget(email)).toMatchObject({ forgotten: { traces: 1 }, pending: [], incomplete: [] });
    expect(await findInStores(service, ['lost-object', 'rosalind'])).toEqual([]);
  });
});

describe('forget in more organisations than one invocation may ask', () => {
  it('continues from the cursor of each answer, each call within an invocation’s limits', async () => {
    const { id, keys } = await service.createOrganisation();
    const email = 'emmy@many.bulk.test';
    await post('/v1/verify', keys.member, { email });
    // Newer than all others, so that the oldest comes last.
    await service.database.query(
      `insert into organisation select (jsonb_populate_record(organisation, jsonb_build_object('id', 'org_7${'z'.repeat(22)}' || n))).*
       from organisation, generate_series(100, 219) as n where id = $1`,
      [id],
    );
    const { delete: remove } = service.env.FACTS;
    const used: number[] = [];
    const asked: string[] = [];
    let cursor: string | undefined;
    do {
      let deletions = 0;
      service.env.FACTS.delete = async (key) => {
        deletions += 1;
        if (key.startsWith('company:')) asked.push(key.split(':')[2] ?? '');
        return remove(key);
      };
      const before = service.calls.object;
      const answer = await post('/operator/v1/forget', service.operatorKey, { email, cursor });
      used.push(deletions + service.calls.object - before);
      cursor = answer.cursor ?? undefined;
    } while (cursor !== undefined);
    service.env.FACTS.delete = remove;
    expect(used).toHaveLength(2);
    for (const operations of used) expect(operations).toBeLessThan(1_000);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked).toContain(id);
    expect(asked.length).toBeGreaterThan(120);
    expect(await findInStores(service, ['many.bulk.test', 'emmy'])).toEqual([]);
  });

  it('refuses an invalid cursor', async () => {
    const body = { email: 'ada@business.test', cursor: 'next' };
    expect(await service.call('POST', '/operator/v1/forget', service.operatorKey, body)).toMatchObject({
      status: 400,
      body: { error: { message: '`cursor` is not valid.' } },
    });
  });
});
