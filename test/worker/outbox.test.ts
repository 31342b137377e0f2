import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import {
  call,
  captureLog,
  createOrganisation,
  holdAlarms,
  passTime,
  runAlarm,
  switchDatabase,
  tracesInDatabase,
  until,
} from '../support/worker.ts';

captureLog();
afterEach(async () => {
  vi.useRealTimers();
  await switchDatabase({ down: false, delay_ms: 50 });
});

type Organisation = Awaited<ReturnType<typeof createOrganisation>>;

const alarmAt = ({ object }: Organisation) => runInDurableObject(object, (_, state) => state.storage.getAlarm());

/** Finishes `count` operations; their traces wait in the outbox. */
async function commitSome({ commit }: Organisation, count: number) {
  const ids = Array.from({ length: count }, () => newId('vr', Date.now()));
  for (const id of ids) await commit(id, id);
  return ids;
}

describe('the alarm', () => {
  it('goes off by itself and writes the outbox to Postgres, though the object was evicted', async () => {
    const mine = await createOrganisation();
    const ids = await commitSome(mine, 3);
    await evictDurableObject(mine.object);
    await until(async () => (await tracesInDatabase(mine.id)).length === 3);
    expect(await tracesInDatabase(mine.id)).toEqual(expect.arrayContaining(ids));
    await until(async () => (await mine.outboxRows()) === 0);
  });

  it('run twice at once writes every row once', async () => {
    holdAlarms();
    const mine = await createOrganisation();
    const ids = await commitSome(mine, 20);
    passTime(1_000);
    await runInDurableObject(mine.object, (object) => Promise.all([object.alarm?.(), object.alarm?.()]));
    await mine.object.tick();
    expect((await tracesInDatabase(mine.id)).toSorted()).toEqual(ids.toSorted());
    expect(await mine.outboxRows()).toBe(0);
  });

  it('is set again for what is still due after an eviction', async () => {
    holdAlarms();
    const mine = await createOrganisation();
    passTime(1_000);
    await runAlarm(mine.object);
    await commitSome(mine, 1);
    await evictDurableObject(mine.object);
    expect(await alarmAt(mine)).toBe(Date.now() + 1_000);
    passTime(1_000);
    expect(await runAlarm(mine.object)).toBe(true);
    expect(await mine.outboxRows()).toBe(0);
  });

  it('is made up for by a tick when it was lost', async () => {
    holdAlarms();
    const mine = await createOrganisation();
    await commitSome(mine, 1);
    await runInDurableObject(mine.object, (_, state) => state.storage.deleteAlarm());
    await evictDurableObject(mine.object);
    passTime(1_000);
    await mine.object.tick();
    expect(await tracesInDatabase(mine.id)).toHaveLength(1);
    expect(await mine.outboxRows()).toBe(0);
  });
});

describe('while Postgres is down', () => {
  it('every row is kept and tried again later each time; once it is back, each is there once', async () => {
    holdAlarms();
    const mine = await createOrganisation();
    await runAlarm(mine.object);
    const ids = await commitSome(mine, 5);
    await switchDatabase({ down: true });
    passTime(1_000);
    for (const backoffMs of [1_000, 2_000, 4_000]) {
      expect(await runAlarm(mine.object)).toBe(true);
      expect(await mine.outboxRows()).toBe(5);
      const waitMs = ((await alarmAt(mine)) ?? 0) - Date.now();
      expect(waitMs).toBeGreaterThanOrEqual(backoffMs / 2);
      expect(waitMs).toBeLessThanOrEqual(backoffMs);
      passTime(backoffMs);
    }
    await switchDatabase({ down: false });
    await runAlarm(mine.object);
    expect(await mine.outboxRows()).toBe(0);
    expect((await tracesInDatabase(mine.id)).toSorted()).toEqual(ids.toSorted());
  });

  it('a trace is read from the object, and from Postgres once it is back', async () => {
    const mine = await createOrganisation();
    await switchDatabase({ down: true });
    const { body } = await call('POST', '/v1/verify', mine.key, { email: 'ada@business.test' });
    const read = () => call('GET', `/v1/traces/${body.trace_id}`, mine.key);
    const held = await read();
    expect(held.status).toBe(200);
    await switchDatabase({ down: false });
    const written = await read();
    expect(await mine.outboxRows()).toBe(0);
    expect(written.body).toEqual(held.body);
  });

  it('a flush that takes too long gives the held record, and loses nothing', async () => {
    holdAlarms();
    const mine = await createOrganisation();
    const [id = newId('vr', 0)] = await commitSome(mine, 1);
    await switchDatabase({ delay_ms: 3_000 });
    const { drained, held } = await mine.object.flush(id);
    expect(drained).toBe(false);
    expect(JSON.parse(held ?? '')).toMatchObject({ id });
    await switchDatabase({ delay_ms: 50 });
    await until(async () => (await mine.object.flush(id)).drained);
    expect(await mine.object.flush(id)).toEqual({ drained: true, held: null });
    expect(await tracesInDatabase(mine.id)).toEqual([id]);
  });
});
