import { abortAllDurableObjects, evictDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { captureLog } from '../support/capture-log.ts';
import { call, createOrganisation, holdAlarms } from '../support/worker.ts';

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
