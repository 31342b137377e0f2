import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { micros, usd } from '../../../src/domain/metering/index.ts';
import { type ConsultInput, consult, type ProviderCounters } from '../../../src/domain/verification/consult.ts';
import { SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import {
  PROVIDER_IDS,
  type Provider,
  type ProviderAnswer,
  type ProviderFailure,
  type ProviderId,
  type ProviderVerdict,
} from '../../../src/domain/verification/provider.ts';
import { ProviderHealthBook } from '../../../src/domain/verification/provider-health.ts';
import { err, ok } from '../../../src/kernel/result.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Script {
  readonly ms: number;
  readonly says: ProviderVerdict | ProviderFailure['kind'] | 'hangs';
  readonly priceMicros?: number;
}

const VERDICTS: readonly string[] = ['deliverable', 'undeliverable', 'catch_all', 'risky', 'unknown'];

/** A vendor that keeps to its time limit, as the adapters do. */
function scripted(id: ProviderId, { ms, says, priceMicros = 4_000 }: Script, asked: ProviderId[]): Provider {
  const answer = (verdict: ProviderVerdict): ProviderAnswer => ({
    verdict,
    reason: null,
    catchAll: null,
    role: null,
    disposable: null,
    mailboxFull: null,
    suggestedDomain: null,
    costMicros: verdict === 'unknown' ? 0 : priceMicros,
  });
  return {
    id,
    priceMicros,
    ask: async (_email, timeoutMs, signal) => {
      asked.push(id);
      const endsAfter = says === 'hangs' ? timeoutMs : Math.min(ms, timeoutMs);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, endsAfter);
        signal.addEventListener('abort', () => (clearTimeout(timer), resolve()));
      });
      if (says === 'hangs' || ms > timeoutMs) return err({ kind: 'timeout', retryable: true, costMicros: priceMicros });
      if (VERDICTS.includes(says)) return ok(answer(says as ProviderVerdict));
      return err({ kind: says as ProviderFailure['kind'], retryable: true, costMicros: 0 });
    },
  };
}

const INPUT: ConsultInput = {
  email: 'ada@example.com',
  model: SEEDED_MODEL,
  host: 'google_business',
  purpose: 'outbound',
  known: [],
  knownAgeMs: 0,
  acceptsAllOdds: 1,
  maxCostUsd: 0.02,
  deadlineMs: 3_490,
};

async function ask(scripts: Partial<Record<ProviderId, Script>>, change: Partial<ConsultInput> = {}) {
  const asked: ProviderId[] = [];
  const health = new ProviderHealthBook();
  const providers = Object.entries(scripts).map(([id, script]) => scripted(id as ProviderId, script, asked));
  const counted: Parameters<ProviderCounters['add']>[] = [];
  const counters: ProviderCounters = { add: (...counts) => void counted.push(counts) };
  const running = consult({ providers, health, now: () => Date.now(), counters }, { ...INPUT, ...change });
  let endedAt = -1;
  const timed = running.finally(() => {
    endedAt = Date.now();
  });
  await vi.runAllTimersAsync();
  return { ...(await timed), asked, endedAt, health, counted };
}

describe('consult', () => {
  it('asks nobody where nobody is on, and stops at once', async () => {
    expect(await ask({})).toMatchObject({ receipts: [], failures: [], spendMicros: 0, endedAt: 0 });
  });

  it('asks a provider that is worth its price, and stops when its answer settles the matter', async () => {
    const { receipts, asked, spendMicros } = await ask({ kickbox: { ms: 300, says: 'deliverable' } });
    expect(asked).toEqual(['kickbox']);
    expect(receipts).toMatchObject([{ provider: 'kickbox', ms: 300, answer: { verdict: 'deliverable' } }]);
    expect(spendMicros).toBe(4_000);
  });

  it('does not ask what it knows already', async () => {
    const { asked } = await ask(
      { kickbox: { ms: 300, says: 'deliverable' } },
      { known: [{ provider: 'kickbox', verdict: 'deliverable' }] },
    );
    expect(asked).toEqual([]);
  });

  it('asks no one under a cost ceiling of 0', async () => {
    expect((await ask({ reacher: { ms: 1, says: 'deliverable', priceMicros: 0 } }, { maxCostUsd: 0 })).asked).toEqual(
      [],
    );
  });

  it('routes around a provider that fails', async () => {
    const { receipts, failures, asked } = await ask({
      kickbox: { ms: 50, says: 'server_error', priceMicros: 1_000 },
      bouncer: { ms: 300, says: 'undeliverable' },
    });
    expect(asked).toEqual(['kickbox', 'bouncer']);
    expect(receipts.map(({ provider }) => provider)).toEqual(['bouncer']);
    expect(failures).toEqual([{ provider: 'kickbox', kind: 'server_error', ms: 50, owedMicros: 0 }]);
  });

  it('does not wait alone for a provider slower than it is wont to be', async () => {
    const { receipts, failures, endedAt } = await ask({
      reacher: { ms: 0, says: 'hangs', priceMicros: 0 },
      bouncer: { ms: 400, says: 'deliverable' },
    });
    expect(receipts.map(({ provider }) => provider)).toEqual(['bouncer']);
    expect(failures).toMatchObject([{ provider: 'reacher', kind: 'abandoned', owedMicros: 0 }]);
    expect(endedAt).toBeLessThan(INPUT.deadlineMs);
  });

  it('counts each provider’s time, spend and failures by kind', async () => {
    const { counted } = await ask({
      kickbox: { ms: 50, says: 'no_credit', priceMicros: 1_000 },
      reacher: { ms: 0, says: 'hangs', priceMicros: 0 },
      bouncer: { ms: 400, says: 'deliverable' },
    });
    expect(counted.toSorted()).toEqual([
      ['provider_failed', 1, 'kickbox:no_credit'],
      ['provider_failed', 1, 'reacher:abandoned'],
      ['provider_ms', 400, 'bouncer'],
      ['provider_spend_micros', 4_000, 'bouncer'],
    ]);
  });

  it('ends at the latency ceiling when all hang', async () => {
    const { receipts, endedAt } = await ask(
      { kickbox: { ms: 0, says: 'hangs' }, bouncer: { ms: 0, says: 'hangs' } },
      { deadlineMs: 2_000 },
    );
    expect(receipts).toEqual([]);
    expect(endedAt).toBeLessThanOrEqual(2_000);
  });

  it('never passes either ceiling, whatever the providers do', async () => {
    const says = fc.constantFrom<Script['says']>(
      ...([
        'deliverable',
        'undeliverable',
        'catch_all',
        'risky',
        'unknown',
        'server_error',
        'timeout',
        'hangs',
      ] as const),
    );
    const script = fc.record({ ms: fc.nat(5_000), says, priceMicros: fc.nat(20_000) });
    const scripts = fc.dictionary(fc.constantFrom(...PROVIDER_IDS), script);
    const input = fc.record({
      maxCostUsd: fc.double({ min: 0, max: 0.05, noNaN: true }),
      deadlineMs: fc.nat(4_000),
      purpose: fc.constantFrom('outbound', 'signup', 'list_hygiene'),
    });
    await fc.assert(
      fc.asyncProperty(scripts, input, async (each, change) => {
        vi.setSystemTime(0);
        const { asked, endedAt, spendMicros } = await ask(each, change);
        const owed = asked.reduce((sum, id) => sum + (each[id]?.priceMicros ?? 0), 0);
        const answeredForLess = asked.some((id) => each[id]?.says === 'unknown' || each[id]?.says === 'server_error');
        expect(usd(spendMicros)).toBeLessThanOrEqual(change.maxCostUsd);
        if (!answeredForLess) expect(owed).toBeLessThanOrEqual(micros(change.maxCostUsd));
        expect(endedAt).toBeLessThanOrEqual(change.deadlineMs);
        expect(new Set(asked).size).toBe(asked.length);
      }),
      { numRuns: 300 },
    );
  });
});
