import { describe, expect, it, vi } from 'vitest';
import { OutcomeReceipt } from '../../src/contract/feedback.ts';
import { newId } from '../../src/kernel/ids.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const mine = await service.createOrganisation();
const member = mine.keys.member;
const nowS = (): number => Math.floor(Date.now() / 1000);

const verify = async (key = member, path = '/v1/verify') =>
  (await service.call('POST', path, key, { email: 'ada@business.test' })).body;
const send = (path: string, body: unknown, key = member, headers = {}) =>
  service.call('POST', path, key, body, headers);
/** Repeats a report whose look-up timed out, as it may on a busy machine. */
async function report(body: object, key = member): Promise<OutcomeReceipt> {
  const answer = await send('/v1/outcome', body, key);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  const receipt = OutcomeReceipt.strict().parse(answer.body);
  return receipt.matched === null && !service.faults.down ? report(body, key) : receipt;
}
const outcomeOf = async (traceId: string, key = member) =>
  (await service.call('GET', `/v1/traces/${traceId}`, key)).body.trace.outcome;
const rowsOf = async (table: string, id = mine.id): Promise<Record<string, unknown>[]> => {
  await service.objectOf(id).object.flush(null);
  const query = `select row_to_json(t)::text from ${table} as t where organisation_id = $1 order by id`;
  return (await service.database.query(query, [id])).rows.map(([row]) => JSON.parse(row ?? ''));
};

describe('an outcome', () => {
  it('is answered with its codes, and is in the trace at once; the next report replaces it', async () => {
    const { trace_id } = await verify();
    expect(await outcomeOf(trace_id)).toBeNull();
    const smtp_code = 'host mx.business.test said: 550-5.1.1 <ada@business.test> unknown\r\n550 5.1.1 bye';
    const first = await report({ trace_id, outcome: 'hard_bounce', smtp_code });
    expect(first).toEqual({
      id: expect.stringMatching(/^oc_/),
      trace_id,
      outcome: 'hard_bounce',
      matched: true,
      smtp: { code: '550', enhanced: '5.1.1' },
      read_as: 'user_unknown',
    });
    expect(await outcomeOf(trace_id)).toEqual({
      id: first.id,
      outcome: 'hard_bounce',
      smtp: first.smtp,
      reported_at: expect.any(Number),
    });
    const second = await report({ trace_id, outcome: 'delivered' });
    expect(second.smtp).toBeNull();
    expect(await outcomeOf(trace_id)).toMatchObject({ id: second.id, outcome: 'delivered', smtp: null });
  });

  it.each([
    ['hard_bounce', '550 5.1.1 unknown', 'user_unknown'],
    ['hard_bounce', undefined, 'refused'],
    ['soft_bounce', '452 4.2.2 mailbox full', 'full'],
    ['soft_bounce', undefined, 'soft'],
    ['delivered', undefined, 'delivered'],
    ['complaint', undefined, 'complaint'],
    ['hard_bounce', '550 5.7.1 blocked for spam', null],
    ['hard_bounce', '550 5.4.5 Daily user sending limit exceeded', null],
    ['unknown', undefined, null],
  ])('of a %s with %s is read as %s, alone, in a batch and under a test key', async (outcome, smtp_code, read_as) => {
    const one = { trace_id: 'vr_x', outcome, smtp_code };
    expect(await report(one)).toMatchObject({ read_as });
    expect(await report(one, mine.keys.test)).toMatchObject({ read_as });
    expect((await send('/v1/outcome', { outcomes: [one] }, member)).body.outcomes).toMatchObject([{ read_as }]);
  });

  it('is matched to the verification inside a decision, and is in the decision’s trace', async () => {
    const { verification, trace_id } = await verify(member, '/v1/decide');
    expect(await report({ trace_id: verification.trace_id, outcome: 'complaint' })).toMatchObject({ matched: true });
    expect(await outcomeOf(trace_id)).toMatchObject({ outcome: 'complaint' });
    expect(await outcomeOf(verification.trace_id)).toMatchObject({ outcome: 'complaint' });
  });

  it('is accepted and not matched for an unknown trace, another account’s or another mode’s', async () => {
    const other = await service.createOrganisation();
    const theirs = await verify(other.keys.member);
    const tests = await verify(mine.keys.test);
    for (const trace_id of [
      newId('vr', Date.now()),
      'vr_x',
      `vr_${'A-_9'.repeat(16)}`,
      theirs.trace_id,
      tests.trace_id,
    ])
      expect(await report({ trace_id, outcome: 'delivered' })).toMatchObject({ trace_id, matched: false });
    expect(await outcomeOf(theirs.trace_id, other.keys.member)).toBeNull();
    expect(await outcomeOf(tests.trace_id, mine.keys.test)).toBeNull();
    expect(await report({ trace_id: tests.trace_id, outcome: 'delivered' }, mine.keys.test)).toMatchObject({
      matched: true,
    });
  });

  it('is matched for a key that may read the trace, and costs another the same look-ups as an unknown trace', async () => {
    const org = await service.createOrganisation();
    const key = async (role: string, origin: string) => (await org.createKey({ role, origin })).key;
    const [writer, other, admin] = [
      await key('member', 'manual'),
      await key('member', 'service'),
      await key('admin', 'manual'),
    ];
    const held = await verify(writer);
    const written = await verify(writer);
    const ask = async (trace_id: string, by: string) => {
      const [query, transaction] = [vi.spyOn(service.database, 'query'), vi.spyOn(service.database, 'transaction')];
      const objectBefore = service.calls.object;
      const { matched } = await report({ trace_id, outcome: 'delivered' }, by);
      const statements = query.mock.calls.length + transaction.mock.calls.length;
      vi.restoreAllMocks();
      await service.objectOf(org.id).object.flush(null);
      return { matched, statements, objectCalls: service.calls.object - objectBefore };
    };
    await service.objectOf(org.id).object.flush(null);
    const unknown = await ask(newId('vr', Date.now()), other);
    expect(unknown.matched).toBe(false);
    expect(await ask(written.trace_id, other)).toEqual(unknown);
    for (const by of [writer, admin, org.keys.member])
      expect(await ask(held.trace_id, by)).toMatchObject({ matched: true });
  });

  it('stores nothing of the message but its codes', async () => {
    const org = await service.createOrganisation();
    const { trace_id } = await verify(org.keys.member);
    const text = 'Sorry, grace.hopper@secret.example: mailbox of Grace unavailable\r\n550 5.2.1 disabled xyzzy';
    service.faults.down = true;
    const headers = { 'idempotency-key': 'once' };
    const body = { trace_id, outcome: 'hard_bounce', smtp_code: text };
    const answer = await send('/v1/outcome', body, org.keys.member, headers);
    expect(answer.body.smtp).toEqual({ code: '550', enhanced: '5.2.1' });
    const { sql } = service.objectOf(org.id).storage;
    const held = JSON.stringify(['outbox', 'operation'].map((table) => sql.exec(`select * from ${table}`).toArray()));
    service.faults.down = false;
    expect(held).toContain('5.2.1');
    for (const part of ['hopper', 'secret.example', 'xyzzy', 'Grace']) expect(held).not.toContain(part);
    expect(JSON.stringify(await rowsOf('outcome', org.id))).not.toContain('secret');
  });

  it('is one report under one Idempotency-Key; another body is a conflict', async () => {
    const { trace_id } = await verify();
    const headers = { 'idempotency-key': 'k1' };
    const body = { trace_id, outcome: 'soft_bounce', smtp_code: '452 4.2.2 Over quota' };
    const first = await send('/v1/outcome', body, member, headers);
    expect(first).toMatchObject({ status: 202, body: { smtp: { code: '452', enhanced: '4.2.2' } } });
    expect((await send('/v1/outcome', body, member, headers)).body).toEqual(first.body);
    expect((await send('/v1/outcome', { ...body, outcome: 'unknown' }, member, headers)).status).toBe(409);
  });

  it('is kept while Postgres is away, shown from the object, and written when it is back', async () => {
    const org = await service.createOrganisation();
    service.faults.down = true;
    const { trace_id } = await verify(org.keys.member);
    const unknown = newId('vr', Date.now());
    const { matched } = await report({ trace_id, outcome: 'hard_bounce' }, org.keys.member);
    expect([true, null]).toContain(matched);
    expect(await report({ trace_id: unknown, outcome: 'delivered' }, org.keys.member)).toMatchObject({ matched: null });
    expect(await outcomeOf(trace_id, org.keys.member)).toMatchObject({ outcome: 'hard_bounce' });
    service.faults.down = false;
    expect(new Set((await rowsOf('outcome', org.id)).map((row) => row.trace_id))).toEqual(new Set([trace_id, unknown]));
  });

  it('on a live verification is not hidden by a test key’s, while that is still to be written', async () => {
    const org = await service.createOrganisation();
    const { trace_id } = await verify(org.keys.member);
    await report({ trace_id, outcome: 'hard_bounce' }, org.keys.member);
    await rowsOf('outcome', org.id);
    const { object } = service.objectOf(org.id);
    const { flush } = object;
    const heldOutcome = JSON.stringify({ mode: 'test', traceId: trace_id, outcome: 'delivered' });
    object.flush = async () => ({ drained: false, held: null, heldOutcome });
    const shown = await outcomeOf(trace_id, org.keys.member);
    object.flush = flush;
    expect(shown).toMatchObject({ outcome: 'hard_bounce' });
  });

  it('goes with its organisation', async () => {
    const org = await service.createOrganisation();
    await report({ trace_id: 'vr_x', outcome: 'delivered' }, org.keys.member);
    await send('/v1/events', { trace_id: 'vr_x', event: 'churned', at: nowS() }, org.keys.member);
    expect(await rowsOf('outcome', org.id)).toHaveLength(1);
    expect(await rowsOf('event', org.id)).toHaveLength(1);
    await service.call('DELETE', `/operator/v1/organisations/${org.id}`, service.operatorKey);
    for (const table of ['outcome', 'event'])
      expect(
        (await service.database.query(`select 1 from ${table} where organisation_id = $1`, [org.id])).rows,
      ).toEqual([]);
  });
});

describe('events', () => {
  const event = (change: object = {}) => ({ trace_id: 'dc_x', event: 'subscribed', at: nowS(), ...change });

  it('are kept in the order of their batch, which is one or up to a hundred', async () => {
    const org = await service.createOrganisation();
    const { trace_id } = await verify(org.keys.member);
    const batch = Array.from({ length: 100 }, (_, n) => event({ trace_id, event: `custom:n${n}`, at: nowS() - n / 4 }));
    const answer = await send('/v1/events', { events: batch }, org.keys.member);
    expect(answer).toMatchObject({ status: 202, body: { accepted: 100 } });
    const { ids } = answer.body;
    expect(new Set(ids).size).toBe(100);
    const single = await send(
      '/v1/events',
      event({ properties: { plan: 'pro', seats: 2, trial: false } }),
      org.keys.member,
    );
    expect(single).toMatchObject({ status: 202, body: { accepted: 1, ids: [expect.stringMatching(/^ev_/)] } });
    const rows = await rowsOf('event', org.id);
    expect(rows.map((row) => row.event)).toEqual([...batch.map((each) => each.event), 'subscribed']);
    expect(rows.at(-1)).toMatchObject({ properties: { plan: 'pro', seats: 2, trial: false }, trace_id: null });
    expect(rows[0]).toMatchObject({ source: 'api', address_hash: null, trace_id: expect.any(String) });
  });

  it('sent again are recorded again', async () => {
    const org = await service.createOrganisation();
    const body = event();
    const headers = { 'idempotency-key': 'same' };
    const sent = [
      await send('/v1/events', body, org.keys.member, headers),
      await send('/v1/events', body, org.keys.member, headers),
    ];
    expect(new Set(sent.flatMap((answer) => answer.body.ids)).size).toBe(2);
    expect(await rowsOf('event', org.id)).toHaveLength(2);
  });

  it('are kept apart for a test key', async () => {
    const org = await service.createOrganisation();
    expect((await send('/v1/events', event(), org.keys.test)).status).toBe(202);
    expect(await rowsOf('event', org.id)).toMatchObject([{ mode: 'test' }]);
  });

  it('survive Postgres being away', async () => {
    const org = await service.createOrganisation();
    service.faults.down = true;
    const { status } = await send('/v1/events', { events: [event(), event()] }, org.keys.member);
    service.faults.down = false;
    expect(status).toBe(202);
    expect(await rowsOf('event', org.id)).toHaveLength(2);
  });
});

const at = nowS();
const EVENT = { trace_id: 'vr_1', event: 'subscribed', at };
const FAULTS: [path: string, body: unknown, message: RegExp][] = [
  ['/v1/outcome', { outcome: 'delivered' }, /`trace_id` is required/],
  ['/v1/outcome', { trace_id: 'dc_1', outcome: 'delivered' }, /`trace_id` must be a `vr_` id/],
  ['/v1/outcome', { trace_id: 'vr_', outcome: 'delivered' }, /`trace_id` must be a `vr_` id/],
  ['/v1/outcome', { trace_id: `vr_${'a'.repeat(65)}`, outcome: 'delivered' }, /`trace_id` must be/],
  ['/v1/outcome', { trace_id: 'vr_1 ', outcome: 'delivered' }, /`trace_id` must be/],
  ['/v1/outcome', { trace_id: 1, outcome: 'delivered' }, /`trace_id` must be of type string/],
  ['/v1/outcome', { trace_id: 'vr_1' }, /`outcome` is required/],
  ['/v1/outcome', { trace_id: 'vr_1', outcome: 'bounced' }, /`outcome` must be one of delivered, hard_bounce/],
  ['/v1/outcome', { trace_id: 'vr_1', outcome: 'hard_bounce', smtp_code: 550 }, /`smtp_code` must be of type string/],
  ['/v1/events', {}, /`trace_id` is required/],
  ['/v1/events', { ...EVENT, trace_id: 'ck_1' }, /`trace_id` must be a `dc_` or `vr_` id/],
  ['/v1/events', { ...EVENT, event: 'clicked' }, /`event` must be one of signup_completed/],
  ['/v1/events', { ...EVENT, event: 'custom:' }, /`event` must be one of/],
  ['/v1/events', { ...EVENT, event: 'custom:Big' }, /`event` must be one of/],
  ['/v1/events', { ...EVENT, event: 'custom:1st' }, /`event` must be one of/],
  ['/v1/events', { ...EVENT, event: `custom:a${'b'.repeat(64)}` }, /`event` must be one of/],
  ['/v1/events', { ...EVENT, at: at * 1000 }, /`at` is more than a day ahead.*milliseconds/],
  ['/v1/events', { ...EVENT, at: at + 86_460 }, /`at` is more than a day ahead/],
  ['/v1/events', { ...EVENT, at: '2026-11-12' }, /`at` must be of type number/],
  ['/v1/events', { ...EVENT, at: -1 }, /`at` must be at least 0/],
  [
    '/v1/events',
    { ...EVENT, properties: { who: 'ada@example.com' } },
    /`properties.who` must not contain an e-mail address/,
  ],
  ['/v1/events', { ...EVENT, properties: { a: { b: 1 } } }, /`properties.a`/],
  ['/v1/events', { ...EVENT, properties: { a: 'x\u0000' } }, /`properties.a` must not contain a NUL/],
  ['/v1/events', { ...EVENT, properties: { a: '\ud800' } }, /`properties.a` must not contain/],
  ['/v1/events', { ...EVENT, properties: { 'ada@example.com': 1 } }, /`properties` has a key/],
  ['/v1/events', { events: [] }, /`events` must not be empty/],
  ['/v1/events', { events: Array.from({ length: 101 }, () => EVENT) }, /`events` must be at most 100 entries/],
  ['/v1/events', { events: 7 }, /`events` must be of type array/],
  ['/v1/events', { events: [EVENT, 7] }, /`events\[1\]` must be of type object/],
  ['/v1/events', { events: [EVENT, { ...EVENT, trace_id: 'x' }] }, /`events\[1\].trace_id` must be/],
  [
    '/v1/events',
    { events: [EVENT, EVENT, EVENT, { ...EVENT, at: at * 1000 }] },
    /`events\[3\].at` is more than a day ahead/,
  ],
  ['/v1/events', { events: [{ ...EVENT, properties: { who: 'ada@example.com' } }] }, /`events\[0\].properties.who`/],
  ['/v1/events', { ...EVENT, events: [EVENT] }, /The body has both `events` and `trace_id`/],
  ['/v1/events', { ...EVENT, event: 'clicked', events: [EVENT] }, /The body has both `events` and `trace_id`/],
  ['/v1/events', { events: [EVENT], at }, /`at` belongs in `events\[\].at`/],
  [
    '/v1/outcome',
    { trace_id: 'vr_1', outcome: 'delivered', outcomes: [{ trace_id: 'vr_2', outcome: 'delivered' }] },
    /The body has both `outcomes` and `trace_id`/,
  ],
];

describe('what cannot be taken', () => {
  it.each(FAULTS)('%s %j is refused by name, whole and without its value', async (path, body, message) => {
    const before = await rowsOf('event');
    const answer = await send(path, body);
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(answer.body.error.message).toMatch(message);
    expect(answer.body.error.message).not.toContain('ada@example.com');
    expect(await rowsOf('event')).toEqual(before);
  });

  it('a viewer’s report is refused, and one that the object did not take is not answered as taken', async () => {
    const org = await service.createOrganisation();
    const bodies: [string, object][] = [
      ['/v1/outcome', { trace_id: 'vr_1', outcome: 'delivered' }],
      ['/v1/events', EVENT],
    ];
    for (const [path, body] of bodies) expect((await send(path, body, org.keys.viewer)).status).toBe(403);
    service.breakObject(org.id);
    for (const [path, body] of bodies) expect((await send(path, body, org.keys.member)).status).toBe(503);
  });
});

describe('a batch of outcomes', () => {
  const batch = (outcomes: object[], key = member, headers = {}) => send('/v1/outcome', { outcomes }, key, headers);

  it('is answered in its order, each with its codes and whether its trace is the account’s', async () => {
    const [one, two] = [await verify(), await verify(member, '/v1/decide')];
    const { status, body } = await batch([
      { trace_id: one.trace_id, outcome: 'hard_bounce', smtp_code: '550 5.1.1 unknown' },
      { trace_id: two.verification.trace_id, outcome: 'delivered' },
      { trace_id: 'vr_x', outcome: 'complaint' },
    ]);
    expect(status).toBe(202);
    expect(body.outcomes).toMatchObject([
      {
        trace_id: one.trace_id,
        outcome: 'hard_bounce',
        matched: true,
        smtp: { code: '550', enhanced: '5.1.1' },
        read_as: 'user_unknown',
      },
      { trace_id: two.verification.trace_id, outcome: 'delivered', matched: true, smtp: null },
      { trace_id: 'vr_x', outcome: 'complaint', matched: false },
    ]);
    expect(await outcomeOf(one.trace_id)).toMatchObject({ id: body.outcomes[0].id, outcome: 'hard_bounce' });
    expect(await outcomeOf(two.verification.trace_id)).toMatchObject({ outcome: 'delivered' });
  });

  it('takes the later of two reports of one trace', async () => {
    const { trace_id } = await verify();
    const order = ['delivered', 'hard_bounce', 'complaint'];
    await batch(order.map((outcome) => ({ trace_id, outcome })));
    expect(await outcomeOf(trace_id)).toMatchObject({ outcome: 'complaint' });
  });

  it('is kept whole or not at all', async () => {
    const { trace_id } = await verify();
    const faulty = await batch([
      { trace_id, outcome: 'delivered' },
      { trace_id, outcome: 'lost' },
    ]);
    expect(faulty.status).toBe(400);
    expect(faulty.body.error.message).toContain('`outcomes[1].outcome`');
    expect((await batch([])).status).toBe(400);
    expect((await batch(Array.from({ length: 101 }, () => ({ trace_id, outcome: 'delivered' })))).status).toBe(400);
    expect(await outcomeOf(trace_id)).toBeNull();
    expect((await batch(Array.from({ length: 100 }, () => ({ trace_id, outcome: 'delivered' })))).status).toBe(202);
  });

  it('is kept once under one Idempotency-Key and answered alike', async () => {
    const { trace_id } = await verify();
    const headers = { 'idempotency-key': 'batch-1' };
    const reports = [
      { trace_id, outcome: 'delivered' },
      { trace_id: 'vr_y', outcome: 'delivered' },
    ];
    const first = await batch(reports, member, headers);
    expect((await batch(reports, member, headers)).body).toEqual(first.body);
  });
});
