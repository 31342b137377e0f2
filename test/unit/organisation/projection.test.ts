import { beforeEach, describe, expect, it, vi } from 'vitest';
import { eventBatch } from '../../../src/domain/feedback/outcomes.ts';
import { traceJson } from '../../../src/domain/traces/traces.ts';
import { SECOND_MS } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { appendRecords, operationKey, readWaiting } from '../../../src/organisation/sql/operations.ts';
import {
  appendOutbox,
  lastOutboxSeq,
  listOutbox,
  readOutbox,
  setAsideOutbox,
} from '../../../src/organisation/sql/organisation.ts';
import { type FakeNeon, type NeonAnswer, stubNeon } from '../../support/fake-neon.ts';
import { createTestOrganisation } from '../../support/organisation.ts';
import { START_MS, traceRecord } from '../../support/records.ts';
import { commitRequest } from '../../support/requests.ts';

let neon: FakeNeon;
beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  neon = stubNeon();
  // Jitter at its maximum.
  vi.spyOn(Math, 'random').mockReturnValue(1);
});

/** An organisation with an empty outbox. */
async function createDrained() {
  const organisation = await createTestOrganisation();
  await organisation.object.tick();
  expect(await organisation.object.status()).toMatchObject({ outboxRows: 0 });
  neon.statements.length = 0;
  /** Finishes an operation; gives back its trace's record as the outbox holds it. */
  const commitTrace = async (id: `vr_${string}`): Promise<string> => {
    const record = traceJson(traceRecord({ id, organisationId: organisation.settings.id }));
    await organisation.commit(id, { trace: { kind: 'trace', id, record } });
    return record;
  };
  /** Advances the clock to the alarm and runs it. Returns the wait in milliseconds. */
  const reachAlarm = async (): Promise<number> => {
    const waitMs = (organisation.storage.alarmAt() ?? Number.NaN) - Date.now();
    await vi.advanceTimersByTimeAsync(waitMs);
    await organisation.object.tick();
    return waitMs;
  };
  return Object.assign(organisation, { commitTrace, reachAlarm });
}

describe('flush', () => {
  it('neither waits nor asks Postgres when nothing is held', async () => {
    const { object } = await createDrained();
    // The fake clock stands still, so a wait would never settle.
    expect(await object.flush('vr_a')).toMatchObject({ held: null });
    expect(neon.statements).toEqual([]);
  });

  it('writes what is held, then removes it', async () => {
    const { object, commitTrace } = await createDrained();
    await commitTrace('vr_a');
    await commitTrace('vr_b');
    expect(await object.flush('vr_b')).toMatchObject({ held: null });
    expect(neon.statements).toMatchObject([{ table: 'trace', traceIds: ['vr_a', 'vr_b'] }]);
    expect(await object.status()).toMatchObject({ outboxRows: 0, outboxOldestAt: null });
  });

  it('serves all who came during a drain with one more, whatever was held when each came', async () => {
    const { object, commitTrace } = await createDrained();
    const flushes: Promise<unknown>[] = [];
    for (const id of ['vr_a', 'vr_b', 'vr_c', 'vr_d'] as const) {
      await commitTrace(id);
      flushes.push(object.flush(id));
    }
    for (const flushed of await Promise.all(flushes)) expect(flushed).toMatchObject({ drained: true, held: null });
    expect(neon.statements.map(({ traceIds }) => traceIds)).toEqual([['vr_a'], ['vr_b', 'vr_c', 'vr_d']]);
  });

  it.each<[string, NeonAnswer]>([
    ['is down', 'down'],
    ['answers something else', 'stray'],
    ['answers another command', { command: 'UPDATE' }],
    ['says that more rows were written than were sent', { rowCount: 2 }],
  ])('gives the held record, and keeps it, when Postgres %s', async (_, answer) => {
    const { object, commitTrace } = await createDrained();
    const record = await commitTrace('vr_a');
    neon.answer = () => answer;
    expect(await object.flush('vr_a')).toMatchObject({ held: record });
    expect(await object.flush('vr_b')).toMatchObject({ held: null });
    expect(await object.flush(null)).toMatchObject({ held: null });
    expect(await object.status()).toMatchObject({ outboxRows: 1, outboxOldestAt: START_MS });
  });

  it('gives the held record after 2 s when Postgres does not answer', async () => {
    const { object, commitTrace } = await createDrained();
    const record = await commitTrace('vr_a');
    neon.answer = () => 'hanging';
    const settled = vi.fn();
    const flushed = object.flush('vr_a').finally(settled);
    await vi.advanceTimersByTimeAsync(2 * SECOND_MS - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await flushed).toMatchObject({ held: record });
  });

  it('waits for a drain at work and writes only what came since, once for all who wait', async () => {
    const { object, commitTrace } = await createDrained();
    await commitTrace('vr_a');
    const slow = Promise.withResolvers<'written'>();
    neon.answer = () => slow.promise;
    const first = object.flush('vr_a');
    await commitTrace('vr_b');
    const waiting = Array.from({ length: 30 }, () => object.flush('vr_b'));
    slow.resolve('written');
    for (const flushed of [first, ...waiting]) expect(await flushed).toEqual({ drained: true, held: null });
    expect(neon.statements.map(({ traceIds }) => traceIds)).toEqual([['vr_a'], ['vr_b']]);
    expect(await object.status()).toMatchObject({ outboxRows: 0 });
  });

  it('is not one more try when the drain at work fails', async () => {
    const { object, commitTrace } = await createDrained();
    const record = await commitTrace('vr_a');
    const slow = Promise.withResolvers<'down'>();
    neon.answer = () => slow.promise;
    const waiting = Array.from({ length: 30 }, () => object.flush('vr_a'));
    slow.resolve('down');
    for (const flushed of waiting) expect(await flushed).toEqual({ drained: false, held: record });
    expect(neon.statements).toHaveLength(1);
  });

  it('answers at once for an object that holds no organisation', async () => {
    const { object } = await createDrained();
    await object.destroy();
    expect(await object.flush('vr_a')).toMatchObject({ held: null });
  });
});

describe('the outbox timer', () => {
  it('lets a second’s traces gather, and writes them in one statement, in order', async () => {
    const { commitTrace, reachAlarm } = await createDrained();
    await commitTrace('vr_a');
    await vi.advanceTimersByTimeAsync(400);
    await commitTrace('vr_b');
    await vi.advanceTimersByTimeAsync(599);
    expect(neon.statements).toEqual([]);
    expect(await reachAlarm()).toBe(1);
    expect(neon.statements).toMatchObject([{ traceIds: ['vr_a', 'vr_b'] }]);
  });

  it('writes settings and keys at once, a key’s revocation never before its creation', async () => {
    const organisation = await createTestOrganisation();
    const { object, keys, storage } = organisation;
    await object.revokeKey(keys.viewer.id);
    expect(storage.alarmAt()).toBe(START_MS);
    await object.tick();
    expect(neon.statements.map(({ table }) => table)).toEqual([
      'organisation',
      'policy',
      'audit_line',
      'api_key',
      'usage_month',
    ]);
    expect(neon.statements[3]?.values).toContain(String(START_MS));
    expect(await object.status()).toMatchObject({ outboxRows: 0 });
  });

  it('waits twice as long after every failure, and keeps everything', async () => {
    const { object, commitTrace, reachAlarm } = await createDrained();
    await commitTrace('vr_a');
    neon.answer = () => 'down';
    const waits = [];
    for (let i = 0; i < 5; i += 1) waits.push(await reachAlarm());
    expect(waits).toEqual([1, 1, 2, 4, 8].map((seconds) => seconds * SECOND_MS));
    expect(await object.status()).toMatchObject({ outboxRows: 1, outboxOldestAt: START_MS });
  });

  it('writes everything once Postgres is back, and then begins again with a second', async () => {
    const { commitTrace, reachAlarm, object } = await createDrained();
    await commitTrace('vr_a');
    neon.answer = () => 'down';
    for (let i = 0; i < 4; i += 1) await reachAlarm();
    neon.answer = () => 'written';
    await reachAlarm();
    expect(await object.status()).toMatchObject({ outboxRows: 0 });
    await commitTrace('vr_b');
    neon.answer = () => 'down';
    expect(await reachAlarm()).toBe(SECOND_MS);
    expect(await reachAlarm()).toBe(SECOND_MS);
  });

  // Under load every finished request would otherwise bring the next try forward to one second.
  it('waits as long after a failure though new traces come in', async () => {
    const { commitTrace, reachAlarm, storage } = await createDrained();
    await commitTrace('vr_a');
    neon.answer = () => 'down';
    for (let i = 0; i < 4; i += 1) await reachAlarm();
    const due = storage.alarmAt();
    expect(due).toBe(Date.now() + 8 * SECOND_MS);
    await commitTrace('vr_b');
    expect(storage.alarmAt()).toBe(due);
  });

  it('writes what came in during a drain a second later', async () => {
    const { object, commitTrace, reachAlarm } = await createDrained();
    await commitTrace('vr_a');
    const slow = Promise.withResolvers<'written'>();
    neon.answer = () => slow.promise;
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    const running = object.tick();
    await commitTrace('vr_b');
    slow.resolve('written');
    await running;
    expect(neon.statements.map(({ traceIds }) => traceIds)).toEqual([['vr_a']]);
    expect(await reachAlarm()).toBe(SECOND_MS);
    expect(neon.statements.at(-1)?.traceIds).toEqual(['vr_b']);
    expect(await object.status()).toMatchObject({ outboxRows: 0 });
  });

  it('sets aside the row Postgres refuses, writes the others, and says so without its content', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { object, commitTrace, reachAlarm } = await createDrained();
    const c = newId('vr', Date.now());
    for (const id of ['vr_a', 'vr_b', c, 'vr_d'] as const) await commitTrace(id);
    neon.answer = ({ traceIds }) => (traceIds.includes(c) ? { sqlState: '22P05' } : 'written');
    await reachAlarm();
    expect(neon.statements.map(({ traceIds }) => traceIds.join(' '))).toEqual([
      `${c} vr_a vr_b vr_d`,
      `${c} vr_a`,
      c,
      'vr_a',
      'vr_b vr_d',
    ]);
    expect(await object.status()).toMatchObject({ outboxRows: 0, outboxDead: 1, outboxOldestAt: null });
    expect(logged.mock.calls).toHaveLength(1);
    const line = JSON.parse(logged.mock.calls[0]?.[0] as string);
    expect(line).toMatchObject({ event: 'outbox_row_refused', kind: 'trace', id: c });
    expect(JSON.stringify(line)).not.toContain('acme.example');
  });

  it('keeps refused events without their properties, and forgetting a person takes nothing of other people', async () => {
    const { object, commit, storage, settings, reachAlarm } = await createDrained();
    const [operationId, traceId] = [newId('rq', 0), newId('vr', 0)];
    const event = { trace_id: traceId, event: 'subscribed', at: START_MS / SECOND_MS };
    const batch = eventBatch(
      { organisationId: settings.id, mode: 'live', createdAt: START_MS },
      { events: [{ ...event, properties: { plan: 'analytical' } }, event] },
    );
    await commit(operationId, { trace: { kind: 'event', id: operationId, record: JSON.stringify(batch) } });
    for (const [id, addressHash] of [
      ['vr_a', 'a'.repeat(64)],
      ['vr_b', 'b'.repeat(64)],
    ] as const) {
      const record = traceJson(traceRecord({ id, organisationId: settings.id, addressHash }));
      await commit(id, { trace: { kind: 'trace', id, record } });
    }
    neon.answer = () => ({ sqlState: '22P05' });
    await reachAlarm();
    const held = () => storage.sql.exec('select kind, id, record from outbox where dead = 1 order by seq').toArray();
    expect(held().map(({ kind }) => kind)).toEqual(['event', 'trace', 'trace']);
    await object.forget('a'.repeat(64));
    const [kept, ...others] = held();
    expect(JSON.parse(kept?.['record'] as string)).toEqual({
      ...batch,
      events: batch.events.map((each) => ({ ...each, properties: null })),
    });
    expect(others).toMatchObject([{ kind: 'trace', id: 'vr_b' }]);
  });

  it.each([
    ['a constraint', '23502', 1],
    ['bad data', '22001', 1],
    ['too many connections', '53300', 0],
    ['a table that is not there yet', '42P01', 0],
    ['a statement cancelled', '57014', 0],
    ['a deadlock', '40P01', 0],
  ])('takes %s (%s) for the row’s fault: %i', async (_, sqlState, outboxDead) => {
    const { object, commitTrace, reachAlarm } = await createDrained();
    await commitTrace('vr_a');
    neon.answer = () => ({ sqlState });
    await reachAlarm();
    expect(await object.status()).toMatchObject({ outboxDead, outboxRows: 1 - outboxDead });
  });
});

describe('the month’s counts', () => {
  it('are projected within the hour, as they stand', async () => {
    const { authorize, commit, reachAlarm, object } = await createDrained();
    await authorize({ operationId: 'vr_a' });
    await authorize({ operationId: 'vr_b', meter: 'check' });
    await commit('vr_a', { trace: { kind: 'trace', id: 'vr_a', record: JSON.stringify(traceRecord({ id: 'vr_a' })) } });
    await reachAlarm();
    await object.tick();
    expect(neon.statements.map(({ table }) => table)).toEqual(['trace', 'usage_month']);
    expect(neon.statements[1]?.values).toContain('\\"verify\\":1,\\"check\\":1');
  });

  it('are not projected again while they stand still', async () => {
    const { authorize, reachAlarm, commitTrace } = await createDrained();
    await authorize({ meter: 'check' });
    for (let i = 0; i < 4; i += 1) await reachAlarm();
    neon.statements.length = 0;
    await commitTrace('vr_a');
    await reachAlarm();
    expect(neon.statements.map(({ table }) => table)).toEqual(['trace']);
  });

  it('leave no timer when nothing is left to tidy', async () => {
    const { authorize, reachAlarm, storage } = await createDrained();
    await authorize();
    for (let i = 0; i < 4; i += 1) await reachAlarm();
    expect(storage.sql.exec('select * from timer').toArray()).toEqual([]);
  });
});

describe('a very large outbox', () => {
  it('is written in pieces that an object can hold, however few rows each is', async () => {
    const { object, settings } = await createDrained();
    const subjects = Array.from({ length: 1_000 }, (_, n) => ({
      key: `d${n}.${'x'.repeat(200)}.example`,
      display: '',
    }));
    for (let round = 0; round < 20; round += 1) {
      const change = { operationId: `rq_${round}`, kind: 'domain', subjects, note: `${round}` } as const;
      await object.addRules({ ...change, rule: round % 2 === 0 ? 'block' : 'allow', author: { actor: 'u_1' } });
    }
    const large = JSON.stringify(traceRecord({ organisationId: settings.id, display: 'x'.repeat(1.9 * 2 ** 20) }));
    await object.commit(commitRequest('vr_large', { trace: { kind: 'trace', id: 'vr_a', record: large } }));
    neon.statements.length = 0;
    expect(await object.flush(null)).toMatchObject({ drained: true });
    const rules = neon.statements.filter(({ values }) => values.includes('x.example'));
    expect(rules.length).toBeGreaterThan(1);
    for (const { values } of rules) expect(values.length).toBeLessThan(6 * 2 ** 20);
    expect(neon.statements[0]).toMatchObject({ table: 'trace' });
  });
});

describe('the outbox', () => {
  it('is listed with the size of each record, and read by numbers', async () => {
    const { storage } = await createDrained();
    const records = ['{}', '{"display":"é😀"}', `{"a":"${'x'.repeat(2 ** 19)}"}`, '[]'];
    for (const [n, record] of records.entries()) appendOutbox(storage.sql, 'trace', `vr_${n}`, record, START_MS);
    const listed = listOutbox(storage.sql, lastOutboxSeq(storage.sql), 10);
    const [first = 0, second = 0, third = 0, fourth = 0] = listed.map(({ seq }) => seq);
    expect(listOutbox(storage.sql, second, 10)).toEqual(listed.slice(0, 2));
    expect(listOutbox(storage.sql, fourth, 3)).toEqual(listed.slice(0, 3));
    const read = readOutbox(storage.sql, [fourth, first, second, third]);
    expect(read.map(({ id }) => id)).toEqual(['vr_0', 'vr_1', 'vr_2', 'vr_3']);
    expect(listed.map(({ chars }) => chars)).toEqual(read.map(({ record }) => record.length));
    setAsideOutbox(storage.sql, second, '{}');
    expect(readOutbox(storage.sql, [first, second, third]).map(({ id }) => id)).toEqual(['vr_0', 'vr_2']);
  });
});

describe('a record', () => {
  it.each([
    ['a NUL', 'a\0b', 'a\ufffdb'],
    ['half a surrogate pair', '\ud800', '\ufffd'],
    ['what only looks like an escape', '\\u0000 \\\\ud800', '\\u0000 \\\\ud800'],
    ['a whole pair', '😀', '😀'],
  ])('with %s can be written to Postgres', async (_, text, kept) => {
    const { storage } = await createDrained();
    appendOutbox(storage.sql, 'trace', 'vr_a', JSON.stringify({ text }), START_MS);
    const [row] = readOutbox(storage.sql, [lastOutboxSeq(storage.sql)]);
    expect(JSON.parse(row?.record ?? '')).toEqual({ text: kept });
  });

  it('keeps an address that begins with a character of two units', async () => {
    const { storage } = await createDrained();
    const record = traceRecord({ display: '😀•••@business.test' });
    appendRecords(storage.sql, 'trace', [[record.id, traceJson(record)]], START_MS);
    const [row] = readWaiting(storage.sql, [operationKey(record.id)]);
    expect(JSON.parse(row?.record ?? '')).toEqual(record);
  });
});
