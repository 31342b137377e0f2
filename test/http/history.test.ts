import { afterEach, describe, expect, it } from 'vitest';
import { type AddressFacts, MEMORY_MS } from '../../src/domain/belief/facts.ts';
import type { Effect, Groups } from '../../src/domain/belief/groups.ts';
import { listOfCalls, sourceTag } from '../../src/domain/belief/names.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { listAddresses } from '../../src/organisation/sql/history.ts';
import { trimHistory } from '../../src/services/nightly/organisation-night.ts';
import { onPort } from '../support/on-port.ts';
import { startService } from '../support/service.ts';

let asked = 0;
/** Kickbox on this machine: refuses every mailbox. */
const origin = await onPort(async () => {
  asked += 1;
  return Response.json({ success: true, result: 'undeliverable', reason: 'rejected_email', accept_all: false });
});
const service = await startService({
  KICKBOX_API_KEY: 'key',
  KICKBOX_BASE_URL: origin,
  KICKBOX_COST_USD: '0.0001',
});
afterEach(() => {
  service.faults.down = false;
});

type Organisation = Awaited<ReturnType<typeof service.createOrganisation>>;
const post = async ({ keys }: Organisation, path: string, body: object, key = keys.member) =>
  (await service.call('POST', path, key, body)).body;
const verify = (of: Organisation, email: string, context: object = {}) => post(of, '/v1/verify', { email, context });
/** The stored facts of every address, by row name. */
const histories = ({ id }: Organisation): Map<string, AddressFacts> =>
  new Map(listAddresses(service.objectOf(id).storage.sql, 0, null, 1_000).map(({ name, facts }) => [name, facts]));
const only = (of: Organisation): AddressFacts => {
  const [history, ...others] = [...histories(of).values()];
  if (!history || others.length > 0) throw new Error('not one address');
  return history;
};
/** The mean of each group effect after a recomputation. */
async function recomputed({ id }: Organisation): Promise<Map<string, number>> {
  const { object, storage } = service.objectOf(id);
  await object.recomputeHistory();
  do {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await object.tick();
  } while (storage.sql.exec("select 1 from timer where name = 'recompute'").toArray().length > 0);
  return new Map(
    storage.sql
      .exec<{ kind: string; name: ArrayBuffer; state: string }>(
        `select kind, name, state from group_effect
         where generation = (select live from history_state) order by kind, name`,
      )
      .toArray()
      .flatMap(({ kind, name, state }) => {
        const kept = JSON.parse(state) as Effect | Pick<Groups, 'account' | 'catchAlls'>;
        const effects = 'mean' in kept ? { [kind]: kept } : kept;
        return Object.entries(effects).map(([of, effect]): [string, number] => [
          `${of} ${Buffer.from(name).toString('hex')}`,
          effect?.mean ?? Number.NaN,
        ]);
      }),
  );
}
const written = (of: Organisation) => service.objectOf(of.id).object.flush(null);

describe('an answer of a provider', () => {
  it('is in the history when the answer arrives, and the next request asks nobody', async () => {
    const org = await service.createOrganisation();
    const before = asked;
    await verify(org, 'ada@business.test', { purpose: 'signup' });
    expect(only(org)).toMatchObject({
      host: 'unknown_business',
      purpose: 'signup',
      answers: [{ provider: 'kickbox', verdict: 'undeliverable', catch_all: false }],
      reports: [],
    });
    const again = await verify(org, 'ada@business.test', { purpose: 'signup' });
    expect(again).toMatchObject({ cache: { hit: true }, providers: {} });
    expect(asked - before).toBe(1);
    expect([...service.facts.keys()].filter((key) => key.startsWith('evidence:'))).toEqual([]);
  });

  it('is not kept for a test key, nor for an address that was settled without one', async () => {
    const org = await service.createOrganisation();
    await post(org, '/v1/verify', { email: 'ada@business.test' }, org.keys.test);
    await verify(org, 'ada@null-mx.test');
    expect(histories(org).size).toBe(0);
  });
});

const bounce = (of: Organisation, trace: string, body: object = {}) =>
  post(of, '/v1/outcome', { trace_id: trace, outcome: 'hard_bounce', smtp_code: '550 5.1.1 user unknown', ...body });

describe('a report of what became of a message', () => {
  it.each([
    ['is in Postgres', written],
    ['is still with the object', async () => undefined],
  ])('is known to the next request, where the trace %s', async (_, settle) => {
    const org = await service.createOrganisation();
    const { trace_id: trace } = await verify(org, 'ada@business.test', { max_cost_usd: 0 });
    await settle(org);
    expect(await bounce(org, trace)).toMatchObject({ matched: true });
    const [key] = (await service.objectOf(org.id).object.listKeys()).filter(
      ({ role, mode }) => role === 'member' && mode === 'live',
    );
    const { reports, list } = only(org);
    expect(reports).toEqual([
      { class: 'user_unknown', at: expect.any(Number), of: [sourceTag(trace)], source: sourceTag(key?.id ?? '') },
    ]);
    expect(list).toBe(listOfCalls(key?.id ?? '', 'signup'));
  });

  it('reaches the history once Postgres is back, where nobody could say whom it is about', async () => {
    const org = await service.createOrganisation();
    const { trace_id: trace } = await verify(org, 'ada@business.test', { max_cost_usd: 0 });
    await written(org);
    service.faults.down = true;
    expect(await bounce(org, trace)).toMatchObject({ matched: null });
    await written(org);
    expect(histories(org).size).toBe(0);
    service.faults.down = false;
    await written(org);
    await written(org);
    expect(only(org).reports).toMatchObject([{ class: 'user_unknown' }]);
    const { rows } = await service.database.query('select class from delivery_report where organisation_id = $1', [
      org.id,
    ]);
    expect(rows).toEqual([['user_unknown']]);
  });

  it('restores no address that was forgotten while it waited', async () => {
    const org = await service.createOrganisation();
    const { trace_id: trace } = await verify(org, 'ada@business.test', { max_cost_usd: 0 });
    await written(org);
    service.faults.down = true;
    await bounce(org, trace);
    await service.call('POST', '/operator/v1/forget', service.operatorKey, { email: 'ada@business.test' });
    service.faults.down = false;
    await written(org);
    await service.passTimers(org.id);
    expect(histories(org).size).toBe(0);
    const { rows } = await service.database.query('select 1 from delivery_report where organisation_id = $1', [org.id]);
    expect(rows).toEqual([]);
  });
});

const anHourAgo = () => Math.floor((Date.now() - HOUR_MS) / SECOND_MS);

describe('a report without a verification', () => {
  const row = (email: string, body: object = {}) => ({
    email,
    outcome: 'hard_bounce',
    at: anHourAgo(),
    smtp_code: '550 5.1.1 user unknown',
    ...body,
  });

  it('enters the history of its address, with the mail hosts of today and a list of its own', async () => {
    const org = await service.createOrganisation();
    const imported = await post(org, '/v1/outcomes/import', { outcomes: [row('ada@business.test')] });
    expect(imported).toMatchObject({ accepted: 1 });
    expect(only(org)).toMatchObject({
      host: 'unknown_business',
      purpose: 'outbound',
      list: listOfCalls('import', 'outbound'),
      reports: [{ class: 'user_unknown', source: sourceTag('import') }],
    });
  });

  it.each([
    ['whose domain takes no mail now is stored alone', 'ada@null-mx.test', {}, null],
    ['that says nothing of the mailbox too', 'ada@business.test', { smtp_code: '550 5.7.1 spam' }, null],
    ['whose domain could not be looked up is known all the same', 'ada@servfail.test', {}, 'unresolved_business'],
    ['of a consumer provider has its host', 'ada@gmail.com', {}, 'google_consumer'],
  ])('%s', async (_, email, body, host) => {
    const org = await service.createOrganisation();
    await post(org, '/v1/outcomes/import', { outcomes: [row(email, body)] });
    expect([...histories(org).values()].map((history) => history?.host)).toEqual(host === null ? [] : [host]);
  });
});

it.each([
  ['activated', [{ class: 'confirmed' }]],
  ['subscribed', [{ class: 'paid' }]],
  ['upgraded', [{ class: 'paid' }]],
  ['signup_completed', null],
])('the event %s proves as much of the person as it says', async (event, proofs) => {
  const org = await service.createOrganisation();
  const { trace_id: id } = await post(org, '/v1/decide', { email: 'ada@business.test', context: { max_cost_usd: 0 } });
  await post(org, '/v1/events', { trace_id: id, event, at: Math.floor(Date.now() / SECOND_MS) });
  await written(org);
  if (proofs === null) expect(histories(org).size).toBe(0);
  else expect(only(org).proofs).toMatchObject(proofs);
});

it('a rebuild of a lost object gives the same history', async () => {
  const org = await service.createOrganisation();
  const { trace_id: first } = await verify(org, 'ada@business.test', { purpose: 'outbound' });
  await verify(org, 'bob@business.test', { purpose: 'signup' });
  const { trace_id: cy } = await verify(org, 'info@zoho.test', { max_cost_usd: 0 });
  await verify(org, 'unheard-of@zoho.test', { max_cost_usd: 0 });
  await bounce(org, first);
  await bounce(org, cy, { outcome: 'delivered', smtp_code: undefined });
  await post(org, '/v1/events', { trace_id: cy, event: 'activated', at: Math.floor(Date.now() / SECOND_MS) });
  const at = anHourAgo() + 3_601;
  await post(org, '/v1/outcomes/import', {
    outcomes: [
      { email: 'bob@business.test', outcome: 'delivered', at },
      { email: 'dan@business.test', outcome: 'soft_bounce', at },
      // With fewer deliveries the source isn't trusted, and its reports move no group.
      ...Array.from({ length: 20 }, (_, i) => ({ email: `person${i}@business.test`, outcome: 'delivered', at })),
    ],
  });
  await written(org);
  const groupsBefore = await recomputed(org);
  const before = histories(org);
  expect(before.size).toBe(24);
  service.loseObject(org.id);
  await service.call('POST', `/operator/v1/organisations/${org.id}/rebuild`, service.operatorKey);
  const groups = await recomputed(org);
  // The account with its catch-all companies, the lists of a key for two purposes, the list of imports, and both domains. One
  // domain was reported by an untrusted key alone, but it had a delivery.
  expect([...groupsBefore.keys()]).toHaveLength(7);
  expect([...groups.keys()]).toEqual([...groupsBefore.keys()]);
  for (const [name, mean] of groupsBefore) expect(Math.abs(mean - (groups.get(name) ?? Number.NaN))).toBeLessThan(0.01);
  expect(histories(org)).toEqual(before);
});

describe('the night', () => {
  it('forgets the addresses of which 400 days brought nothing new, and the oldest of too many', async () => {
    const org = await service.createOrganisation();
    for (const local of ['ada', 'bob', 'cy']) await verify(org, `${local}@business.test`);
    const id = org.id as Id<'org'>;
    const { object } = service.objectOf(org.id);
    const objects = { now: Date.now, counters: { add: () => undefined }, stub: () => object } as never;
    expect(await trimHistory({ objects }, id, Date.now(), MEMORY_MS.to)).toEqual({ addresses: 3 });
    expect(await trimHistory({ objects }, id, Date.now(), MEMORY_MS.to, 2)).toEqual({ addresses: 2, over: 1 });
    await verify(org, 'ada@business.test');
    expect(await trimHistory({ objects }, id, Date.now() + 401 * DAY_MS, MEMORY_MS.to)).toEqual({ addresses: 0 });
  });
});
