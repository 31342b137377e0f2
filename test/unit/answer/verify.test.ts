import { evidenceOf } from '../../../src/domain/answer/replay.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { VerificationContext } from '../../../src/contract/verification.ts';
import { rowName } from '../../../src/domain/belief/names.ts';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import { sha256Hex } from '../../../src/kernel/crypto.ts';
import { contextOf, observation } from '../../support/addresses.ts';
import {
  DELIVERABLE,
  DOWN,
  HANGS,
  type Script,
  type Scripts,
  UNDELIVERABLE,
  UNKNOWN,
} from '../router/scripted-provider.ts';
import { replay } from './replay.ts';
import { type Request, Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  stage = new Stage();
});

/** Costs more than a request's ceiling. */
const TOO_DEAR: Script = { ...DELIVERABLE, priceMicros: 20_001 };

const ADA = 'ada@acme.test';
const BOB = 'bob@acme.test';

describe('stored evidence', () => {
  it.each([1, 3, 6])(
    'is judged by its age: %i days on, the trace holds it and gives the number again',
    async (days) => {
      stage.scripts = { kickbox: { ...DELIVERABLE, ms: 0 } };
      const fresh = await stage.verify(ADA);
      vi.setSystemTime(days * DAY_MS);
      stage.scripts = { hunter: TOO_DEAR };
      const { answer, trace } = await stage.verify(ADA);
      expect(answer.bounce_probability).toBeGreaterThan(fresh.answer.bounce_probability);
      expect(trace.detail.features.known_answers).toEqual([
        { provider: 'kickbox', verdict: 'deliverable', age_s: days * 86_400 },
      ]);
      expect(replay(trace.detail).belief).toEqual({
        probability: answer.bounce_probability,
        interval: answer.confidence_interval,
      });
    },
  );

  it('is as old as its newest informative answer', async () => {
    await stage.learn(ADA, { bouncer: UNDELIVERABLE });
    vi.setSystemTime(40 * HOUR_MS);
    await stage.learn(ADA, { emailable: { ...UNKNOWN, priceMicros: 100 } });
    stage.scripts = { hunter: TOO_DEAR };
    const { answer, trace } = await stage.verify(ADA);
    expect(trace.detail.features.known_answers).toMatchObject([{ verdict: 'undeliverable' }, { verdict: 'unknown' }]);
    expect(replay(trace.detail).belief.probability).toBe(answer.bounce_probability);
  });

  const CHEAP = { priceMicros: 100 };
  const DECIDED: [what: string, known: Scripts, ofDomain: Scripts, now: Scripts, said: string[]][] = [
    ['nothing', {}, {}, { kickbox: DOWN }, []],
    ['an answer', {}, {}, { kickbox: DELIVERABLE }, ['deliverable']],
    ['an answer that tells nothing', {}, {}, { kickbox: UNKNOWN }, ['unknown']],
    ['what was known', { bouncer: DELIVERABLE }, {}, {}, []],
    [
      'what was known, and an answer',
      { bouncer: UNDELIVERABLE },
      {},
      { kickbox: { ...DELIVERABLE, ...CHEAP } },
      ['deliverable'],
    ],
    [
      'what was known, and one that tells nothing',
      { bouncer: UNDELIVERABLE },
      {},
      { kickbox: { ...UNKNOWN, ...CHEAP } },
      ['unknown'],
    ],
    ['the domain', {}, { bouncer: { ...DELIVERABLE, says: 'catch_all' } }, {}, []],
    ['the domain, and an answer', {}, { bouncer: UNDELIVERABLE }, { kickbox: DELIVERABLE }, ['deliverable']],
  ];
  it.each(DECIDED)('and answers: the router decides by the very probability that is shown, from %s', async (...row) => {
    const [, known, ofDomain, now, said] = row;
    await stage.learn(ADA, known);
    await stage.learn(BOB, ofDomain);
    vi.setSystemTime(40 * HOUR_MS);
    stage.scripts = { ...now, hunter: TOO_DEAR };
    const { answer, trace } = await stage.verify(ADA);
    expect(Object.values(answer.providers).map(({ verdict }) => verdict)).toEqual(said);
    expect(trace.detail.route?.at(-1)?.choice).toBe('stop');
    expect(trace.detail.route?.at(-1)?.probability).toBeCloseTo(answer.bounce_probability, 6);
    expect(replay(trace.detail)).toEqual({
      belief: { probability: answer.bounce_probability, interval: answer.confidence_interval },
      disagreement: answer.disagreement,
    });
  });

  it.each([
    ['catch_all', 1],
    ['deliverable', -1],
    ['undeliverable', -1],
  ] as const)('%s of another address moves what is believed of the domain', async (says, way) => {
    stage.scripts = { hunter: TOO_DEAR };
    const before = await stage.verify(ADA);
    await stage.learn(BOB, { kickbox: { ...DELIVERABLE, says } });
    const { answer, trace } = await stage.verify(ADA);
    const acceptsAll = ({ detail }: typeof trace) => detail.features.neighbours?.accepts_all ?? 0;
    expect(Math.sign(acceptsAll(trace) - acceptsAll(before.trace))).toBe(way);
    expect(evidenceOf(trace.detail).map(({ code }) => code)).toContainEqual(expect.stringMatching(/^domain_/));
    expect(answer.bounce_probability).not.toBe(before.answer.bounce_probability);
    expect(answer.providers).toEqual({});
  });

  it.each([
    ['a@no-mail.test', 'no_mx'],
    ['a@throwaway.test', 'disposable_domain'],
  ])('is not used on %s, which a finding ends', async (email, reason) => {
    stage.scripts = { kickbox: DELIVERABLE };
    const without = await stage.verify(email);
    const domain = email.slice(email.indexOf('@') + 1);
    const news = observation({
      context: contextOf(email, {
        address: rowName(sha256Hex(`org_a ${email}`)),
        domain: rowName(sha256Hex(`org_a @${domain}`)),
      }),
      answers: [{ provider: 'kickbox', verdict: 'catch_all', catch_all: true, at: Date.now() }],
    });
    stage.historyOf().learn([news], Date.now());
    const { answer, trace } = await stage.verify(email);
    expect(answer).toEqual(without.answer);
    expect(answer).toMatchObject({ reason, cache: { hit: false, ttl_s: 0 }, signals: { catch_all: false } });
    expect(trace.detail.features).toMatchObject({ known_answers: [], accepts_all_odds: 1 });
    expect(trace.cacheHit).toBe(false);
  });

  it('shows the seconds until the newest about the address is forgotten', async () => {
    await stage.learn(BOB, { bouncer: DELIVERABLE });
    await stage.learn(ADA, { kickbox: { ...UNDELIVERABLE, priceMicros: 100 } });
    const learntAt = Date.now();
    stage.scripts = { hunter: TOO_DEAR };
    for (const laterMs of [1_000, DAY_MS]) {
      vi.setSystemTime(learntAt + laterMs);
      const { cache } = (await stage.verify(ADA)).answer;
      expect(cache).toEqual({ hit: true, ttl_s: Math.floor((400 * DAY_MS - laterMs) / 1_000) });
    }
  });

  it('moves nothing with one other organisation’s, in the answer or the trace; with two the flag alone is shown, a week later', async () => {
    const seen = async () => {
      const { answer, trace } = await stage.verify(ADA);
      // The time of the observation differs.
      const { t0: _, ...features } = trace.detail.features;
      return { answer, features };
    };
    stage.scripts = { hunter: TOO_DEAR };
    const before = await seen();
    await stage.learn(ADA, { kickbox: { ...DELIVERABLE, says: 'catch_all', catchAll: true } }, 'org_b');
    await stage.learn(BOB, { bouncer: { ...DELIVERABLE, says: 'catch_all', catchAll: true } }, 'org_b');
    expect(await seen()).toEqual(before);
    await stage.learn(BOB, { kickbox: { ...DELIVERABLE, says: 'catch_all', catchAll: true } }, 'org_c');
    expect(await seen()).toEqual(before);
    vi.setSystemTime(Date.now() + 7 * DAY_MS);
    const { answer, features } = await seen();
    expect(answer.cache).toEqual({ hit: false, ttl_s: 0 });
    expect([before.answer.signals.catch_all, answer.signals.catch_all]).toEqual([false, true]);
    expect(features.accepts_all_odds).toBeGreaterThan(1);
    expect(features.neighbours?.accepts_all).toBeGreaterThan(before.features.neighbours?.accepts_all ?? 1);
  });

  it('is written after the answer, which does not wait for it', async () => {
    stage.scripts = { kickbox: { ...DELIVERABLE, says: 'catch_all', catchAll: true } };
    let putAt = Number.NaN;
    stage.kv = {
      put: async () => {
        await new Promise((resolve) => setTimeout(resolve, 10_000));
        putAt = Date.now();
      },
    };
    const { afterMs, answer } = await stage.verify(ADA);
    expect(answer.providers).toHaveProperty('kickbox');
    expect(afterMs).toBe(300);
    expect(putAt).toBeGreaterThanOrEqual(10_000);
    expect(stage.deferred).toHaveLength(1);
  });

  const hangs = { get: () => new Promise<null>(() => undefined) };

  it('leaves time to ask when it can’t be read', async () => {
    stage.kv = hangs;
    stage.scripts = { kickbox: DELIVERABLE };
    const { asked, answer, afterMs } = await stage.verify(ADA, { context: { max_latency_ms: 1_500 } });
    expect(asked).toEqual(['kickbox']);
    expect(answer.cache).toEqual({ hit: false, ttl_s: 0 });
    expect(afterMs).toBeLessThan(1_500);
  });

  it.each([0, 1, 100, 250])(
    'holds up no answer past a ceiling of %i ms when it can’t be read',
    async (max_latency_ms) => {
      stage.kv = hangs;
      stage.scripts = { kickbox: DELIVERABLE };
      expect((await stage.verify(ADA, { context: { max_latency_ms } })).afterMs).toBeLessThanOrEqual(max_latency_ms);
    },
  );
});

describe('the trace', () => {
  it('contains what was spent, and separately what failed calls may cost', async () => {
    stage.scripts = { kickbox: { ...DOWN, priceMicros: 1_000, billsAll: true }, bouncer: DELIVERABLE };
    const { answer, trace, spendMicros } = await stage.verify(ADA);
    expect(answer.cost_usd).toBe(0.004);
    expect(trace).toMatchObject({ costMicros: 4_000, cacheHit: false, degraded: false });
    // The month counts both.
    expect(spendMicros).toBe(5_000);
    expect(trace.detail.providerFailures).toEqual([
      { provider: 'kickbox', kind: 'server_error', ms: 50, may_cost_usd: 0.001 },
    ]);
    expect(trace.detail.providers).toEqual({ bouncer: { verdict: 'deliverable', ms: 300, cost: 0.004, reason: null } });
  });

  it('holds a call that was given up, with the time it had and its full price', async () => {
    stage.scripts = { kickbox: { ...HANGS, priceMicros: 1_000 }, bouncer: DELIVERABLE };
    const { trace, afterMs } = await stage.verify(ADA);
    expect(trace.detail.providerFailures).toEqual([
      { provider: 'kickbox', kind: 'abandoned', ms: afterMs, may_cost_usd: 0.001 },
    ]);
    expect(trace.latencyMs).toBe(afterMs);
  });

  it('says when stored evidence answered', async () => {
    stage.scripts = { kickbox: DELIVERABLE };
    await stage.verify(ADA);
    const own = await stage.verify(ADA);
    expect(own.answer.cache.hit).toBe(true);
    expect(own.trace).toMatchObject({ cacheHit: true, costMicros: 0 });
  });

  it.each([
    ['an answer about another address of the domain', BOB, {}],
    ['an answer beside a new one', ADA, { emailable: { ...DELIVERABLE, priceMicros: 100 } }],
    ['an answer beside a call that failed', ADA, { emailable: { ...DOWN, priceMicros: 100 } }],
    ['an answer about an address that a rule settles', 'a@no-mail.test', {}],
  ] as [string, string, Scripts][])('counts no hit for %s', async (_, email, scripts) => {
    await stage.learn(email === BOB ? ADA : email, { kickbox: UNDELIVERABLE });
    stage.scripts = { hunter: TOO_DEAR, ...scripts };
    const { answer, trace } = await stage.verify(email);
    expect(answer.cache).toEqual({ hit: false, ttl_s: 0 });
    expect(trace.cacheHit).toBe(false);
  });

  it('says when a provider worth asking was not', async () => {
    stage.scripts = { kickbox: DELIVERABLE };
    stage.breakCircuit('kickbox');
    const { trace } = await stage.verify(ADA);
    expect(trace.detail.route).toMatchObject([
      { choice: 'stop', missed: true, excluded: [{ provider: 'kickbox', why: 'circuit_open' }] },
    ]);
  });

  it('holds the route taken for the purpose named', async () => {
    stage.scripts = { kickbox: { ...DELIVERABLE, priceMicros: 18_000 } };
    for (const [purpose, asked] of [
      ['signup', []],
      ['outbound', ['kickbox']],
    ] as const) {
      const verified = await stage.verify(ADA, { context: { purpose } });
      expect(verified.asked).toEqual(asked);
      expect(verified.trace.detail.context).toEqual({ purpose });
      expect(verified.trace.detail.route?.map(({ choice }) => choice)).toEqual([...asked, 'stop']);
    }
  });
});

it('judges by the lists that come while the domain is looked up', async () => {
  let isFresh = false;
  stage.lists = { ...stage.lists, disposableTier: () => (isFresh ? 'block' : null) };
  stage.freshLists = async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    isFresh = true;
  };
  expect((await stage.verify(ADA)).answer.reasons).toContain('disposable_domain');
});

describe('the latency ceiling', () => {
  it.each<[context: VerificationContext, ceilingMs: number]>([
    [{}, 3_500],
    [{ max_latency_ms: 1_000 }, 1_000],
    [{ max_latency_ms: 1e300 }, 60_000],
  ])('%j: an answer by %i ms with the trace handed over, when all hang', async (context, ceilingMs) => {
    stage.scripts = { kickbox: HANGS, bouncer: HANGS };
    const { afterMs, asked } = await stage.verify(ADA, { context, settleMs: 8 });
    expect(asked).not.toEqual([]);
    expect(afterMs).toBeLessThanOrEqual(ceilingMs);
  });

  it('holds DNS to it too', async () => {
    stage.scripts = { kickbox: DELIVERABLE };
    const { afterMs, answer } = await stage.verify('ada@dns-hangs.test', { context: { max_latency_ms: 200 } });
    expect(answer.reason).toBe('mx_unresolved');
    expect(afterMs).toBeLessThanOrEqual(200);
  });
});

describe('an operation that came before', () => {
  const repeat = async (request: Request) => {
    stage.scripts = { kickbox: DELIVERABLE };
    return stage.verify(ADA, request);
  };
  const firstAnswer = async () => {
    const { answer } = await repeat({ context: { max_cost_usd: 0 } });
    return { ...answer, trace_id: 'vr_first' };
  };

  it('and was answered is answered the same, and no provider is asked or paid', async () => {
    const first = await firstAnswer();
    const earlier = { answer: JSON.stringify({ ...first, email: '' }) };
    const { answer, asked, spendMicros } = await repeat({ earlier });
    expect(answer).toEqual(first);
    expect(asked).toEqual([]);
    expect(spendMicros).toBe(0);
  });

  it('and was answered meanwhile gives way to that answer', async () => {
    const first = await firstAnswer();
    const { answer } = await repeat({ settledAs: JSON.stringify({ ...first, email: '' }) });
    expect(answer).toEqual(first);
  });
});
