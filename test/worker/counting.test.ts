import { abortAllDurableObjects, evictDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { call, captureLog, createOrganisation, holdAlarms } from '../support/worker.ts';

captureLog();
beforeEach(holdAlarms);
afterEach(() => vi.useRealTimers());

const operationIds = (count: number) => Array.from({ length: count }, () => newId('vr', Date.now()));

describe('an organisation’s object that was evicted', () => {
  it('still knows its organisation, keys, counts and the running minute', async () => {
    const mine = await createOrganisation({ rate_per_minute: 1_000 });
    for (const operationId of operationIds(3)) {
      await mine.authorize({ operationId });
      await mine.commit(operationId);
    }
    const before = {
      usage: await mine.usage(),
      settings: await mine.object.settings(),
      keys: await mine.object.listKeys(),
    };
    await evictDurableObject(mine.object);
    expect({
      usage: await mine.usage(),
      settings: await mine.object.settings(),
      keys: await mine.object.listKeys(),
    }).toEqual(before);
    expect(before.usage.calls.verify).toBe(3);
    expect(await mine.authorize()).toMatchObject({ ok: true, rate: { limit: 1_000, remaining: 996 } });
  });

  it('charges an operation that is sent again nothing, however often it is evicted in between', async () => {
    const mine = await createOrganisation();
    const operationId = newId('vr', Date.now());
    for (let sent = 0; sent < 3; sent += 1) {
      expect((await mine.authorize({ operationId })).ok).toBe(true);
      await evictDurableObject(mine.object);
      await mine.commit(operationId);
      await evictDurableObject(mine.object);
    }
    expect((await mine.usage()).calls.verify).toBe(1);
  });

  it('refuses a revoked key', async () => {
    const mine = await createOrganisation();
    await mine.object.revokeKey(mine.keyId);
    await evictDurableObject(mine.object);
    expect(await mine.authorize()).toMatchObject({ ok: false, refusal: 'unauthorized' });
    expect((await call('POST', '/v1/check', mine.key, { email: 'ada@business.test' })).status).toBe(401);
  });
});

describe('calls side by side', () => {
  it('never exceed the quota: of 200 for the last 50, exactly 50 are authorized', async () => {
    const mine = await createOrganisation({ verification_quota: 50 });
    const answers = await Promise.all(operationIds(200).map((operationId) => mine.authorize({ operationId })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(50);
    for (const answer of answers) {
      if (!answer.ok) expect(answer.refusal).toBe('quota_exceeded');
    }
    expect((await mine.usage()).calls.verify).toBe(50);
  });

  it('never exceed the rate: of 100 in a minute of 20, exactly 20 are authorized, and only those are charged', async () => {
    const mine = await createOrganisation({ rate_per_minute: 20 });
    const answers = await Promise.all(operationIds(100).map((operationId) => mine.authorize({ operationId })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(20);
    for (const answer of answers) {
      if (!answer.ok) expect(answer).toMatchObject({ refusal: 'rate_limited', retryAfterS: expect.any(Number) });
    }
    expect((await mine.usage()).calls.verify).toBe(20);
  });

  it('are charged once for one operation', async () => {
    const mine = await createOrganisation();
    const operationId = newId('vr', Date.now());
    const answers = await Promise.all(Array.from({ length: 50 }, () => mine.authorize({ operationId })));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect((await mine.usage()).calls.verify).toBe(1);
  });

  it('are charged once under one Idempotency-Key: the first is answered, the others wait for its answer', async () => {
    const mine = await createOrganisation();
    const send = () =>
      call('POST', '/v1/verify', mine.key, { email: 'ada@business.test' }, { 'idempotency-key': 'signup-1' });
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    const answered = answers.filter(({ status }) => status === 200);
    const waiting = answers.filter(({ status }) => status !== 200);
    expect(new Set(answered.map(({ body }) => body.trace_id)).size).toBe(1);
    for (const { status, body } of waiting)
      expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'request_in_progress' });
    expect((await send()).body.trace_id).toBe(answered[0]?.body.trace_id);
    expect((await mine.usage()).calls.verify).toBe(1);
  });
});

describe('an object that is reset in the middle of calls', () => {
  it('has charged every operation exactly once when all are sent again', async () => {
    const mine = await createOrganisation();
    const all = operationIds(100);
    const sent = all.map((operationId) => mine.authorize({ operationId }).catch(() => null));
    await abortAllDurableObjects();
    await Promise.all(sent);
    await Promise.all(all.map((operationId) => mine.authorize({ operationId })));
    expect((await mine.usage()).calls.verify).toBe(100);
  });

  it('gives each caller the answer, charges no operation twice, and keeps every trace it confirmed', async () => {
    const mine = await createOrganisation();
    const sent = Array.from({ length: 40 }, (_, n) =>
      call('POST', '/v1/verify', mine.key, { email: `ada@d${n}.bulk.test` }),
    );
    await abortAllDurableObjects();
    const answers = await Promise.all(sent);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    // An answer whose authorization was lost is marked degraded, and may be charged after the answer.
    const confirmed = answers.filter((answer) => answer.body.degraded === undefined);
    const used = (await mine.usage()).calls.verify;
    expect(used).toBeGreaterThanOrEqual(confirmed.length);
    expect(used).toBeLessThanOrEqual(answers.length);
    const traces = await Promise.all(confirmed.map(({ body }) => call('GET', `/v1/traces/${body.trace_id}`, mine.key)));
    expect(traces.map(({ status }) => status)).toEqual(confirmed.map(() => 200));
  });
});
