import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { CalibrationReport } from '../../src/contract/calibration.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { type Id, newId, siblingId } from '../../src/kernel/ids.ts';
import { modelKey } from '../../src/storage/fitted-models.ts';
import { connectDatabase } from '../../src/storage/postgres/client.ts';
import { outcome } from '../../src/storage/postgres/schema.ts';
import { traceRecord } from '../support/records.ts';
import { startService } from '../support/service.ts';
import { writeTraces } from '../support/write-traces.ts';

const service = await startService();
// Hundreds of statements one behind the other: the way to a far database would be all of the time.
service.faults.delayMs = 0;
const db = connectDatabase({ url: service.env.DATABASE_URL, httpUrl: service.env.DATABASE_HTTP_URL });
type Organisation = Awaited<ReturnType<typeof service.createOrganisation>>;

const verify = async ({ keys }: Organisation, email: string, key: keyof Organisation['keys'] = 'member') =>
  (await service.call('POST', '/v1/verify', keys[key], { email })).body;
const read = async ({ keys }: Organisation, key: keyof Organisation['keys'] = 'viewer') =>
  (await service.call('GET', '/v1/calibration', keys[key])).body;
const traceOf = async ({ keys }: Organisation, id: string) =>
  (await service.call('GET', `/v1/traces/${id}`, keys.admin)).body.trace;

/** Addresses of the account's past at one host, of which one in so many has bounced. */
async function mail(organisation: Organisation, hostClass: string, addresses: number, bouncedOneIn: number) {
  const at = Date.now();
  const traces = Array.from({ length: addresses }, (_, i) =>
    traceRecord({
      organisationId: organisation.id as Id<'org'>,
      id: newId('vr', at),
      createdAt: at,
      hostClass,
      detail: null,
      addressHash: createHash('sha256').update(`${organisation.id} ${hostClass} ${i}`).digest('hex'),
    }),
  );
  await writeTraces(db, traces);
  await db.insert(outcome).values(
    traces.map(({ organisationId, id }, i) => ({
      organisationId,
      mode: 'live' as const,
      traceId: id,
      verificationId: siblingId('vr', id),
      keyId: null,
      reportedAt: at,
      id: newId('oc', at),
      basicCode: null,
      enhancedCode: null,
      outcome: i % bouncedOneIn === 0 ? ('hard_bounce' as const) : ('delivered' as const),
    })),
  );
}

/** An account whose mail to this host bounced far more often than the table says, after its night. */
async function createFitted() {
  const organisation = await service.createOrganisation();
  const before = await verify(organisation, 'ada@business.test');
  const { features } = await traceOf(organisation, before.trace_id);
  await mail(organisation, features.host_class, 400, 2);
  await service.runNight(organisation.id);
  return { organisation, before };
}

let fitted: Awaited<ReturnType<typeof createFitted>>;
beforeAll(async () => {
  fitted = await createFitted();
});

describe('an account whose outcomes tell it from the table', () => {
  it('is judged by its own model, which the trace names', async () => {
    const { organisation, before } = fitted;
    expect(before.calibration).toBe('prior');
    const answer = await verify(organisation, 'bob@business.test');
    expect(answer.calibration).toBe('fitted');
    expect(answer.bounce_probability).toBeGreaterThan(before.bounce_probability + 0.1);
    const { features, calibration } = await traceOf(organisation, answer.trace_id);
    expect({ calibration, version: features.model_version }).toEqual({
      calibration: 'fitted',
      version: (await read(organisation)).version,
    });
  });

  it('is told how its predictions compare with its outcomes', async () => {
    const report = CalibrationReport.parse(await read(fitted.organisation));
    expect(report).toMatchObject({ state: 'fitted', outcomes: 400, hard_bounces: 200 });
    expect(Math.abs(Date.now() / 1_000 - (report.computed_at ?? 0))).toBeLessThan(600);
    expect(report.log_loss.fitted).toBeLessThan(report.log_loss.prior ?? 0);
    expect(report.log_loss_nights).toEqual([{ computed_at: report.computed_at, ...report.log_loss }]);
    expect(report.bins.reduce((sum, { count }) => sum + count, 0)).toBe(400);
    const numbers = [
      ...Object.values(report.log_loss),
      ...report.bins.flatMap(({ ci, ...bin }) => [...ci, ...Object.values(bin)]),
    ];
    for (const number of numbers) expect(String(number)).toMatch(/^\d+(\.\d{1,6})?$/);
  });

  it('is told what its history is worth', async () => {
    const organisation = await service.createOrganisation();
    const at = Math.floor(Date.now() / 1_000) - 86_400;
    const outcomes = Array.from({ length: 42 }, (_, i) => ({
      email: `person${i}@business.test`,
      at,
      ...(i % 4 === 0 ? { outcome: 'hard_bounce', smtp_code: '5.1.1' } : { outcome: 'delivered' }),
    }));
    const imported = await service.call('POST', '/v1/outcomes/import', organisation.keys.member, { outcomes });
    expect(imported.body).toMatchObject({ accepted: 42 });
    await service.runNight(organisation.id);
    const { history } = CalibrationReport.parse(await read(organisation));
    expect(history?.outcomes).toBe(42);
    // All are of one domain, where one in four bounces: more than the table says.
    expect(history?.log_loss.domain).toBeLessThan(history?.log_loss.without ?? 0);
  });

  it('is told what its answers lost on outcomes that came after them, with its history and without', async () => {
    const organisation = await service.createOrganisation();
    const report = async (trace_id: string) => {
      const body = { trace_id, outcome: 'hard_bounce', smtp_code: '550 5.1.1 user unknown' };
      expect((await service.call('POST', '/v1/outcome', organisation.keys.member, body)).status).toBe(202);
    };
    const before = await verify(organisation, 'gone@business.test');
    await report(before.trace_id);
    const after = await verify(organisation, 'gone@business.test');
    await report(after.trace_id);
    await service.runNight(organisation.id);
    const { progressive } = CalibrationReport.parse(await read(organisation));
    const loss = (...answers: { bounce_probability: number }[]): number =>
      answers.reduce((sum, { bounce_probability: p }) => sum - Math.log(p), 0) / answers.length;
    expect(progressive?.outcomes).toBe(2);
    // The first answer knew nothing; the second knew the report.
    expect(progressive?.log_loss.without).toBeCloseTo(loss(before, before), 4);
    expect(progressive?.log_loss.all).toBeCloseTo(loss(before, after), 4);
    expect(progressive?.log_loss.address).toBeCloseTo(loss(before, after), 4);
    expect(progressive?.log_loss.neighbours).toBeCloseTo(loss(before, before), 4);
  });

  it('decides by its own model too', async () => {
    const email = 'dan@business.test';
    const { body } = await service.call('POST', '/v1/decide', fitted.organisation.keys.member, { email });
    expect(body.verification.calibration).toBe('fitted');
  });

  it('gets the table’s number under a test key, and where a finding has settled it', async () => {
    const { organisation } = fitted;
    expect(await verify(organisation, 'bob@business.test', 'test')).toMatchObject({ calibration: 'prior' });
    expect(await verify(organisation, 'bob@null-mx.test')).toMatchObject({ calibration: 'prior', reason: 'no_mx' });
    expect(await read(organisation, 'test')).toMatchObject({ state: 'prior', computed_at: null, outcomes: 0 });
  });

  it('has every row of a file judged by its own model', async () => {
    const { organisation } = fitted;
    const ask = (method: string, path: string, body?: unknown) =>
      service.call(method, `/v1/bulk/jobs${path}`, organisation.keys.member, body);
    const { job } = (await ask('POST', '', { name: 'list' })).body;
    await ask('POST', `/${job.id}/paste`, { emails: ['eve@business.test'] });
    await ask('POST', `/${job.id}/start`, {});
    await service.runJobs(organisation.id);
    const { traces } = (await service.call('GET', `/v1/traces?bulk_job_id=${job.id}`, organisation.keys.admin)).body;
    expect(traces).toHaveLength(1);
    const { calibration, features } = await traceOf(organisation, traces[0].trace_id);
    expect({ calibration, fits: features.model_version.startsWith('fit-') }).toEqual({
      calibration: 'fitted',
      fits: true,
    });
  });

  it('finds its model in Postgres when KV has lost it, and puts it there again', async () => {
    const { organisation } = await createFitted();
    const { version } = await read(organisation);
    const key = modelKey(organisation.id as Id<'org'>, version);
    expect(service.facts.delete(key)).toBe(true);
    expect(await verify(organisation, 'kim@business.test')).toMatchObject({ calibration: 'fitted' });
    await service.settle();
    expect(service.facts.has(key)).toBe(true);
  });

  it('gets the table’s number, and is told so, while its model can’t be read', async () => {
    const { organisation } = await createFitted();
    const { version } = await read(organisation);
    service.facts.delete(modelKey(organisation.id as Id<'org'>, version));
    service.faults.down = true;
    const answer = await verify(organisation, 'kim@business.test');
    service.faults.down = false;
    expect(answer.calibration).toBe('prior');
    expect((await traceOf(organisation, answer.trace_id)).features.model_version).toBe(MODEL.version);
  });

  it('keeps its model when its object is rebuilt, and loses it when it is deleted', async () => {
    const { organisation } = await createFitted();
    const { version } = await read(organisation);
    await service.settle();
    service.loseObject(organisation.id);
    await service.call('POST', `/operator/v1/organisations/${organisation.id}/rebuild`, service.operatorKey);
    expect(await verify(organisation, 'kim@business.test')).toMatchObject({ calibration: 'fitted' });
    await service.call('DELETE', `/operator/v1/organisations/${organisation.id}`, service.operatorKey);
    expect(service.facts.has(modelKey(organisation.id as Id<'org'>, version))).toBe(false);
    const { rows } = await service.database.query('select version from calibration where organisation_id = $1', [
      organisation.id,
    ]);
    expect(rows).toEqual([]);
  });
});

/** Everything of the account that stands in the tables this night has read and written. */
async function keptOf({ id }: Organisation): Promise<unknown[]> {
  const tables = ['outcome', 'calibration', 'nightly_step', 'trace', 'trace_detail'];
  const rowsOf = (table: string) =>
    service.database.query(`select row_to_json(t)::text from ${table} as t where organisation_id = $1`, [id]);
  const answers = [];
  for (const table of tables) answers.push((await rowsOf(table)).rows);
  return answers;
}

/** Verifies an address and reports what became of mail to it. */
async function tell(key: string, email: string, became: string, smtp_code?: string): Promise<string> {
  const { trace_id } = (await service.call('POST', '/v1/verify', key, { email })).body;
  const { status } = await service.call('POST', '/v1/outcome', key, { trace_id, outcome: became, smtp_code });
  expect(status).toBe(202);
  return trace_id;
}

describe('what an account reports through the API', () => {
  it('moves its next answer, after the night, and no other account’s', { timeout: 120_000 }, async () => {
    const [mine, other] = [await service.createOrganisation(), await service.createOrganisation()];
    const { member, test } = mine.keys;
    const before = await verify(mine, 'ada@business.test');
    const unknown = (email: string): string =>
      `Final-Recipient: rfc822; ${email}\r\nDiagnostic-Code: smtp; 550-5.1.1 <${email}>\r\n 550 5.1.1 User unknown`;
    const mailed = Array.from({ length: 300 }, (_, i) => `person-${i}@business.test`);
    while (mailed.length > 0)
      await Promise.all(
        mailed
          .splice(0, 25)
          .map((email, i) =>
            i % 2 === 0 ? tell(member, email, 'hard_bounce', unknown(email)) : tell(member, email, 'delivered'),
          ),
      );
    // Nothing is learnt from: our own reputation, a report taken back, a test key, another account, an unknown trace.
    await tell(member, 'blocked@business.test', 'hard_bounce', '550 5.7.606 Access denied, banned sending IP');
    const taken_back = await tell(member, 'back@business.test', 'hard_bounce');
    for (const [key, trace_id, became] of [
      [member, taken_back, 'unknown'],
      [test, taken_back, 'hard_bounce'],
      [other.keys.member, before.trace_id, 'hard_bounce'],
      [member, newId('vr', Date.now()), 'hard_bounce'],
    ])
      await service.call('POST', '/v1/outcome', key ?? '', { trace_id, outcome: became });
    await tell(test, 'bounce@business.test', 'hard_bounce');

    expect(await read(mine)).toMatchObject({ state: 'prior', computed_at: null });
    await service.runNight();

    const own = await read(mine);
    expect(own).toMatchObject({
      state: 'fitted',
      outcomes: 300,
      hard_bounces: 156,
      version: expect.stringMatching(/^fit-/),
    });
    const after = await verify(mine, 'ada@business.test');
    expect(after.calibration).toBe('fitted');
    expect(after.bounce_probability).toBeGreaterThan(before.bounce_probability + 0.1);
    const { calibration, features } = await traceOf(mine, after.trace_id);
    expect({ calibration, version: features.model_version }).toEqual({ calibration: 'fitted', version: own.version });

    const untouched = { calibration: 'prior', bounce_probability: before.bounce_probability };
    expect(await verify(mine, 'ada@business.test', 'test')).toMatchObject(untouched);
    expect(await verify(other, 'ada@business.test')).toMatchObject(untouched);
    expect(await read(other)).toMatchObject({ state: 'prior', outcomes: 0 });
    const kept = JSON.stringify([...service.facts.values()]) + JSON.stringify(await keptOf(mine));
    expect(kept).not.toMatch(/person-\d|User unknown/);
  });

  it('moves it down where less bounces than the table says', async () => {
    const organisation = await service.createOrganisation();
    const before = await verify(organisation, 'ada@business.test');
    const { features } = await traceOf(organisation, before.trace_id);
    await mail(organisation, features.host_class, 400, 40);
    await service.runNight(organisation.id);
    const after = await verify(organisation, 'ada@business.test');
    expect(after).toMatchObject({ calibration: 'fitted' });
    // One in forty.
    expect(after.bounce_probability).toBeLessThan(before.bounce_probability - 0.02);
  });
});

describe('an account with too few outcomes', () => {
  it('stays with the table, and sees what is known', async () => {
    const organisation = await service.createOrganisation();
    expect(await read(organisation)).toMatchObject({
      version: MODEL.version,
      state: 'prior',
      computed_at: null,
    });
    await mail(organisation, 'google_business', 50, 5);
    await service.runNight(organisation.id);
    expect(await read(organisation)).toMatchObject({
      version: MODEL.version,
      state: 'prior',
      outcomes: 50,
      hard_bounces: 10,
      log_loss: { prior: expect.any(Number), fitted: null },
      computed_at: expect.any(Number),
    });
    expect(await verify(organisation, 'ada@business.test')).toMatchObject({ calibration: 'prior' });
  });
});

describe('an account that has only imported what was', () => {
  it('has a number of its own after the night, and is told where its outcomes came from', async () => {
    const organisation = await service.createOrganisation();
    expect(await read(organisation)).toMatchObject({ missing: { outcomes: 200, hard_bounces: 10 }, sends: null });
    const at = Math.floor(Date.now() / 1_000) - 86_400;
    const outcomes = Array.from({ length: 400 }, (_, i) => ({
      email: `user${i}@business.test`,
      outcome: i % 4 === 0 ? 'hard_bounce' : 'delivered',
      at,
    }));
    await service.call('POST', '/v1/outcomes/import', organisation.keys.member, { outcomes });
    const { trace_id: told } = await verify(organisation, 'before@business.test');
    await verify(organisation, 'untold@business.test');
    await service.call('POST', '/v1/outcome', organisation.keys.member, { trace_id: told, outcome: 'delivered' });
    await service.runNight(organisation.id);
    expect(await read(organisation)).toMatchObject({
      state: 'fitted',
      outcomes: 401,
      hard_bounces: 100,
      missing: { outcomes: 0, hard_bounces: 0 },
      sources: [
        { source: 'import', kind: null, outcomes: 400, hard_bounces: 100 },
        { source: 'api', kind: null, outcomes: 1, hard_bounces: 0 },
      ],
      sends: { days: 30, verified: 2, reported: 1, share: 0.5 },
    });
    expect(await verify(organisation, 'ada@business.test')).toMatchObject({ calibration: 'fitted' });
  });
});
