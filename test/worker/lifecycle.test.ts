import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { captureLog } from '../support/capture-log.ts';
import { call, createOrganisation, holdAlarms, operator, tracesInDatabase } from '../support/worker.ts';

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
