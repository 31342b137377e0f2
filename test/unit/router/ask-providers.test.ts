import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProviderVerdict } from '../../../src/domain/belief/provider.ts';
import { ProviderHealthTracker } from '../../../src/domain/router/provider-health.ts';
import type { Counters } from '../../../src/kernel/log.ts';
import type { ReserveBudget } from '../../../src/services/reservation.ts';
import { askProviders } from '../../../src/services/verification/ask-providers.ts';
import { type AskCase, preparedFor } from './prepared.ts';
import { stakesFor } from './route-input.ts';
import { type Script, type Scripts, scriptedAll, type VendorCall } from './scripted-provider.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});

interface Change extends Partial<AskCase> {
  readonly budget?: { readonly leftMicros: number; readonly reserve: ReserveBudget };
}
const refuse: ReserveBudget = async () => 'refused';

/** The queries of one address, from time 0 on. */
async function ask(scripts: Scripts, change: Change = {}, health = new ProviderHealthTracker()) {
  vi.setSystemTime(0);
  const calls: VendorCall[] = [];
  const counted: Parameters<Counters['add']>[] = [];
  const counters: Counters = { add: (...counts) => void counted.push(counts) };
  const deps = { providers: scriptedAll(scripts, calls), health, now: () => Date.now(), counters };
  let endedAt = -1;
  const { budget = null, ...rest } = change;
  const prepared = preparedFor({ ...rest, leftMicros: budget?.leftMicros ?? null });
  const running = askProviders(deps, prepared, budget?.reserve ?? refuse).finally(() => {
    endedAt = Date.now();
  });
  await vi.runAllTimersAsync();
  return {
    ...(await running),
    calls,
    endedAt,
    health,
    counted,
    asked: calls.map(({ provider }) => provider),
    askedAt: Object.fromEntries(calls.map(({ provider, atMs }) => [provider, atMs])),
  };
}

const NEW = new ProviderHealthTracker().healthOf('bouncer', 0);
const FREE_AND_HANGING: Script = { ms: 0, says: 'hangs', priceMicros: 0 };

describe('asking providers', () => {
  it('asks no provider where none is on, and stops at once', async () => {
    expect(await ask({})).toMatchObject({ results: [], failures: [], spendMicros: 0, endedAt: 0 });
  });

  it('asks a provider that is worth its price, and stops when its answer settles the matter', async () => {
    const { results, asked, spendMicros } = await ask({ kickbox: { ms: 300, says: 'deliverable' } });
    expect(asked).toEqual(['kickbox']);
    expect(results).toMatchObject([{ provider: 'kickbox', ms: 300, answer: { verdict: 'deliverable' } }]);
    expect(spendMicros).toBe(4_000);
  });

  it.each(['deliverable', 'unknown'] as const)(
    'does not ask who has said %s already, and says why',
    async (verdict) => {
      const { asked, steps } = await ask(
        { kickbox: { ms: 300, says: 'deliverable', priceMicros: 0 } },
        { known: [{ provider: 'kickbox', verdict, at: 0 }] },
      );
      expect(asked).toEqual([]);
      expect(steps).toMatchObject([{ choice: 'stop', excluded: [{ provider: 'kickbox', why: 'known' }] }]);
    },
  );

  it('asks no provider under a cost ceiling of 0', async () => {
    expect((await ask({ reacher: { ms: 1, says: 'deliverable', priceMicros: 0 } }, { maxCostUsd: 0 })).asked).toEqual(
      [],
    );
  });

  it.each([
    ['signup', 10_000, 1],
    ['signup', 20_000, 0],
    ['outbound', 60_000, 1],
    ['outbound', 80_000, 0],
  ] as const)('asks for %s at a price of %i micros: %i', async (purpose, priceMicros, times) => {
    const { asked } = await ask(
      { kickbox: { ms: 300, says: 'deliverable', priceMicros } },
      { stakes: stakesFor(purpose), maxCostUsd: 1 },
    );
    expect(asked).toHaveLength(times);
  });

  it('routes around a provider that fails', async () => {
    const { results, failures, asked } = await ask({
      kickbox: { ms: 50, says: 'server_error', priceMicros: 1_000 },
      bouncer: { ms: 300, says: 'undeliverable' },
    });
    expect(asked).toEqual(['kickbox', 'bouncer']);
    expect(results.map(({ provider }) => provider)).toEqual(['bouncer']);
    expect(failures).toEqual([{ provider: 'kickbox', kind: 'server_error', ms: 50, owedMicros: 0 }]);
  });

  it('keeps what a call that failed may cost beside what the answers did', async () => {
    const { failures, spendMicros } = await ask({
      kickbox: { ms: 50, says: 'server_error', priceMicros: 1_000, billsAll: true },
      bouncer: { ms: 300, says: 'deliverable' },
    });
    expect(failures).toMatchObject([{ provider: 'kickbox', owedMicros: 1_000 }]);
    expect(spendMicros).toBe(4_000);
  });

  it('counts each provider’s time, spend and failures by kind, and what they may cost', async () => {
    const { counted } = await ask({
      kickbox: { ms: 50, says: 'malformed', priceMicros: 1_000, billsAll: true },
      reacher: FREE_AND_HANGING,
      bouncer: { ms: 400, says: 'deliverable' },
    });
    expect(new Set(counted)).toEqual(
      new Set([
        ['provider_failed', 1, 'kickbox:malformed'],
        ['provider_failed', 1, 'reacher:abandoned'],
        ['provider_ms', 400, 'bouncer'],
        ['provider_owed_micros', 1_000, 'kickbox'],
        ['provider_spend_micros', 4_000, 'bouncer'],
      ]),
    );
  });

  it('ends at the latency ceiling when all hang', async () => {
    const { results, asked, endedAt } = await ask(
      { kickbox: { ms: 0, says: 'hangs' }, bouncer: { ms: 0, says: 'hangs' } },
      { deadlineMs: 2_000 },
    );
    expect(asked).not.toEqual([]);
    expect(results).toEqual([]);
    expect(endedAt).toBeLessThanOrEqual(2_000);
  });
});

describe('a second provider beside one that is out', () => {
  it('is not asked while the first is on time', async () => {
    const { asked, endedAt } = await ask({
      reacher: { ms: NEW.latencyMs - 1, says: 'deliverable', priceMicros: 0 },
      bouncer: { ms: 1, says: 'deliverable' },
    });
    expect(asked).toEqual(['reacher']);
    expect(endedAt).toBe(NEW.latencyMs - 1);
  });

  it.each([
    // Two deadlines with room to spare, one where the other's answer just fits after it, one where it hardly does.
    [60_000, 2 * NEW.latencyMs],
    [12_000, 2 * NEW.latencyMs],
    [3_490, 3_490 - NEW.latencyMs],
    [2 * NEW.latencyMs + 1, NEW.latencyMs + 1],
    [NEW.latencyMs + NEW.typicalMs, NEW.latencyMs],
  ])('with %i ms to go is asked after %i: when the first is late, and an answer still fits', async (deadlineMs, at) => {
    const { askedAt, results } = await ask(
      { reacher: FREE_AND_HANGING, bouncer: { ms: 400, says: 'deliverable' } },
      { deadlineMs },
    );
    expect(askedAt).toEqual({ reacher: 0, bouncer: at });
    expect(results.map(({ provider }) => provider)).toEqual(['bouncer']);
  });

  it('comes sooner beside one that is quick as a rule', async () => {
    const health = new ProviderHealthTracker();
    for (let i = 0; i < 30; i += 1) health.note('reacher', 300, null, 0);
    const { askedAt } = await ask({ reacher: FREE_AND_HANGING, bouncer: { ms: 400, says: 'deliverable' } }, {}, health);
    expect(askedAt).toEqual({ reacher: 0, bouncer: 600 });
  });

  it.each<[ProviderVerdict]>([['deliverable'], ['undeliverable'], ['catch_all']])(
    'that says %s ends the wait: the one that is out is aborted and entered as given up',
    async (says) => {
      const { calls, results, failures, endedAt, askedAt } = await ask({
        reacher: FREE_AND_HANGING,
        bouncer: { ms: 400, says },
      });
      expect(results.map(({ provider }) => provider)).toEqual(['bouncer']);
      expect(failures).toEqual([{ provider: 'reacher', kind: 'abandoned', ms: endedAt, owedMicros: 0 }]);
      expect(endedAt).toBe((askedAt.bouncer ?? Number.NaN) + 400);
      expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    },
  );

  it('leaves the first its time when it says nothing certain', async () => {
    const { results, failures } = await ask({
      bouncer: { ms: 2_200, says: 'undeliverable', priceMicros: 4_500 },
      emailable: { ms: 200, says: 'unknown', priceMicros: 6_000 },
    });
    expect(results.map(({ provider, answer, ms }) => [provider, answer.verdict, ms])).toEqual([
      ['emailable', 'unknown', 200],
      ['bouncer', 'undeliverable', 2_200],
    ]);
    expect(failures).toEqual([]);
  });

  it('is aborted itself when the first answers after all', async () => {
    const { calls, results, failures } = await ask({
      reacher: { ms: 2_100, says: 'deliverable', priceMicros: 0 },
      bouncer: { ms: 1_000, says: 'deliverable' },
    });
    expect(results.map(({ provider }) => provider)).toEqual(['reacher']);
    expect(failures).toMatchObject([{ provider: 'bouncer', kind: 'abandoned', owedMicros: 4_000 }]);
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([false, true]);
  });

  it('records the abandoned one: silent for long, it counts as failed, and after a few is no longer asked', async () => {
    const health = new ProviderHealthTracker();
    const scripts: Scripts = { reacher: FREE_AND_HANGING, bouncer: { ms: 400, says: 'deliverable' } };
    const before = health.healthOf('reacher', 0).failureRate;
    const { endedAt } = await ask(scripts, { deadlineMs: 12_000 }, health);
    expect(health.healthOf('reacher', endedAt).failureRate).toBeGreaterThan(before);
    for (let i = 0; i < 20; i += 1) await ask(scripts, { deadlineMs: 12_000 }, health);
    const { asked, steps } = await ask(scripts, { deadlineMs: 12_000 }, health);
    expect(asked).toEqual(['bouncer']);
    expect(steps[0]).toMatchObject({ excluded: [{ provider: 'reacher', why: 'circuit_open' }], missed: true });
  });
});

describe('the month’s provider budget', () => {
  const TWO: Scripts = {
    kickbox: { ms: 300, says: 'undeliverable', priceMicros: 4_000 },
    bouncer: { ms: 300, says: 'undeliverable', priceMicros: 3_000 },
  };
  const budgetOf = (leftMicros: number, answers: ('granted' | 'refused' | 'failed')[] = []) => {
    const reserved: number[] = [];
    const reserve = async (totalMicros: number) => {
      reserved.push(totalMicros);
      return answers.shift() ?? 'granted';
    };
    return { reserved, budget: { leftMicros, reserve } };
  };
  const stakes = stakesFor('signup');

  it('is reserved before each call, what was spent before included', async () => {
    const { budget, reserved } = budgetOf(1e6);
    const { asked } = await ask(TWO, { budget, stakes });
    expect(asked).toEqual(['bouncer', 'kickbox']);
    expect(reserved).toEqual([3_000, 7_000]);
  });

  it.each([
    ['nothing left', 0],
    ['a budget of 0', -1],
    ['less left than any price', 2_999],
  ])('with %s: nobody is asked, the trace says why, and nothing failed', async (_, leftMicros) => {
    const { budget, reserved } = budgetOf(leftMicros);
    const { asked, steps, failures } = await ask(TWO, { budget, stakes });
    expect([asked, reserved, failures]).toEqual([[], [], []]);
    expect(steps).toMatchObject([{ choice: 'stop', missed: false, excluded: [{ why: 'budget' }, { why: 'budget' }] }]);
  });

  it('leaves who still fits', async () => {
    const { budget } = budgetOf(3_000);
    expect((await ask(TWO, { budget, stakes })).asked).toEqual(['bouncer']);
  });

  it('pays nobody when others have taken it meanwhile, and nothing failed', async () => {
    const { budget } = budgetOf(1e6, ['refused', 'refused']);
    const { asked, steps } = await ask(TWO, { budget, stakes });
    expect(asked).toEqual([]);
    expect(steps.some(({ missed }) => missed)).toBe(false);
  });

  it('pays nobody when it can’t be reached, and the answer counts as degraded', async () => {
    const { budget } = budgetOf(1e6, ['failed']);
    const { asked, steps } = await ask(TWO, { budget, stakes });
    expect(asked).toEqual([]);
    expect(steps).toMatchObject([{ choice: 'stop', missed: true }]);
  });

  it('takes no longer than the request has when it hangs', async () => {
    const budget = { leftMicros: 1e6, reserve: () => new Promise<never>(() => undefined) };
    const { asked, endedAt } = await ask(TWO, { budget, stakes });
    expect(asked).toEqual([]);
    expect(endedAt).toBeLessThanOrEqual(3_490);
  });
});

describe('the circuit of a provider', () => {
  /** Kickbox has just failed often enough to open its circuit. */
  function broken(): ProviderHealthTracker {
    const health = new ProviderHealthTracker();
    while (!health.healthOf('kickbox', 0).open) health.note('kickbox', 50, 'server_error', 0);
    return health;
  }
  const KICKBOX: Script = { ms: 300, says: 'deliverable' };
  const WELL: Scripts = { kickbox: KICKBOX };

  it('once it is due lets one call through, and no other beside it', async () => {
    const health = broken();
    const [calls, now] = [[] as VendorCall[], () => Date.now()];
    const deps = { providers: scriptedAll(WELL, calls), health, now, counters: { add: () => undefined } };
    while (health.healthOf('kickbox', Date.now()).open) vi.advanceTimersByTime(1_000);
    const prepared = preparedFor({ deadlineMs: Date.now() + 3_490 });
    const running = Array.from({ length: 20 }, () => askProviders(deps, prepared, refuse));
    await vi.runAllTimersAsync();
    const answered = (await Promise.all(running)).flatMap(({ results }) => results);
    expect([calls.length, answered.length]).toEqual([1, 1]);
    expect(health.healthOf('kickbox', Date.now()).open).toBe(false);
  });

  it.each<[what: string, change: Change, scripts: Scripts, missed: boolean]>([
    ['a provider worth asking', {}, WELL, true],
    ['one too dear for what is at stake', { maxCostUsd: 1 }, { kickbox: { ...KICKBOX, priceMicros: 110_000 } }, false],
    ['one that could change nothing', { host: 'barracuda_business' }, WELL, false],
    ['one over the cost ceiling', { maxCostUsd: 0.0039 }, WELL, false],
    ['one that the cost ceiling of 0 rules out', { maxCostUsd: 0 }, WELL, false],
    ['one that would answer too late', { deadlineMs: 499 }, WELL, false],
    ['one whose answer is known', { known: [{ provider: 'kickbox', verdict: 'unknown', at: 0 }] }, WELL, false],
    // Asked in its place, Bouncer leaves nothing open; before it answered Kickbox would have been worth asking.
    ['one that another stands in for', {}, { ...WELL, bouncer: { ms: 300, says: 'deliverable' } }, true],
  ])('while open, of %s', async (_, change, scripts, missed) => {
    const { asked, steps } = await ask(scripts, change, broken());
    expect(asked).not.toContain('kickbox');
    expect(steps.some((step) => step.missed)).toBe(missed);
  });
});
