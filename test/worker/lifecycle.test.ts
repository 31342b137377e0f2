import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import {
  call,
  captureLog,
  createOrganisation,
  holdAlarms,
  operator,
  runAlarm,
  tracesInDatabase,
} from '../support/worker.ts';

const log = captureLog();
beforeEach(holdAlarms);
afterEach(() => vi.useRealTimers());

const listedIds = async (): Promise<string[]> => {
  const { body } = await call('GET', '/operator/v1/organisations?limit=200', await operator());
  return body.organisations.map(({ id }: { id: string }) => id);
};
const verify = (key: string) => call('POST', '/v1/verify', key, { email: 'ada@business.test' });

describe('a deleted organisation', () => {
  it('is gone from the next request on, and stays gone after an eviction', async () => {
    const mine = await createOrganisation();
    const trace = (await verify(mine.key)).body.trace_id;
    expect((await call('GET', `/v1/traces/${trace}`, mine.key)).status).toBe(200);
    const path = `/operator/v1/organisations/${mine.id}`;
    expect(await call('DELETE', path, await operator())).toMatchObject({ status: 200, body: { done: true } });

    for (const evicted of [false, true]) {
      if (evicted) await evictDurableObject(mine.object);
      expect((await verify(mine.key)).status).toBe(401);
      expect((await call('GET', '/v1/me', mine.key)).status).toBe(401);
      expect((await call('POST', `${path}/rebuild`, await operator())).status).toBe(404);
    }
    expect(await tracesInDatabase(mine.id)).toEqual([]);
    expect(await listedIds()).not.toContain(mine.id);
    expect(await runInDurableObject(mine.object, (_, state) => state.storage.getAlarm())).toBe(null);
  });

  it('is not brought back by what its object was writing to Postgres meanwhile', async () => {
    const mine = await createOrganisation();
    const path = `/operator/v1/organisations/${mine.id}`;
    await call('PATCH', path, await operator(), { name: 'Renamed' });
    await mine.commit(newId('vr', Date.now()));
    // Four kinds of rows in turn: the outbox takes as many trips to write.
    const writing = runAlarm(mine.object);
    expect((await call('DELETE', path, await operator())).status).toBe(200);
    await writing;
    expect(await listedIds()).not.toContain(mine.id);
    expect(await tracesInDatabase(mine.id)).toEqual([]);
  });
});

describe('an object that lost its storage', () => {
  const wipe = async ({ object }: Awaited<ReturnType<typeof createOrganisation>>) => {
    await runInDurableObject(object, (_, state) => state.storage.deleteAll());
    await evictDurableObject(object);
  };

  it('refuses every key and raises an alarm; it never fills itself', async () => {
    const mine = await createOrganisation();
    await wipe(mine);
    expect((await verify(mine.key)).status).toBe(401);
    expect((await verify(mine.key)).status).toBe(401);
    expect(log.some((line) => line.includes('"empty_object"'))).toBe(true);
    expect(await mine.object.settings()).toBe(null);
  });

  it('is what it was after a rebuild from Postgres: settings, keys, revocations, counts', async () => {
    const mine = await createOrganisation({ name: 'Acme', verification_quota: 7 });
    const path = `/operator/v1/organisations/${mine.id}`;
    const revoked = (await call('POST', `${path}/keys`, await operator(), { name: 'old', role: 'admin' })).body.key;
    await call('DELETE', `${path}/keys/${revoked.id}`, await operator());
    expect((await verify(mine.key)).status).toBe(200);
    await runAlarm(mine.object);
    const keys = (await call('GET', `${path}/keys`, await operator())).body;

    await wipe(mine);
    const rebuilt = await call('POST', `${path}/rebuild`, await operator());
    expect(rebuilt.body.organisation).toMatchObject({ id: mine.id, name: 'Acme', verification_quota: 7 });
    expect((await verify(mine.key)).status).toBe(200);
    expect((await verify(revoked.key)).status).toBe(401);
    expect((await call('GET', `${path}/keys`, await operator())).body).toEqual(keys);
    expect((await call('GET', '/v1/usage', mine.key)).body.quota).toMatchObject({ limit: 7, used: 2, remaining: 5 });
  });
});

describe('an object that can not start', () => {
  it('fails requests on our side: its fault is in the log, and nothing works without it', async () => {
    const mine = await createOrganisation();
    await runInDurableObject(mine.object, (_, state) =>
      state.storage.sql.exec("update migration set digest = 'other'"),
    );
    await evictDurableObject(mine.object);
    expect(await verify(mine.key)).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } });
    expect((await call('POST', '/v1/check', mine.key, { email: 'ada@business.test' })).status).toBe(500);
    expect((await call('GET', '/v1/me', mine.key)).status).toBe(500);
    expect(log.some((line) => line.includes('migration baseline has changed'))).toBe(true);
  });
});
