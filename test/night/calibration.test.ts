import { beforeAll, describe, expect, it } from 'vitest';
import { CalibrationReport } from '../../src/contract/calibration.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { newId } from '../../src/kernel/ids.ts';
import { startService } from '../support/service.ts';

const service = await startService();
// Hundreds of statements one behind the other: the way to a far database would be all of the time.
service.faults.delayMs = 0;
type Organisation = Awaited<ReturnType<typeof service.createOrganisation>>;

const verify = async ({ keys }: Organisation, email: string, key: keyof Organisation['keys'] = 'member') =>
  (await service.call('POST', '/v1/verify', keys[key], { email })).body;
const read = async ({ keys }: Organisation, key: keyof Organisation['keys'] = 'viewer') =>
  CalibrationReport.parse((await service.call('GET', '/v1/calibration', keys[key])).body);

const USER_UNKNOWN = '550 5.1.1 User unknown';

/** Verifies an address and reports what became of mail to it. */
async function tell(key: string, email: string, became: string, smtp_code?: string): Promise<string> {
  const { trace_id } = (await service.call('POST', '/v1/verify', key, { email })).body;
  const { status } = await service.call('POST', '/v1/outcome', key, { trace_id, outcome: became, smtp_code });
  expect(status).toBe(202);
  return trace_id;
}

/** Everything of the account that stands in the tables this night has read and written. */
async function keptOf({ id }: Organisation): Promise<unknown[]> {
  const answers = [];
  for (const table of ['outcome', 'calibration', 'nightly_step', 'trace', 'trace_detail'])
    answers.push(
      (await service.database.query(`select row_to_json(t)::text from ${table} as t where organisation_id = $1`, [id]))
        .rows,
    );
  return answers;
}

describe('what an account reports through the API', { timeout: 120_000 }, () => {
  let mine: Organisation;
  let other: Organisation;
  let before: { bounce_probability: number; calibration: string; trace_id: string };
  beforeAll(async () => {
    [mine, other] = [await service.createOrganisation(), await service.createOrganisation()];
    before = await verify(mine, 'ada@business.test');
    const { member, test } = mine.keys;
    const text = (email: string): string =>
      `Final-Recipient: rfc822; ${email}\r\nDiagnostic-Code: smtp; 550-5.1.1 <${email}>\r\n 550 5.1.1 User unknown`;
    const mailed = Array.from({ length: 100 }, (_, i) => `person-${i}@business.test`);
    while (mailed.length > 0)
      await Promise.all(
        mailed
          .splice(0, 25)
          .map((email, i) =>
            i % 2 === 0 ? tell(member, email, 'hard_bounce', text(email)) : tell(member, email, 'delivered'),
          ),
      );
    // Nothing is learnt from: our own reputation, a report taken back, a test key, another account, an unknown trace.
    await tell(member, 'blocked@business.test', 'hard_bounce', '550 5.7.606 Access denied, banned sending IP');
    const takenBack = await tell(member, 'back@business.test', 'hard_bounce', USER_UNKNOWN);
    for (const [key, trace_id, became] of [
      [member, takenBack, 'unknown'],
      [test, takenBack, 'hard_bounce'],
      [other.keys.member, before.trace_id, 'hard_bounce'],
      [member, newId('vr', Date.now()), 'hard_bounce'],
    ])
      await service.call('POST', '/v1/outcome', key ?? '', { trace_id, outcome: became });
    await tell(test, 'bounce@business.test', 'hard_bounce', USER_UNKNOWN);
  });

  it('moves its next answers at once, and no other account’s', async () => {
    const after = await verify(mine, 'new@business.test');
    expect(after.calibration).toBe('fitted');
    expect(after.bounce_probability).toBeGreaterThan(before.bounce_probability + 0.1);
    const untouched = { calibration: 'prior', bounce_probability: before.bounce_probability };
    expect(await verify(mine, 'new@business.test', 'test')).toMatchObject(untouched);
    expect(await verify(other, 'new@business.test')).toMatchObject(untouched);
    expect(await verify(mine, 'bob@null-mx.test')).toMatchObject({ calibration: 'prior', reason: 'no_mx' });
  });

  it('is held against the numbers that were given, once a night, without an address kept', async () => {
    expect(await read(mine)).toMatchObject({ computed_at: null, outcomes: 0, sends: null });
    await service.runNight();
    const report = await read(mine);
    expect(report).toMatchObject({
      version: MODEL.version,
      state: 'fitted',
      outcomes: 100,
      hard_bounces: 52,
      sources: [{ source: 'api', kind: null, outcomes: 102, hard_bounces: 53 }],
      sends: { days: 30 },
    });
    expect(Math.abs(Date.now() / 1_000 - (report.computed_at ?? 0))).toBeLessThan(600);
    // Half bounced: the account's own numbers have come nearer with each report than the table's.
    expect(report.log_loss.fitted).toBeLessThan(report.log_loss.prior ?? 0);
    expect(report.log_loss_nights).toEqual([{ computed_at: report.computed_at, ...report.log_loss }]);
    expect(report.bins.reduce((sum, { count }) => sum + count, 0)).toBe(100);
    const numbers = [
      ...Object.values(report.log_loss),
      ...report.bins.flatMap(({ ci, ...bin }) => [...ci, ...Object.values(bin)]),
    ];
    for (const number of numbers) expect(String(number)).toMatch(/^\d+(\.\d{1,6})?$/);
    expect(await read(other)).toMatchObject({ state: 'prior', outcomes: 0 });
    expect(await read(mine, 'test')).toMatchObject({ state: 'prior', computed_at: null, outcomes: 0 });
    const kept = JSON.stringify([...service.facts.values()]) + JSON.stringify(await keptOf(mine));
    expect(kept).not.toMatch(/person-\d|User unknown/);
  });

  it('has every decision and every row of a file judged by it', async () => {
    const { member, admin } = mine.keys;
    const { body } = await service.call('POST', '/v1/decide', member, { email: 'dan@business.test' });
    expect(body.verification.calibration).toBe('fitted');
    const ask = (method: string, path: string, sent?: unknown) =>
      service.call(method, `/v1/bulk/jobs${path}`, member, sent);
    const { job } = (await ask('POST', '', { name: 'list' })).body;
    await ask('POST', `/${job.id}/paste`, { emails: ['eve@business.test'] });
    await ask('POST', `/${job.id}/start`, {});
    await service.runJobs(mine.id);
    const { traces } = (await service.call('GET', `/v1/traces?bulk_job_id=${job.id}`, admin)).body;
    const { trace } = (await service.call('GET', `/v1/traces/${traces[0].trace_id}`, admin)).body;
    expect(trace.calibration).toBe('fitted');
  });

  it('is still what it was after the object is rebuilt, and goes with the organisation', async () => {
    const was = (await verify(mine, 'kim@business.test')).bounce_probability;
    await service.settle();
    service.loseObject(mine.id);
    await service.call('POST', `/operator/v1/organisations/${mine.id}/rebuild`, service.operatorKey);
    await service.runNight(mine.id);
    const again = await verify(mine, 'lea@business.test');
    expect(again.calibration).toBe('fitted');
    expect(Math.abs(again.bounce_probability - was)).toBeLessThan(0.05);
    await service.call('DELETE', `/operator/v1/organisations/${mine.id}`, service.operatorKey);
    const { rows } = await service.database.query('select from calibration where organisation_id = $1', [mine.id]);
    expect(rows).toEqual([]);
  });
});

describe('an account that has only imported what was', () => {
  it('has numbers of its own at once, and is told where its outcomes came from', async () => {
    const organisation = await service.createOrganisation();
    const before = await verify(organisation, 'ada@business.test');
    const at = Math.floor(Date.now() / 1_000) - 86_400;
    const outcomes = Array.from({ length: 400 }, (_, i) => ({
      email: `user${i}@business.test`,
      at,
      ...(i % 4 === 0 ? { outcome: 'hard_bounce', smtp_code: USER_UNKNOWN } : { outcome: 'delivered' }),
    }));
    const imported = await service.call('POST', '/v1/outcomes/import', organisation.keys.member, { outcomes });
    expect(imported.body).toMatchObject({ accepted: 400 });
    await service.settle();
    const after = await verify(organisation, 'ben@business.test');
    expect(after.calibration).toBe('fitted');
    // One in four bounced.
    expect(Math.abs(after.bounce_probability - 0.25)).toBeLessThan(
      Math.max(0.07, Math.abs(before.bounce_probability - 0.25)),
    );
    await service.runNight(organisation.id);
    expect(await read(organisation)).toMatchObject({
      state: 'fitted',
      sources: [{ source: 'import', kind: null, outcomes: 400, hard_bounces: 100 }],
      sends: { days: 30, verified: 2, reported: 0 },
    });
  });
});
