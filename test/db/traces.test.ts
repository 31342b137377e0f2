import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import { evidenceOf } from '../../src/domain/answer/replay.ts';
import { traceBody, withoutAddress, DECIDABLE, type TraceRecord } from '../../src/domain/traces/traces.ts';
import { newId } from '../../src/kernel/ids.ts';
import { deleteRowsOf } from '../../src/storage/postgres/erasure.ts';
import { listDecidableTraces } from '../../src/storage/postgres/trace-lists.ts';
import { findTrace, findTraceAddresses, forgetTraces } from '../../src/storage/postgres/traces.ts';
import { openTestDatabase } from '../support/database.ts';
import { decisionRecord, START_MS, TRACE_DETAIL, traceRecord } from '../support/records.ts';
import { writeTraces } from '../support/write-traces.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

const newOrganisation = () => newId('org', START_MS);
const insert = (...records: TraceRecord[]) => writeTraces(db, records);

const DECIDED: NonNullable<TraceRecord['policyDecision']> = {
  decision: 'review',
  rule_id: 'r',
  policy: { slug: 'default', version: 3 },
  experiment: { id: 'e', arm: 'control' },
  company: null,
  person: { seniority: 'senior' },
  icp: { fit: 'none' },
  attributes: { plan: 'team', seats: 4 },
};

async function countTraces(organisationId: string): Promise<number> {
  const result = await db.execute(sql`select count(*)::int as n from trace where organisation_id = ${organisationId}`);
  return (result as { rows: { n: number }[] }).rows[0]?.n ?? 0;
}

describe('insertTraces', () => {
  it('writes a record as it is', async () => {
    const record = traceRecord();
    await insert(record);
    expect(await findTrace(db, record.organisationId, record.id)).toEqual(record);
  });

  it.each<[string, Partial<TraceRecord>]>([
    ['nulls', { keyId: null, addressHash: null, reason: null, emailType: null }],
    ['a decision', decisionRecord()],
    ['what was decided', { policyDecision: DECIDED }],
    ['a bulk row', { kind: 'bulk', bulkJobId: newId('bj', START_MS) }],
    ['a test key’s', { mode: 'test' }],
    ['every flag set', { cacheHit: true, degraded: true, reason: 'no_mx', verdict: 'unknown' }],
    ['a broken address: nothing of it is kept', { display: '•••', domain: '', addressHash: null }],
    ['characters that SQL and JSON give a meaning', { display: `'"\\$1;--{}[],•••@例え.example` }],
    ['the smallest and largest numbers', { bounceProbability: 5e-324, costMicros: 1e12, latencyMs: 2 ** 31 - 1 }],
    [
      'a probability to its last digit',
      { bounceProbability: 0.1 + 0.2, detail: { ...TRACE_DETAIL, disagreement: 1 / 3 } },
    ],
  ])('gives back %s', async (_, change) => {
    const record = traceRecord(change);
    await insert(record);
    expect(await findTrace(db, record.organisationId, record.id)).toEqual(record);
  });

  it('stores the same records once when called twice, and the first stays', async () => {
    const organisationId = newOrganisation();
    const records = [traceRecord({ organisationId }), traceRecord({ organisationId })];
    await insert(...records);
    await insert(...records.map((record) => ({ ...record, verdict: 'invalid' as const })));
    expect(await countTraces(organisationId)).toBe(2);
    for (const record of records) expect(await findTrace(db, organisationId, record.id)).toEqual(record);
  });

  it('stores the new records of a partly stored batch, and a record that it has twice', async () => {
    const organisationId = newOrganisation();
    const [old, fresh] = [traceRecord({ organisationId }), traceRecord({ organisationId })];
    await insert(old);
    await insert(fresh, old, fresh);
    expect(await countTraces(organisationId)).toBe(2);
  });

  it('takes 500 in one statement', async () => {
    const organisationId = newOrganisation();
    await insert(...Array.from({ length: 500 }, () => traceRecord({ organisationId })));
    expect(await countTraces(organisationId)).toBe(500);
  });

  it('writes nothing of a batch with a record Postgres refuses', async () => {
    const organisationId = newOrganisation();
    const bad = { ...traceRecord({ organisationId }), verdict: null as never };
    await expect(insert(traceRecord({ organisationId }), bad)).rejects.toThrow('Failed query');
    expect(await countTraces(organisationId)).toBe(0);
  });
});

describe('findTrace', () => {
  it('finds a decision by its own id and by that of the verification it embeds', async () => {
    const record = decisionRecord();
    await insert(record);
    expect(await findTrace(db, record.organisationId, record.id)).toEqual(record);
    expect(await findTrace(db, record.organisationId, record.verificationId ?? record.id)).toEqual(record);
  });

  it('never finds another organisation’s, by either id', async () => {
    const record = decisionRecord();
    await insert(record);
    expect(await findTrace(db, newOrganisation(), record.id)).toBeNull();
    expect(await findTrace(db, newOrganisation(), record.verificationId ?? record.id)).toBeNull();
  });

  it('is null for what is not there, at the ends of time too', async () => {
    const record = traceRecord();
    await insert(record);
    for (const ms of [START_MS, 0, 2 ** 48 - 1]) {
      expect(await findTrace(db, record.organisationId, newId('vr', ms))).toBeNull();
      expect(await findTrace(db, record.organisationId, newId('dc', ms))).toBeNull();
    }
  });

  it('gives back a trace whose detail is gone', async () => {
    const record = traceRecord();
    await insert(record);
    await db.execute(sql`delete from trace_detail`);
    expect(await findTrace(db, record.organisationId, record.id)).toEqual({ ...record, detail: null });
  });

  it('keeps a trace without detail when the outbox was too full for it', async () => {
    const record = traceRecord({ detail: null });
    await insert(record);
    expect(await findTrace(db, record.organisationId, record.id)).toEqual(record);
  });
});

describe('forgetTraces', () => {
  it('cuts the link to an address in each organisation it is named for, and in no other', async () => {
    const [first, second, other] = [newOrganisation(), newOrganisation(), newOrganisation()];
    const jane = { addressHash: 'jane', display: 'j•••@acme.example', domain: 'acme.example' };
    const kept = [
      traceRecord({ organisationId: first, addressHash: 'john' }),
      traceRecord({ organisationId: first, addressHash: null }),
      // The same hash elsewhere would be another address: keys differ by organisation.
      traceRecord({ organisationId: other, ...jane }),
    ];
    const gone = [first, first, second].map((organisationId) => traceRecord({ organisationId, ...jane }));
    await insert(...kept, ...gone);
    const hashes = [first, second].map((organisationId) => ({ organisationId, hash: 'jane' }));

    expect(await forgetTraces(db, hashes)).toBe(3);
    for (const record of gone) {
      const expected = { ...record, addressHash: null, display: '•••', domain: '' };
      expect(await findTrace(db, record.organisationId, record.id)).toEqual(expected);
    }
    for (const record of kept) expect(await findTrace(db, record.organisationId, record.id)).toEqual(record);
    expect(await forgetTraces(db, hashes)).toBe(0);
  });

  it('leaves what a job enters of an address that was erased before', async () => {
    const organisationId = newOrganisation();
    const all = { organisationId, meantDomain: 'gmail.com', backEnds: ' mail.example ', policyDecision: DECIDED };
    const [before, after] = [traceRecord(all), traceRecord({ ...all, id: newId('vr', START_MS + 1) })];
    await insert(before, withoutAddress(after));
    await forgetTraces(db, [{ organisationId, hash: before.addressHash ?? '' }]);
    const shown = async ({ id }: TraceRecord) => {
      const found = await findTrace(db, organisationId, id);
      return found && { ...traceBody(found, null, evidenceOf), trace_id: '' };
    };
    expect(await shown(after)).toMatchObject({ display: '•••', domain: '' });
    expect(await shown(after)).toEqual(await shown(before));
  });

  it('changes nothing when given nothing', async () => {
    expect(await forgetTraces(db, [])).toBe(0);
    expect(await forgetTraces(db, [{ organisationId: newOrganisation(), hash: 'unknown' }])).toBe(0);
  });
});

describe('an organisation’s deletion', () => {
  it('removes an organisation’s traces and no other’s', async () => {
    const [gone, stays] = [traceRecord(), traceRecord()];
    await insert(gone, stays);
    await deleteRowsOf(db, gone.organisationId);
    expect(await findTrace(db, gone.organisationId, gone.id)).toBeNull();
    expect(await findTrace(db, stays.organisationId, stays.id)).toEqual(stays);
  });
});

describe('findTraceAddresses', () => {
  it('finds traces and decisions by their own ids, and a decision by its verification’s, months apart', async () => {
    const organisationId = newOrganisation();
    const gained = { purpose: 'signup', features: ['role'], answers: [] } as const;
    const verify = traceRecord({ organisationId, observation: gained });
    const decide = decisionRecord({
      organisationId,
      mode: 'test',
      keyId: null,
      addressHash: null,
      display: '•••',
      id: newId('dc', START_MS - 200 * 86_400_000),
    });
    const other = traceRecord({ organisationId });
    await insert(verify, decide, other);
    const address = ({
      mode,
      keyId,
      addressHash,
      display,
      domain,
      hostClass,
      bulkJobId,
      createdAt,
      observation,
    }: TraceRecord) => ({
      mode,
      keyId,
      addressHash,
      display,
      domain,
      hostClass,
      bulkJobId,
      createdAt,
      observation,
    });
    const ids = [verify.id, decide.id, decide.verificationId ?? verify.id, newId('vr', START_MS)];
    const found = await findTraceAddresses(db, organisationId, ids);
    expect(found).toEqual(
      new Map([
        [verify.id, address(verify)],
        [decide.id, address(decide)],
        [decide.verificationId, address(decide)],
      ]),
    );
  });

  it('finds nothing of another organisation, and nothing by an id of the other kind', async () => {
    const trace = traceRecord();
    await insert(trace);
    expect(await findTraceAddresses(db, newOrganisation(), [trace.id])).toEqual(new Map());
    const asDecision = trace.id.replace('vr_', 'dc_') as `dc_${string}`;
    expect(await findTraceAddresses(db, trace.organisationId, [asDecision])).toEqual(new Map());
  });
});

describe('listDecidableTraces', () => {
  const OF_ALL = { filter: { mode: 'live', keyId: null }, fromMs: START_MS, withDetail: true, limit: 2 } as const;
  const decidable = (record: TraceRecord, withDetail = true) => {
    const { signals, reasons, disagreement, calibration, context } = TRACE_DETAIL;
    const detail = withDetail && record.detail && { signals, reasons, disagreement, calibration, context };
    return { ...Object.fromEntries(DECIDABLE.map((name) => [name, record[name]])), detail: detail || null };
  };

  it('gives each trace of the window once, newest first, with what of its detail rules read', async () => {
    const organisationId = newOrganisation();
    const at = (ms: number, change: Partial<TraceRecord> = {}) =>
      traceRecord({ organisationId, id: newId('vr', START_MS + ms), ...change });
    const records = [at(0), at(1, { detail: null }), at(2, { policyDecision: DECIDED }), at(3), at(4)];
    const others = [at(-1), at(5, { mode: 'test' }), traceRecord({ id: newId('vr', START_MS + 2) })];
    await insert(...records, ...others);
    const seen = [];
    for (let before: TraceRecord['id'] | null = null; ;) {
      const page = await listDecidableTraces(db, organisationId, { ...OF_ALL, before });
      seen.push(...page);
      before = page.at(-1)?.id ?? null;
      if (page.length < 2) break;
    }
    expect(seen).toEqual(records.toReversed().map((record) => decidable(record)));
    const bare = await listDecidableTraces(db, organisationId, {
      ...OF_ALL,
      withDetail: false,
      limit: 9,
      before: null,
    });
    expect(bare).toEqual(records.toReversed().map((record) => decidable(record, false)));
  });

  it('gives one key’s alone when asked for them', async () => {
    const record = traceRecord();
    await insert(record, traceRecord({ organisationId: record.organisationId }));
    const filter = { mode: 'live', keyId: record.keyId } as const;
    const listed = await listDecidableTraces(db, record.organisationId, { ...OF_ALL, filter, before: null });
    expect(listed.map(({ id }) => id)).toEqual([record.id]);
  });
});
