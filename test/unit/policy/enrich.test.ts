import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Company } from '../../../src/contract/decision.ts';
import type { EnrichmentVendor, EnrichmentVendorId } from '../../../src/domain/policy/enrichment.ts';
import { ProviderHealthTracker } from '../../../src/domain/router/provider-health.ts';
import { DAY_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { err, ok } from '../../../src/kernel/errors.ts';
import {
  type EnrichmentDeps,
  type EnrichmentLimits,
  type EnrichmentSubject,
  openEnrichment,
} from '../../../src/services/policy/enrich.ts';
import type { ReserveBudget } from '../../../src/services/reservation.ts';
import { COMPANY, PERSON } from './facts.ts';

const NOW = Date.UTC(2026, 10, 12);
const SUBJECT: EnrichmentSubject = {
  organisationId: 'org_a',
  email: 'ada@acme.example',
  domain: 'acme.example',
  hasCompany: true,
  hasPerson: true,
};
const LIMITS: EnrichmentLimits = { costMicros: 1_000, budgetMicros: 1_000, deadlineMs: NOW + 3_000 };
const KEY = 'company:v1:org_a:acme.example';

/** KV as a map, with its writes waited for. */
function store(entries: Record<string, string> = {}) {
  const kept = new Map(Object.entries(entries));
  const ttls: number[] = [];
  return {
    kept,
    ttls,
    get: async (key: string) => kept.get(key) ?? null,
    put: async (key: string, value: string, { expirationTtl }: { readonly expirationTtl: number }) => {
      kept.set(key, value);
      ttls.push(expirationTtl);
    },
  };
}

type Answer = Awaited<ReturnType<EnrichmentVendor['ask']>>;
const FAILED: Answer = err({ kind: 'timeout', costMicros: 10 });
const NO_MATCH: Answer = ok({ company: null, person: null, costMicros: 0 });
const found = (company: Company | null, person: typeof PERSON | null, costMicros = 10): Answer =>
  ok({ company, person, costMicros });

const source = (id: EnrichmentVendor['id'], answer: Answer, price = 10) => ({
  id,
  prices: { company: price, person: price, both: price },
  ask: vi.fn<EnrichmentVendor['ask']>(async () => answer),
});

function open(
  enrichmentVendors: readonly EnrichmentVendor[],
  change: Partial<EnrichmentLimits & EnrichmentSubject> = {},
  cache = store(),
  enrichmentHealth = new ProviderHealthTracker<EnrichmentVendorId>(),
) {
  const deferred: Promise<unknown>[] = [];
  const reserve = vi.fn<ReserveBudget>(async () => 'granted');
  const onEnrichment = vi.fn<EnrichmentDeps['onEnrichment']>();
  const defer = (work: Promise<unknown>) => void deferred.push(work);
  const deps = { enrichmentVendors, enrichmentHealth, cache, now: () => NOW, reserve, onEnrichment, defer };
  return {
    reserve,
    onEnrichment,
    ...openEnrichment(
      deps,
      {
        ...SUBJECT,
        ...change,
      },
      {
        ...LIMITS,
        ...change,
      },
    ),
    cache,
    settled: () => Promise.all(deferred),
  };
}

const wants = (...names: ('company' | 'person')[]) => new Set(names);
const [ONE, BOTH] = [wants('company'), wants('company', 'person')];

describe('enrichment', () => {
  it('asks a source once and reports it', async () => {
    const hunter = source('hunter', found(COMPANY, null));
    const { settle, report } = open([hunter]);
    expect(await settle(ONE, ONE)).toEqual({ company: COMPANY });
    expect(await settle(ONE, ONE)).toEqual({ company: COMPANY });
    expect(hunter.ask).toHaveBeenCalledTimes(1);
    expect(hunter.ask.mock.calls[0]?.slice(0, 2)).toEqual([
      expect.objectContaining({ wants: 'company', domain: 'acme.example' }),
      2_000,
    ]);
    expect(report()).toEqual({
      calls: [{ source: 'hunter', wants: 'company', ms: 0, costMicros: 10, result: 'found' }],
      notAsked: [],
      limitedBy: [],
      costMicros: 10,
      degraded: false,
    });
  });

  it.each([
    ['who failed', FAILED, 20],
    ['who found no match', NO_MATCH, 10],
  ])('asks another behind one %s', async (_, first, costMicros) => {
    const { settle, report } = open([source('hunter', first), source('pdl', found(COMPANY, null))]);
    expect(await settle(ONE, ONE)).toEqual({ company: COMPANY });
    expect(report()).toMatchObject({ costMicros, degraded: false });
  });

  it('is degraded when a value is missing because of a failure, not when no vendor knows it', async () => {
    const failing = open([source('hunter', FAILED), source('pdl', NO_MATCH)]);
    expect(await failing.settle(ONE, ONE)).toEqual({ company: null });
    expect(failing.report().degraded).toBe(true);

    const ignorant = open([source('hunter', NO_MATCH)]);
    expect(await ignorant.settle(ONE, ONE)).toEqual({ company: null });
    expect(ignorant.report()).toMatchObject({ degraded: false, costMicros: 0 });
  });

  it('keeps what came along for later', async () => {
    const hunter = source('hunter', found(COMPANY, PERSON));
    const { settle } = open([hunter]);
    expect(await settle(ONE, BOTH)).toEqual({ company: COMPANY, person: PERSON });
    expect(hunter.ask.mock.calls[0]?.[0]).toMatchObject({ wants: 'both' });
  });

  it('asks for no company where the domain has none, for no person where the address belongs to none', async () => {
    const hunter = source('hunter', found(null, PERSON));
    const free = open([hunter], { hasCompany: false });
    expect(await free.settle(BOTH, BOTH)).toEqual({ company: null, person: PERSON });
    expect(hunter.ask.mock.calls.map(([{ wants: wanted }]) => wanted)).toEqual(['person']);

    const pdl = source('pdl', found(COMPANY, null));
    const role = open([pdl], { hasPerson: false });
    expect(await role.settle(BOTH, BOTH)).toEqual({ company: COMPANY, person: null });
    expect(pdl.ask.mock.calls.map(([{ wants: wanted }]) => wanted)).toEqual(['company']);
  });

  it('asks no vendor about an address that could not be read, without a source, or after the deadline', async () => {
    const reserve = vi.fn<ReserveBudget>();
    const idle = { onEnrichment: () => undefined, defer: () => undefined };
    const deps = {
      ...idle,
      cache: store(),
      enrichmentHealth: new ProviderHealthTracker<EnrichmentVendorId>(),
      now: () => NOW,
      reserve,
    };
    const hunter = source('hunter', found(COMPANY, PERSON));
    expect(await openEnrichment({ ...deps, enrichmentVendors: [hunter] }, null, LIMITS).settle(BOTH, BOTH)).toEqual({
      company: null,
      person: null,
    });
    expect(await open([]).settle(ONE, ONE)).toEqual({ company: null });
    expect(await open([hunter], { deadlineMs: NOW }).settle(ONE, ONE)).toEqual({ company: null });
    expect(hunter.ask).not.toHaveBeenCalled();
  });

  it.each([
    ['the ceiling', { costMicros: 9 }, 'cost_ceiling'],
    ['the budget', { budgetMicros: 9 }, 'budget'],
    ['a ceiling of nothing', { costMicros: -1 }, 'cost_ceiling'],
    ['a deadline too near for an answer', { deadlineMs: NOW + 249 }, 'latency_ceiling'],
  ])('asks no source beyond %s, says so, and is not degraded by it', async (_, limits, why) => {
    const hunter = source('hunter', found(COMPANY, null));
    const { settle, report } = open([hunter], limits);
    expect(await settle(ONE, ONE)).toEqual({ company: null });
    expect(hunter.ask).not.toHaveBeenCalled();
    const notAsked = [{ source: 'hunter', why }];
    expect(report()).toEqual({ calls: [], notAsked, costMicros: 0, degraded: false, limitedBy: [why] });
  });

  it('names a limit only where something is missing because of it', async () => {
    const sources = [source('hunter', found(COMPANY, PERSON)), source('pdl', found(COMPANY, PERSON), 2_000)];
    const { settle, report } = open(sources, { budgetMicros: 50 });
    await settle(BOTH, BOTH);
    expect(report()).toMatchObject({ degraded: false, limitedBy: [] });
  });

  it('names each limit once, in the contract’s order', async () => {
    const sources = [source('hunter', found(COMPANY, null), 60), source('pdl', found(COMPANY, null), 2_000)];
    const { settle, report } = open(sources, { budgetMicros: 50 });
    await settle(ONE, ONE);
    expect(report().limitedBy).toEqual(['cost_ceiling', 'budget']);
  });

  it('counts what a failure may have cost against both limits', async () => {
    const pdl = source('pdl', found(COMPANY, null));
    const { settle } = open([source('hunter', FAILED), pdl], { budgetMicros: 19 });
    await settle(ONE, ONE);
    expect(pdl.ask).not.toHaveBeenCalled();
  });

  it('has each call’s price reserved before it is made, what was spent already included', async () => {
    const { settle, reserve } = open([source('hunter', FAILED, 15), source('pdl', found(COMPANY, null), 20)]);
    await settle(ONE, ONE);
    // A failure of 10 at the most, where 15 were reserved.
    expect(reserve.mock.calls).toEqual([[15], [30]]);
  });

  it.each([
    ['refused', false, 'budget'],
    ['failed', true, 'budget_unreachable'],
  ] as const)(
    'asks no source when the reservation is %s, and is degraded only by a failure',
    async (answer, degraded, why) => {
      const hunter = source('hunter', found(COMPANY, PERSON));
      const { settle, report, reserve } = open([hunter]);
      reserve.mockResolvedValue(answer);
      expect(await settle(ONE, ONE)).toEqual({ company: null });
      expect(await settle(BOTH, BOTH)).toEqual({ company: null, person: null });
      expect(hunter.ask).not.toHaveBeenCalled();
      expect(reserve).toHaveBeenCalledTimes(1);
      const notAsked = [{ source: 'hunter', why }];
      const limitedBy = degraded ? [] : [why];
      expect(report()).toEqual({ calls: [], notAsked, costMicros: 0, degraded, limitedBy });
    },
  );

  it('leaves a source alone that failed five times in a row, which counts as failed and costs nothing', async () => {
    const [hunter, health] = [
      source('hunter', err({ kind: 'server_error', costMicros: 0 })),
      new ProviderHealthTracker<EnrichmentVendorId>(),
    ];
    for (let i = 0; i < 5; i += 1) await open([hunter], {}, store(), health).settle(ONE, ONE);
    const { settle, report, onEnrichment } = open([hunter], {}, store(), health);
    expect(await settle(ONE, ONE)).toEqual({ company: null });
    expect(hunter.ask).toHaveBeenCalledTimes(5);
    expect(report()).toEqual({
      calls: [],
      costMicros: 0,
      degraded: true,
      notAsked: [
        {
          source: 'hunter',
          why: 'circuit_open',
        },
      ],
      limitedBy: [],
    });
    expect(onEnrichment).not.toHaveBeenCalled();
    const other = open([hunter, source('pdl', found(COMPANY, null))], {}, store(), health);
    expect(await other.settle(ONE, ONE)).toEqual({ company: COMPANY });
    expect(other.report().degraded).toBe(false);
  });

  it('tells of each call by source and result alone', async () => {
    const { settle, onEnrichment } = open([source('hunter', FAILED), source('pdl', NO_MATCH)]);
    await settle(ONE, ONE);
    expect(onEnrichment.mock.calls).toEqual([
      [{ source: 'hunter', wants: 'company', ms: 0, costMicros: 10, result: 'timeout' }],
      [{ source: 'pdl', wants: 'company', ms: 0, costMicros: 0, result: 'not_found' }],
    ]);
  });

  it('never spends beyond a limit, and never asks a source twice', async () => {
    const answers = fc.constantFrom<Answer[]>(
      FAILED,
      NO_MATCH,
      found(COMPANY, null),
      found(null, PERSON),
      found(COMPANY, PERSON),
    );
    const wanted = fc.constantFrom(ONE, BOTH, wants('person'));
    await fc.assert(
      fc.asyncProperty(
        answers,
        answers,
        fc.integer({ min: -1, max: 30 }),
        wanted,
        wanted,
        async (one, two, left, needs, later) => {
          const sources = [source('hunter', one), source('pdl', two)];
          const { settle, report } = open(sources, { costMicros: left });
          const first = await settle(needs, BOTH);
          const second = await settle(later, BOTH);
          for (const want of needs) expect(first).toHaveProperty(want);
          for (const want of later) expect(second).toHaveProperty(want);
          expect(report().costMicros).toBeLessThanOrEqual(Math.max(0, left));
          for (const { ask } of sources) expect(ask.mock.calls.length).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe('what is kept of a company', () => {
  const KNOWN = { expires_at: NOW + DAY_MS, company: COMPANY };
  const stored = (known: unknown, unknown_to: Partial<Record<EnrichmentVendorId, number>> = {}) =>
    store({ [KEY]: JSON.stringify({ known, unknown_to }) });
  const keptIn = ({ kept }: ReturnType<typeof store>) => [...kept].map(([key, value]) => [key, JSON.parse(value)]);

  it('is used instead of a source', async () => {
    const hunter = source('hunter', found(null, null));
    const { settle, report } = open([hunter], {}, stored(KNOWN));
    expect(await settle(ONE, ONE)).toEqual({ company: COMPANY });
    expect(hunter.ask).not.toHaveBeenCalled();
    expect(report()).toMatchObject({ calls: [], costMicros: 0 });
  });

  it('is the organisation’s own: another’s first question is a call of its own, and costs what it costs', async () => {
    const [cache, sources] = [store(), [source('hunter', found(COMPANY, null))]];
    const first = open(sources, {}, cache);
    await first.settle(ONE, ONE);
    await first.settled();
    const other = open(sources, { organisationId: 'org_b' }, cache);
    await other.settle(ONE, ONE);
    const again = open(sources, {}, cache);
    await again.settle(ONE, ONE);
    expect([first, other, again].map(({ report }) => report().costMicros)).toEqual([10, 10, 0]);
  });

  it.each([
    ['needed with it', BOTH],
    ['needed before it', wants('person')],
  ])('leaves the person to be asked for alone, %s', async (_, needs) => {
    const hunter = source('hunter', found(null, PERSON));
    const { settle } = open([hunter], {}, stored(KNOWN));
    expect(await settle(needs, BOTH)).toEqual({ company: COMPANY, person: PERSON });
    expect(hunter.ask.mock.calls.map(([{ wants: wanted }]) => wanted)).toEqual(['person']);
  });

  it.each([
    ['past its time', stored({ ...KNOWN, expires_at: NOW })],
    ['of another shape', stored({ name: 'Acme' })],
    ['no JSON', store({ [KEY]: '{' })],
    ['out of reach', { ...store(), get: () => Promise.reject(new Error('KV GET failed')) }],
  ])('is a miss when %s', async (_, cache) => {
    const { settle } = open([source('hunter', found(COMPANY, null))], {}, cache);
    expect(await settle(ONE, ONE)).toEqual({ company: COMPANY });
  });

  it('is a company for 30 days, without the address or a person', async () => {
    const { settle, cache, settled } = open([source('hunter', found(COMPANY, PERSON))]);
    await settle(BOTH, BOTH);
    await settled();
    expect(keptIn(cache)).toEqual([
      [KEY, { known: { expires_at: NOW + 30 * DAY_MS, company: COMPANY }, unknown_to: {} }],
    ]);
    expect(cache.ttls).toEqual([(30 * DAY_MS) / SECOND_MS]);
    expect(JSON.stringify([...cache.kept])).not.toMatch(/ada|director/);
  });

  it('is one that is known in part for 7 days', async () => {
    const { settle, cache, settled } = open([source('hunter', found({ ...COMPANY, industry: null }, null))]);
    await settle(ONE, ONE);
    await settled();
    expect(keptIn(cache)).toMatchObject([[KEY, { known: { expires_at: NOW + 7 * DAY_MS } }]]);
  });

  it('is for 7 days who of the sources does not know it', async () => {
    const { settle, cache, settled } = open([source('hunter', NO_MATCH), source('pdl', FAILED)]);
    await settle(ONE, ONE);
    await settled();
    expect(keptIn(cache)).toEqual([[KEY, { known: null, unknown_to: { hunter: NOW + 7 * DAY_MS } }]]);
  });

  it('spares who did not know it the question, though another was not affordable', async () => {
    const cache = store();
    for (let i = 0; i < 3; i += 1) {
      const sources = [source('hunter', NO_MATCH), source('pdl', found(COMPANY, null), 5_000)];
      const { settle, settled } = open(sources, {}, cache);
      await settle(ONE, ONE);
      await settled();
      expect(sources[0]?.ask).toHaveBeenCalledTimes(i === 0 ? 1 : 0);
    }
    const pdl = source('pdl', found(COMPANY, null));
    expect(await open([source('hunter', NO_MATCH), pdl], {}, cache).settle(ONE, ONE)).toEqual({ company: COMPANY });
  });

  it('leaves a person to be asked of who does not know the company', async () => {
    const hunter = source('hunter', found(null, PERSON));
    const { settle } = open([hunter], {}, stored(null, { hunter: NOW + 1 }));
    expect(await settle(BOTH, BOTH)).toEqual({ company: null, person: PERSON });
    expect(hunter.ask.mock.calls.map(([{ wants: wanted }]) => wanted)).toEqual(['person']);
  });

  it('is asked for again once its time is over', async () => {
    const hunter = source('hunter', found(COMPANY, null));
    const { settle } = open([hunter], {}, stored(null, { hunter: NOW }));
    expect(await settle(ONE, ONE)).toEqual({ company: COMPANY });
  });

  it.each([
    ['a failure', FAILED, ONE],
    ['no match for the address', NO_MATCH, BOTH],
    ['a person whose company is not that of the address', found(null, PERSON), BOTH],
  ])('is nothing behind %s', async (_, answer, needs) => {
    const { settle, cache, settled } = open([source('hunter', answer)]);
    await settle(needs, needs);
    await settled();
    expect(cache.kept.size).toBe(0);
  });

  it('is not missed when it can’t be written', async () => {
    const cache = { ...store(), put: () => Promise.reject(new Error('KV PUT failed')) };
    const { settle, settled } = open([source('hunter', found(COMPANY, null))], {}, cache);
    expect(await settle(ONE, ONE)).toEqual({ company: COMPANY });
    await expect(settled()).resolves.toEqual([undefined]);
  });
});
