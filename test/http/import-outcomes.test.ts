import { describe, expect, it } from 'vitest';
import { startService } from '../support/service.ts';

const service = await startService();
const nowS = (): number => Math.floor(Date.now() / 1_000);
const DAY_S = 86_400;

async function stage() {
  const organisation = await service.createOrganisation();
  const post = (outcomes: object[], key = organisation.keys.member) =>
    service.call('POST', '/v1/outcomes/import', key, { outcomes });
  const rows = async () => {
    const query = 'select row_to_json(t)::text from mail_report as t where organisation_id = $1 order by at';
    return (await service.database.query(query, [organisation.id])).rows.map(([row]) => JSON.parse(row ?? ''));
  };
  return { organisation, post, rows };
}

describe('an import of outcomes', () => {
  it('takes rows by address, each once, and names by their places those it rejects', async () => {
    const { post, rows } = await stage();
    const at = nowS() - 30 * DAY_S;
    const bounce = { email: 'Bob@Business.test', outcome: 'hard_bounce', at, smtp_code: '550 5.1.1 unknown' };
    const outcomes = [
      bounce,
      { email: 'not an address', outcome: 'delivered', at },
      { email: 'ada@business.test', outcome: 'delivered', at: nowS() - 401 * DAY_S },
      { ...bounce, email: 'bob@business.test' },
      { email: 'ada@business.test', outcome: 'delivered', at: nowS() + 2 * DAY_S },
      { email: 'ada@business.test', outcome: 'delivered', at: at + 1 },
    ];
    const { status, body } = await post(outcomes);
    expect(status).toBe(202);
    expect(body).toEqual({
      accepted: 2,
      duplicates: 1,
      rejected: [
        { index: 1, reason: 'not_an_address' },
        { index: 2, reason: 'too_old' },
        { index: 4, reason: 'in_the_future' },
      ],
      read_as: { user_unknown: 1, delivered: 1 },
    });
    expect((await post(outcomes)).body).toMatchObject({ accepted: 0, duplicates: 3, read_as: {} });
    const blocked = { email: 'eve@business.test', outcome: 'hard_bounce', at: at + 2, smtp_code: '550 5.7.1 blocked' };
    expect((await post([blocked])).body).toMatchObject({ accepted: 1, read_as: {} });
    expect(await rows()).toMatchObject([
      { outcome: 'hard_bounce', class: 'user_unknown', basic_code: '550', enhanced_code: '5.1.1', source: 'import' },
      { outcome: 'delivered', class: 'delivered' },
      { outcome: 'hard_bounce', class: null },
    ]);
    expect(JSON.stringify(await rows())).not.toContain('business.test');
  });

  it('gives the newest verification before it its outcome, and none after it', async () => {
    const { organisation, post } = await stage();
    const { trace_id } = (
      await service.call('POST', '/v1/verify', organisation.keys.member, { email: 'ada@business.test' })
    ).body;
    const outcome = async () =>
      (await service.call('GET', `/v1/traces/${trace_id}`, organisation.keys.viewer)).body.trace.outcome;
    await post([{ email: 'ada@business.test', outcome: 'hard_bounce', at: nowS() - DAY_S }]);
    expect(await outcome()).toBeNull();
    await post([{ email: 'ada@business.test', outcome: 'soft_bounce', at: nowS() + 1 }]);
    expect(await outcome()).toMatchObject({ outcome: 'soft_bounce' });
  });

  it('takes 1,000 rows, and no more', async () => {
    const { post, rows } = await stage();
    const at = nowS() - DAY_S;
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ email: `user${i}@business.test`, outcome: 'delivered', at }));
    expect((await post(many(1_000))).body).toEqual({
      accepted: 1_000,
      duplicates: 0,
      rejected: [],
      read_as: { delivered: 1_000 },
    });
    expect(await rows()).toHaveLength(1_000);
    expect((await post(many(1_001))).status).toBe(400);
    expect((await post([])).status).toBe(400);
  });

  it('enters nothing twice when it is sent again after Postgres was away', async () => {
    const { post, rows } = await stage();
    const outcomes = Array.from({ length: 700 }, (_, i) => {
      return { email: `user${i}@business.test`, outcome: 'delivered', at: nowS() - DAY_S };
    });
    service.faults.down = true;
    expect((await post(outcomes)).status).toBe(503);
    service.faults.down = false;
    expect((await post(outcomes)).body.accepted).toBe(700);
    expect(await rows()).toHaveLength(700);
  });

  it('is for live keys of members, and knows no outcome `unknown`', async () => {
    const { organisation, post } = await stage();
    const row = { email: 'ada@business.test', outcome: 'delivered', at: nowS() };
    for (const [key, status] of [
      [organisation.keys.viewer, 403],
      [organisation.keys.test, 403],
      [organisation.keys.member, 202],
    ] as const)
      expect((await post([row], key)).status).toBe(status);
    const { status, body } = await post([row, { ...row, outcome: 'unknown' }]);
    expect(status).toBe(400);
    expect(body.error.message).toContain('`outcomes[1].outcome`');
  });
});
