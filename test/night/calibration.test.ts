import { beforeAll, describe, expect, it } from 'vitest';
import { CalibrationReport } from '../../src/contract/calibration.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { newId } from '../../src/kernel/ids.ts';
import { startService } from '../support/service.ts';

const service = await startService();
// Hundreds of statements in sequence would take minutes with the simulated distance to Postgres.
service.faults.delayMs = 0;
type Organisation = Awaited<ReturnType<typeof service.createOrganisation>>;

const verify = async ({ keys }: Organisation, email: string, key: keyof Organisation['keys'] = 'member') =>
  (await service.call('POST', '/v1/verify', keys[key], { email })).body;
const read = async ({ keys }: Organisation, key: keyof Organisation['keys'] = 'viewer') =>
  CalibrationReport.parse((await service.call('GET', '/v1/calibration', keys[key])).body);

/** Reports what became of mail to an address. */
const report = async (key: string, trace_id: string, became: string, smtp_code?: string): Promise<void> => {
  const { status } = await service.call('POST', '/v1/outcome', key, { trace_id, outcome: became, smtp_code });
  expect(status).toBe(202);
};
/** Verifies an address and reports what became of mail to it. */
async function tell({ keys }: Organisation, email: string, became: string, smtp_code?: string): Promise<number> {
  const { trace_id, bounce_probability } = (await service.call('POST', '/v1/verify', keys.member, { email })).body;
  await report(keys.member, trace_id, became, smtp_code);
  return bounce_probability;
}
const unknown = (email: string): string =>
  `Final-Recipient: rfc822; ${email}\r\nDiagnostic-Code: smtp; 550-5.1.1 <${email}>\r\n 550 5.1.1 User unknown`;

let mine: Organisation;
let other: Organisation;
/** The numbers that were given, each with whether the message bounced. */
const given: [number: number, bounced: boolean][] = [];
beforeAll(async () => {
  [mine, other] = [await service.createOrganisation(), await service.createOrganisation()];
  expect(await read(mine)).toMatchObject({ version: MODEL.version, state: 'prior', computed_at: null, sends: null });
  for (let place = 0; place < 60; place += 1) {
    const [email, bounces] = [`person-${place}@business.test`, place % 4 === 3];
    given.push([
      bounces ? await tell(mine, email, 'hard_bounce', unknown(email)) : await tell(mine, email, 'delivered'),
      bounces,
    ]);
  }
  // None of these count: a policy refusal, a withdrawn report, a test key, another account, an unknown trace.
  await tell(mine, 'blocked@business.test', 'hard_bounce', '550 5.7.606 Access denied, banned sending IP');
  const { trace_id: taken } = await verify(mine, 'back@business.test');
  await report(mine.keys.member, taken, 'hard_bounce');
  await report(mine.keys.member, taken, 'unknown');
  for (const [key, trace] of [
    [mine.keys.test, taken],
    [other.keys.member, taken],
    [mine.keys.member, newId('vr', Date.now())],
  ] as const)
    await service.call('POST', '/v1/outcome', key, { trace_id: trace, outcome: 'hard_bounce' });
}, 120_000);

describe('what an account reports', () => {
  it('moves its next answer at once, and no other account’s, nor a test key’s', async () => {
    const [own, untouched] = [await verify(mine, 'ada@business.test'), await verify(other, 'ada@business.test')];
    expect(own.calibration).toBe('fitted');
    expect(untouched.calibration).toBe('prior');
    expect(own.bounce_probability).toBeGreaterThan(untouched.bounce_probability);
    expect(await verify(mine, 'ada@business.test', 'test')).toMatchObject({ calibration: 'prior' });
    expect(await verify(mine, 'bob@null-mx.test')).toMatchObject({ calibration: 'prior', reason: 'no_mx' });
    const { body } = await service.call('POST', '/v1/decide', mine.keys.member, { email: 'dan@business.test' });
    expect(body.verification.calibration).toBe('fitted');
  });

  it('is held by the night against the numbers that were given before it came', async () => {
    await service.runNight();
    const found = await read(mine);
    expect(found).toMatchObject({
      version: MODEL.version,
      state: 'fitted',
      outcomes: 60,
      hard_bounces: 15,
      sends: { days: 30 },
      sources: [{ source: 'api', kind: null }],
    });
    const loss = given.reduce((sum, [p, bounced]) => sum - Math.log(bounced ? p : 1 - p), 0) / given.length;
    expect(found.log_loss.fitted).toBeCloseTo(loss, 4);
    expect(found.log_loss.fitted).toBeLessThan(found.log_loss.prior ?? 0);
    expect(found.log_loss_nights).toEqual([{ computed_at: found.computed_at, ...found.log_loss }]);
    expect(found.bins.reduce((sum, { count }) => sum + count, 0)).toBe(60);
    expect(found.coverage).not.toBeNull();
    const numbers = [
      ...Object.values(found.log_loss),
      ...found.bins.flatMap(({ ci, ...bin }) => [...ci, ...Object.values(bin)]),
    ];
    for (const number of numbers) expect(String(number)).toMatch(/^\d+(\.\d{1,6})?$/);
    expect(await read(other)).toMatchObject({ state: 'prior', outcomes: 0, log_loss: { prior: null, fitted: null } });
    expect(await read(mine, 'test')).toMatchObject({ state: 'prior', computed_at: null, outcomes: 0 });
  });

  it('shows no address and no server’s text', async () => {
    const { rows } = await service.database.query(
      'select row_to_json(t)::text from calibration as t where organisation_id = $1',
      [mine.id],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/person-\d|User unknown/);
  });

  it('goes with the account', async () => {
    const gone = await service.createOrganisation();
    await tell(gone, 'ada@business.test', 'delivered');
    await service.runNight(gone.id);
    await service.call('DELETE', `/operator/v1/organisations/${gone.id}`, service.operatorKey);
    const { rows } = await service.database.query('select 1 from calibration where organisation_id = $1', [gone.id]);
    expect(rows).toEqual([]);
  });
});

describe('an account that has only imported what was', () => {
  it('has a number of its own at once, and names where its outcomes came from', async () => {
    const organisation = await service.createOrganisation();
    const before = await verify(organisation, 'ada@business.test');
    const at = Math.floor(Date.now() / 1_000) - 86_400;
    const outcomes = Array.from({ length: 400 }, (_, place) => ({
      email: `user${place}@business.test`,
      outcome: place % 4 === 0 ? 'hard_bounce' : 'delivered',
      at,
    }));
    await service.call('POST', '/v1/outcomes/import', organisation.keys.member, { outcomes });
    const after = await verify(organisation, 'bob@business.test');
    expect(after.calibration).toBe('fitted');
    expect(after.bounce_probability).not.toBe(before.bounce_probability);
    const { trace_id: told } = await verify(organisation, 'told@business.test');
    await report(organisation.keys.member, told, 'delivered');
    await service.runNight(organisation.id);
    expect(await read(organisation)).toMatchObject({
      state: 'fitted',
      outcomes: 1,
      sources: [
        { source: 'import', kind: null, outcomes: 400, hard_bounces: 100 },
        { source: 'api', kind: null, outcomes: 1, hard_bounces: 0 },
      ],
      sends: { days: 30, verified: 3, reported: 1 },
    });
  });
});
