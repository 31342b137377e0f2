import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { SECOND_MS } from '../../../src/kernel/clock.ts';
import { sha256Hex } from '../../../src/kernel/crypto.ts';
import { createTestOrganisation } from '../organisation.ts';
import { commitRequest } from '../requests.ts';

const HOLD_MS = 6_500;
const KEY = 'ik_1';
const SPEND_MICROS = 100;

/** What a request does once it is authorized: answers, gives its charge back, or dies with its isolate. */
const ENDS = ['answers', 'gives up', 'dies'] as const;

interface Client {
  readonly body: string;
  readonly ends: (typeof ENDS)[number];
  /** Our transport sends each call twice. */
  readonly isDoubled: boolean;
}

const CLIENT: fc.Arbitrary<Client> = fc.record({
  body: fc.oneof({ weight: 5, arbitrary: fc.constant('one') }, { weight: 1, arbitrary: fc.constant('other') }),
  ends: fc.constantFrom(...ENDS),
  isDoubled: fc.boolean(),
});

/**
 * Concurrent requests under one `Idempotency-Key`, in every order of their calls, while the object restarts and holds run out.
 * One request is at work at a time, equal bodies get equal answers, and all together are charged once.
 */
export const idempotency = fc.asyncProperty(
  fc.scheduler(),
  fc.array(CLIENT, { minLength: 2, maxLength: 4 }),
  fc.array(fc.constantFrom('crash', 'hold over'), { maxLength: 3 }),
  async (scheduler, clients, events) => {
    const organisation = await createTestOrganisation();
    const twice = async <T>(isDoubled: boolean, call: () => Promise<T>): Promise<T> => {
      const first = await call();
      return isDoubled ? call() : first;
    };
    const call = scheduler.scheduleFunction(async <T>(work: () => Promise<T>) => work());
    const answers: { body: string; answer: string | null }[] = [];
    const paid = new Set<string>();
    let refused = 0;
    /** When the hold of each running request ends, by its trace. */
    const atWork = new Map<string, number>();
    const authorize = async (bodyHash: string, traceId: string) => {
      const authorized = await organisation.authorize({ operationId: KEY, bodyHash, holdMs: HOLD_MS, traceId });
      if (!authorized.ok || authorized.earlier !== null || atWork.has(traceId)) return authorized;
      expect([...atWork.values()].filter((until) => until > Date.now())).toEqual([]);
      atWork.set(traceId, Date.now() + HOLD_MS);
      return authorized;
    };

    const ended = <T>(traceId: string, end: T): T => {
      atWork.delete(traceId);
      return end;
    };

    const request = async ({ body, ends, isDoubled }: Client, at: number): Promise<void> => {
      const traceId = `vr_${at}`;
      const bodyHash = sha256Hex(body);
      const authorized = await twice(isDoubled, () => call(() => authorize(bodyHash, traceId)));
      if (!authorized.ok) {
        refused += 1;
        expect(['in_progress', 'conflict']).toContain(authorized.refusal);
        return;
      }
      if (authorized.earlier !== null) {
        answers.push({ body, answer: authorized.earlier.answer });
        return;
      }
      if (ends === 'dies') return;
      if (ends === 'gives up') {
        await twice(isDoubled, () => call(() => ended(traceId, organisation.object.reverse(KEY, traceId))));
        return;
      }
      const commit = commitRequest(KEY, {
        requestId: traceId,
        bodyHash,
        answer: `answer ${at}`,
        spendMicros: SPEND_MICROS,
        trace: { kind: 'trace', id: traceId, record: '{}' },
      });
      const { answer } = await twice(isDoubled, () => call(() => ended(traceId, organisation.object.commit(commit))));
      paid.add(traceId);
      answers.push({ body, answer });
    };
    const happen = async (event: string): Promise<void> => {
      await scheduler.schedule(Promise.resolve(), event);
      if (event === 'crash') organisation.evict();
      else vi.setSystemTime(Date.now() + HOLD_MS + SECOND_MS);
    };
    await scheduler.waitFor(Promise.all([...clients.map(request), ...events.map(happen)]));

    expect(new Set(answers.map(({ answer }) => answer)).size).toBeLessThanOrEqual(1);
    expect(new Set(answers.map(({ body }) => body)).size).toBeLessThanOrEqual(1);
    const { calls, spendMicros } = await organisation.usage();
    expect(calls.verify).toBeLessThanOrEqual(1);
    if (answers.length > 0) expect(calls.verify).toBe(1);
    if (clients.every(({ ends }) => ends === 'gives up')) expect(calls.verify).toBe(0);
    expect(spendMicros).toBe(paid.size * SPEND_MICROS);
    expect(refused).toBeLessThan(clients.length);
  },
);
