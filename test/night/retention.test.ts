import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { KEPT_DAYS } from '../../src/domain/privacy/data-handling.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { type Id, idToUuid, newId, siblingId } from '../../src/kernel/ids.ts';
import { connectDatabase } from '../../src/storage/postgres/client.ts';
import { insertEvents, upsertOutcomes } from '../../src/storage/postgres/feedback.ts';
import { insertScreenings } from '../../src/storage/postgres/screening.ts';
import { traceRecord } from '../support/records.ts';
import { startService } from '../support/service.ts';
import { findInStores } from '../support/stores.ts';
import { writeTraces } from '../support/write-traces.ts';

const service = await startService();
service.faults.delayMs = 0;
const db = connectDatabase({ url: service.env.DATABASE_URL, httpUrl: service.env.DATABASE_HTTP_URL });
type Organisation = Awaited<ReturnType<typeof service.createOrganisation>>;

const put = (of: Organisation, body: object) => service.call('PUT', '/v1/retention', of.keys.admin, body);
const kept = async (of: Organisation) => (await service.call('GET', '/v1/retention', of.keys.viewer)).body.retention;
const count = async (table: string, of: Organisation): Promise<number> => {
  const { rows } = await service.database.query(`select count(*) from ${table} where organisation_id = $1`, [of.id]);
  return Number(rows[0]?.[0]);
};
const TABLES = ['trace', 'trace_detail', 'screening', 'outcome', 'mail_report', 'event', 'exposure'] as const;
const counts = async (of: Organisation) =>
  Object.fromEntries(await Promise.all(TABLES.map(async (table) => [table, await count(table, of)] as const)));

/** The table's file name: a rewrite changes it. */
const partitionFiles = async (): Promise<unknown> => {
  const query = `select inhrelid::regclass::text, pg_relation_filenode(inhrelid) from pg_inherits order by 1`;
  return (await service.database.query(query, [])).rows;
};

/** A person of so many days ago in every table, by the address's hash. */
async function meet(of: Organisation, daysAgo: number): Promise<string> {
  const at = Date.now() - daysAgo * DAY_MS;
  const organisationId = of.id as Id<'org'>;
  const addressHash = randomBytes(32).toString('hex');
  const id = newId('vr', at);
  await writeTraces(db, [traceRecord({ organisationId, id, createdAt: at, addressHash })]);
  const masked = { display: 'p•••@business.test', screening: { recommendation: 'allow' }, costMicros: 0, latencyMs: 1 };
  const screening = {
    ...masked,
    organisationId,
    id: newId('sc', at),
    mode: 'live',
    keyId: null,
    createdAt: at,
    addressHash,
  };
  await insertScreenings(db, [JSON.stringify(screening)]);
  const said = { organisationId, mode: 'live', traceId: siblingId('vr', id), keyId: null, outcome: 'delivered' };
  const read = { class: 'delivered', unread: false, basicCode: null, enhancedCode: null };
  const outcome = { ...said, ...read, id: newId('oc', at), reportedAt: at };
  await upsertOutcomes(db, [JSON.stringify(outcome)]);
  const event = { id: newId('ev', at), event: 'activated', at, traceId: idToUuid(id), properties: null };
  const batch = { organisationId, mode: 'live', source: 'api', createdAt: at, events: [event] };
  await insertEvents(db, [JSON.stringify(batch)]);
  const outcomes = [{ email: `p${daysAgo}@business.test`, outcome: 'delivered', at: Math.floor(at / 1_000) }];
  await service.call('POST', '/v1/outcomes/import', of.keys.member, { outcomes });
  return addressHash;
}

describe('the retention of an account', () => {
  it('is the service’s until an admin keeps a kind for less time, and that again when it is put back', async () => {
    const of = await service.createOrganisation();
    expect(await kept(of)).toEqual({ traces: 400, outcomes: 400, events: 400, history: 400, details: 90 });
    expect((await put(of, { traces: 60, events: 30 })).body.retention).toEqual({
      ...KEPT_DAYS,
      traces: 60,
      events: 30,
      details: 60,
    });
    expect((await put(of, { traces: null })).body.retention).toEqual({ ...KEPT_DAYS, events: 30 });
    expect(await kept(of)).toEqual({ ...KEPT_DAYS, events: 30 });
  });

  it.each([[{ traces: 29 }], [{ history: 401 }], [{ details: 91 }], [{ outcomes: 30.5 }]])(
    'is refused outside 30 to 400 days, 90 of details: %o',
    async (body) => {
      expect((await put(await service.createOrganisation(), body)).status).toBe(400);
    },
  );

  it('is enforced by the night in every store, for this account alone', async () => {
    const [short, long] = [await service.createOrganisation(), await service.createOrganisation()];
    const gone = await meet(short, 45);
    await meet(short, 10);
    await meet(long, 45);
    await service.runNight();
    const all = { trace: 2, trace_detail: 2, screening: 2, outcome: 2, mail_report: 2, event: 2, exposure: 2 };
    expect(await counts(short)).toEqual(all);
    const ofLong = await counts(long);
    const filesBefore = await partitionFiles();
    await put(short, { traces: 30, outcomes: 30, events: 30, history: 30 });
    await service.runNight();
    expect(await counts(short)).toEqual(Object.fromEntries(TABLES.map((table) => [table, 1])));
    expect(await counts(long)).toEqual(ofLong);
    expect(await partitionFiles()).toEqual(filesBefore);
    expect(await findInStores(service, [gone, gone.slice(0, 32)])).toEqual([]);
    const histories = service.objectOf(short.id).storage.sql.exec('select name from address_facts').toArray();
    expect(histories).toHaveLength(1);
    // What is left in segments counts the one who is still there.
    const { body } = await service.call('GET', '/v1/segments?window_days=365', short.keys.viewer);
    expect(JSON.stringify(body)).not.toContain('"exposures":2');
  });

  it('leaves the traces when details alone expire, without what replays them', async () => {
    const of = await service.createOrganisation();
    await meet(of, 45);
    await put(of, { details: 30 });
    await service.runNight();
    expect(await counts(of)).toMatchObject({ trace: 1, trace_detail: 0, outcome: 1 });
  });
});
