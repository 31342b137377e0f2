import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { METERS, type Meter, utcMonth } from '../../../src/domain/metering/usage.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { createTestOrganisation, type TestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});

const CALLS = 1_000;
const OPERATIONS = 150;
const QUOTA = 25;

/** What one operation is, by its number: every meter, some under an Idempotency-Key, some under a test key. */
const operationOf = (number: number) => {
  const meter = METERS[number % METERS.length] as Meter;
  return {
    operationId: `op_${number}`,
    meter,
    // The free check takes no Idempotency-Key.
    bodyHash: meter !== 'check' && number % 3 === 0 ? `body ${number}` : null,
    isTest: number % 11 === 0,
    spendMicros: number,
  };
};

const step = (weight: number, kind: 'authorize' | 'commit' | 'reverse' | 'evict' | 'days pass', max: number) => ({
  weight,
  arbitrary: fc.record({ kind: fc.constant(kind), number: fc.nat(max) }),
});
const STEP = fc.oneof(
  step(60, 'authorize', OPERATIONS - 1),
  step(20, 'commit', OPERATIONS - 1),
  step(15, 'reverse', OPERATIONS - 1),
  step(2, 'evict', 0),
  step(1, 'days pass', 20),
);

interface Charge {
  state: 'charged' | 'finished' | 'reversed';
  month: string;
  /** Null under a test key. */
  readonly meter: Meter | null;
}

/** A plain model of the rules: it counts the operations instead of keeping counters. */
class Model {
  readonly ledger = new Map<string, Charge>();
  private readonly checks: string[] = [];
  private readonly spends: { readonly month: string; readonly micros: number }[] = [];

  /** Whether the operation is authorized. */
  authorize({ operationId, meter, bodyHash, isTest }: ReturnType<typeof operationOf>, month: string): boolean {
    const before = this.ledger.get(operationId);
    if (before && before.state !== 'reversed') return true;
    if (meter === 'check') {
      if (!isTest) this.checks.push(month);
      return true;
    }
    if (!isTest && this.isSpent(meter, month)) return false;
    if (!isTest || bodyHash !== null)
      this.ledger.set(operationId, { state: 'charged', month, meter: isTest ? null : meter });
    return true;
  }

  /** What was never authorized is entered uncharged; what was taken back is charged after all, in the month it is now. */
  commit(operationId: string, micros: number, month: string): void {
    const before = this.ledger.get(operationId) ?? { state: 'charged', month, meter: null };
    if (before.state === 'finished') return;
    this.spends.push({ month, micros });
    this.ledger.set(operationId, {
      ...before,
      state: 'finished',
      month: before.state === 'reversed' ? month : before.month,
    });
  }

  usage(month: string) {
    const spent = this.spends.filter((spend) => spend.month === month);
    return {
      month,
      calls: Object.fromEntries(METERS.map((meter) => [meter, this.count(meter, month)])),
      spendMicros: spent.reduce((sum, { micros }) => sum + micros, 0),
    };
  }

  private isSpent(meter: Meter, month: string): boolean {
    const sharing: Meter[] = meter === 'screen' ? ['screen'] : ['verify', 'decide', 'bulk'];
    return sharing.reduce((sum, each) => sum + this.count(each, month), 0) >= QUOTA;
  }

  private count(meter: Meter, month: string): number {
    if (meter === 'check') return this.checks.filter((at) => at === month).length;
    const standing = [...this.ledger.values()].filter(
      (charge) => charge.meter === meter && charge.state !== 'reversed',
    );
    return standing.filter((charge) => charge.month === month).length;
  }
}

async function take(organisation: TestOrganisation, model: Model, { kind, number }: { kind: string; number: number }) {
  const operation = operationOf(number);
  const { operationId, spendMicros } = operation;
  const charge = model.ledger.get(operationId);
  const month = utcMonth(Date.now());
  switch (kind) {
    case 'authorize': {
      const { meter, bodyHash, isTest } = operation;
      const keyHash = organisation.keys[isTest ? 'test' : 'member'].hash;
      const answer = await organisation.authorize({ operationId, keyHash, meter, bodyHash });
      expect(answer.ok).toBe(model.authorize(operation, month));
      return;
    }
    case 'commit':
      // A free check is never finished. Under an Idempotency-Key what was never authorized left no body to compare with.
      if (operation.meter === 'check' || (!charge && operation.bodyHash !== null)) return;
      await organisation.commit(operationId, { spendMicros });
      model.commit(operationId, spendMicros, month);
      return;
    case 'reverse':
      await organisation.object.reverse(operationId, operationId);
      if (charge?.state === 'charged') charge.state = 'reversed';
      return;
    case 'evict':
      organisation.evict();
      return;
    default:
      vi.advanceTimersByTime(number * DAY_MS);
  }
}

describe('counts', () => {
  it('are exact all the way through a thousand interleaved, repeated, reversed and interrupted calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: CALLS, maxLength: CALLS, size: 'max' }), async (steps) => {
        vi.setSystemTime(START_MS);
        const limits = { ratePerMinute: 1e6, verificationQuota: QUOTA, screeningAllowance: QUOTA };
        const organisation = await createTestOrganisation(limits);
        const model = new Model();
        for (const [index, each] of steps.entries()) {
          await take(organisation, model, each);
          const expected = model.usage(utcMonth(Date.now()));
          expect(await organisation.usage(), `after step ${index}: ${each.kind} ${each.number}`).toMatchObject(
            expected,
          );
        }
      }),
      // A thousand steps shrink for minutes; the message names the step.
      { numRuns: 6, endOnFailure: true },
    );
  }, 60_000);

  it('are exact when the same operations arrive all at once', async () => {
    const { authorize, commit, usage } = await createTestOrganisation({ verificationQuota: 50 });
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, i) => authorize({ operationId: `op_${i % 100}` })),
    );
    expect(answers.filter((answer) => answer.ok)).toHaveLength(250);
    await Promise.all(Array.from({ length: 500 }, (_, i) => commit(`op_${i % 50}`, { spendMicros: 10 })));
    expect(await usage()).toMatchObject({ calls: { verify: 50 }, spendMicros: 500 });
  });
});
