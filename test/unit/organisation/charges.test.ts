import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sha256Hex } from '../../../src/kernel/crypto.ts';
import type { AuthorizeAnswer } from '../../../src/organisation/api.ts';
import { createTestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});

const BODY = sha256Hex('body');
const HOLD_MS = 6_500;
const KEYED = { operationId: 'ik_1', bodyHash: BODY, holdMs: HOLD_MS } as const;
const remaining = (answer: unknown): number => (answer as AuthorizeAnswer).rate.remaining;

describe('the same operation sent again by our own transport', () => {
  it('is charged once and is not one more request', async () => {
    const { authorize, usage } = await createTestOrganisation({ ratePerMinute: 10 });
    const first = await authorize({ operationId: 'vr_1' });
    const again = await authorize({ operationId: 'vr_1' });
    expect([remaining(first), remaining(again)]).toEqual([9, 9]);
    expect((await usage()).calls.verify).toBe(1);
  });

  it('is not a repeat under an Idempotency-Key either: the request continues', async () => {
    const { authorize, usage } = await createTestOrganisation({ ratePerMinute: 10 });
    const [first, again] = [
      await authorize({ ...KEYED, traceId: 'vr_a' }),
      await authorize({ ...KEYED, traceId: 'vr_a' }),
    ];
    expect([first, again]).toMatchObject([
      { ok: true, earlier: null },
      { ok: true, earlier: null },
    ]);
    expect([remaining(first), remaining(again)]).toEqual([9, 9]);
    expect((await usage()).calls.verify).toBe(1);
  });

  it('is authorized though minute and quota are spent by now', async () => {
    const { authorize } = await createTestOrganisation({ ratePerMinute: 1, verificationQuota: 1 });
    await authorize({ operationId: 'vr_1' });
    expect(await authorize({ operationId: 'vr_1' })).toMatchObject({ ok: true });
    expect(await authorize({ operationId: 'vr_2' })).toMatchObject({ refusal: 'rate_limited' });
  });

  it('writes its trace and its spend once', async () => {
    const { authorize, commit, usage, dump } = await createTestOrganisation();
    await authorize({ operationId: 'vr_1' });
    await commit('vr_1', { spendMicros: 4_000 });
    const once = dump();
    await commit('vr_1', { spendMicros: 4_000 });
    expect(dump()).toEqual(once);
    expect((await usage()).spendMicros).toBe(4_000);
  });
});

describe('a caller’s repeat under an Idempotency-Key', () => {
  it('is charged once, is one more request, and gets the finished answer', async () => {
    const { authorize, commit, usage } = await createTestOrganisation({ ratePerMinute: 10 });
    await authorize({ ...KEYED, traceId: 'vr_a' });
    await commit('ik_1', { trace: { kind: 'trace', id: 'vr_a', record: '{}' }, answer: '{"verdict":"valid"}' });
    const second = await authorize({ ...KEYED, traceId: 'vr_b' });
    expect(second).toMatchObject({ ok: true, earlier: { answer: '{"verdict":"valid"}' } });
    expect(remaining(second)).toBe(8);
    expect((await usage()).calls.verify).toBe(1);
  });

  it('is served when the quota is spent, for it costs nothing', async () => {
    const { authorize, commit } = await createTestOrganisation({ verificationQuota: 1 });
    await authorize(KEYED);
    await commit('ik_1', { answer: 'stored' });
    expect(await authorize({ ...KEYED, traceId: 'vr_b' })).toMatchObject({ ok: true });
    expect(await authorize({ ...KEYED, operationId: 'ik_2' })).toMatchObject({ refusal: 'quota_exceeded' });
  });

  it('is refused with another body, also after the first was taken back', async () => {
    const { authorize, object } = await createTestOrganisation();
    await authorize(KEYED);
    await object.reverse('ik_1', 'ik_1');
    expect(await authorize({ ...KEYED, bodyHash: sha256Hex('other') })).toMatchObject({ refusal: 'conflict' });
  });

  it('is answered consistently where nothing is charged: outcomes', async () => {
    const { authorize, commit } = await createTestOrganisation();
    const report = { ...KEYED, rate: 'outcome', meter: null } as const;
    await authorize(report);
    expect(await authorize({ ...report, traceId: 'rq_2' })).toMatchObject({ refusal: 'in_progress' });
    await commit('ik_1', { answer: 'stored' });
    expect(await authorize({ ...report, traceId: 'rq_2' })).toMatchObject({ earlier: { answer: 'stored' } });
    expect(await authorize({ ...report, bodyHash: sha256Hex('other') })).toMatchObject({ refusal: 'conflict' });
  });
});

describe('a charge taken back', () => {
  it('is uncounted, once, and charged again when the operation is repeated', async () => {
    const { authorize, object, usage } = await createTestOrganisation();
    await authorize({ operationId: 'vr_1' });
    await object.reverse('vr_1', 'vr_1');
    await object.reverse('vr_1', 'vr_1');
    expect((await usage()).calls.verify).toBe(0);
    expect(await authorize({ operationId: 'vr_1' })).toMatchObject({ ok: true, earlier: null });
    expect((await usage()).calls.verify).toBe(1);
  });

  it('gives the quota back', async () => {
    const { authorize, object } = await createTestOrganisation({ verificationQuota: 1 });
    await authorize({ operationId: 'vr_1' });
    expect(await authorize()).toMatchObject({ refusal: 'quota_exceeded' });
    await object.reverse('vr_1', 'vr_1');
    expect(await authorize()).toMatchObject({ ok: true });
  });

  it('is not made again when the repeat finds the quota spent', async () => {
    const { authorize, object } = await createTestOrganisation({ verificationQuota: 1 });
    await authorize({ operationId: 'vr_1' });
    await object.reverse('vr_1', 'vr_1');
    await authorize({ operationId: 'vr_2' });
    expect(await authorize({ operationId: 'vr_1' })).toMatchObject({ refusal: 'quota_exceeded' });
  });

  it('stays when the operation was finished', async () => {
    const { authorize, commit, object, usage } = await createTestOrganisation();
    await authorize({ operationId: 'vr_1' });
    await commit('vr_1');
    await object.reverse('vr_1', 'vr_1');
    expect((await usage()).calls.verify).toBe(1);
  });

  it('changes nothing for an operation that was never charged', async () => {
    const { object, dump } = await createTestOrganisation();
    const before = dump();
    await object.reverse('vr_unknown', 'vr_unknown');
    expect(dump()).toEqual(before);
  });

  // The first was slower than its hold, so a second took the work over, failed, and took the charge back.
  it('is charged after all when the operation is finished by the other of two requests', async () => {
    const { authorize, commit, object, usage } = await createTestOrganisation();
    await authorize({ ...KEYED, traceId: 'vr_a' });
    vi.advanceTimersByTime(HOLD_MS);
    await authorize({ ...KEYED, traceId: 'vr_b' });
    await object.reverse('ik_1', 'vr_b');
    expect((await usage()).calls.verify).toBe(0);
    await commit('ik_1', { answer: 'answered' });
    expect(await authorize({ ...KEYED, traceId: 'vr_c' })).toMatchObject({ earlier: { answer: 'answered' } });
    expect((await usage()).calls.verify).toBe(1);
  });
});

describe('an Idempotency-Key whose first request is at work', () => {
  const IN_PROGRESS = { ok: false, refusal: 'in_progress', retryAfterS: 1 };

  it('refuses all others: of a hundred side by side one is let in, charged and counted', async () => {
    const { authorize, commit, usage } = await createTestOrganisation({ verificationQuota: 1, ratePerMinute: 100 });
    const traceIds = Array.from({ length: 100 }, (_, n) => `vr_${n}`);
    const answers = await Promise.all(traceIds.map((traceId) => authorize({ ...KEYED, traceId })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.filter(({ ok }) => !ok)).toMatchObject(Array.from({ length: 99 }, () => IN_PROGRESS));
    await commit('ik_1', { spendMicros: 4_000, answer: 'first' });
    const repeats = await Promise.all(
      traceIds.slice(0, 9).map((id) => authorize({ ...KEYED, traceId: `again_${id}` })),
    );
    expect(repeats.map((answer) => answer.ok && answer.earlier)).toEqual(repeats.map(() => ({ answer: 'first' })));
    expect(await usage()).toMatchObject({ calls: { verify: 1 }, spendMicros: 4_000 });
  });

  it('is free again once that request must be dead, and the next one is not charged again', async () => {
    const { authorize, usage } = await createTestOrganisation({ verificationQuota: 1 });
    await authorize({ ...KEYED, traceId: 'vr_a' });
    vi.advanceTimersByTime(HOLD_MS - 1);
    expect(await authorize({ ...KEYED, traceId: 'vr_b' })).toMatchObject(IN_PROGRESS);
    vi.advanceTimersByTime(1);
    expect(await authorize({ ...KEYED, traceId: 'vr_b' })).toMatchObject({ ok: true, earlier: null });
    expect(await authorize({ ...KEYED, traceId: 'vr_c' })).toMatchObject(IN_PROGRESS);
    expect((await usage()).calls.verify).toBe(1);
  });

  it('is free at once when that request gives it back; another request can’t', async () => {
    const { authorize, object } = await createTestOrganisation();
    await authorize({ ...KEYED, traceId: 'vr_a' });
    await object.reverse('ik_1', 'vr_b');
    expect(await authorize({ ...KEYED, traceId: 'vr_b' })).toMatchObject(IN_PROGRESS);
    await object.reverse('ik_1', 'vr_a');
    expect(await authorize({ ...KEYED, traceId: 'vr_b' })).toMatchObject({ ok: true, earlier: null });
  });

  it('is free at once for a clock that went back further than any hold lasts', async () => {
    const { authorize } = await createTestOrganisation();
    await authorize({ ...KEYED, traceId: 'vr_a' });
    vi.setSystemTime(START_MS - 3_600_000);
    expect(await authorize({ ...KEYED, traceId: 'vr_b' })).toMatchObject({ ok: true, earlier: null });
  });

  it('stays while it is held: taken over at the end of its 24 hours, it lets no third in', async () => {
    const { authorize, object, commit, usage } = await createTestOrganisation();
    await authorize({ ...KEYED, traceId: 'vr_a' });
    vi.setSystemTime(START_MS + 86_400_000 - 1_000);
    await authorize({ ...KEYED, traceId: 'vr_b' });
    vi.setSystemTime(START_MS + 86_400_000 + 1_000);
    await object.tick();
    expect(await authorize({ ...KEYED, traceId: 'vr_c' })).toMatchObject(IN_PROGRESS);
    await commit('ik_1');
    expect((await usage()).calls.verify).toBe(1);
  });

  it('costs one change more than a request without a key: its entry, which stays for 24 hours', async () => {
    const { authorize, commit, storage } = await createTestOrganisation();
    const changes = () => Number(storage.sql.exec('select total_changes() as n').toArray()[0]?.n);
    const rowsOf = async (request: Parameters<typeof authorize>[0], answer: string | null) => {
      const before = changes();
      await authorize(request);
      await commit(request?.operationId ?? '', { answer });
      return changes() - before;
    };
    await rowsOf({ operationId: 'vr_first' }, null);
    const plain = await rowsOf({ operationId: 'vr_plain' }, null);
    expect([plain, await rowsOf(KEYED, '{}')]).toEqual([3, 4]);
  });

  it('is held through an eviction', async () => {
    const organisation = await createTestOrganisation();
    await organisation.authorize({ ...KEYED, traceId: 'vr_a' });
    organisation.evict();
    expect(await organisation.authorize({ ...KEYED, traceId: 'vr_b' })).toMatchObject(IN_PROGRESS);
  });

  it('has one answer when both were at work, the earlier, and both bills are counted once', async () => {
    const { authorize, commit, usage } = await createTestOrganisation();
    await authorize({ ...KEYED, traceId: 'vr_a' });
    vi.advanceTimersByTime(HOLD_MS);
    await authorize({ ...KEYED, traceId: 'vr_b' });
    const spent = { spendMicros: 4_000, bodyHash: BODY };
    for (const requestId of ['vr_a', 'vr_b', 'vr_b', 'vr_a'])
      expect(await commit('ik_1', { ...spent, requestId, answer: requestId })).toEqual({ answer: 'vr_a' });
    expect(await usage()).toMatchObject({ calls: { verify: 1 }, spendMicros: 8_000 });
  });
});
