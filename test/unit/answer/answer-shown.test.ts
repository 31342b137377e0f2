import { describe, expect, it } from 'vitest';
import {
  acceptsAll,
  answerShown,
  basisOf,
  isDegraded,
  type ShownBasis,
  warningOf,
} from '../../../src/domain/answer/answer-shown.ts';
import { type KnownFacts, NOTHING_KNOWN } from '../../../src/domain/answer/account.ts';
import { precheck } from '../../../src/domain/answer/precheck.ts';
import type { DatedAnswer } from '../../../src/domain/belief/facts.ts';
import { CERTAIN_BOUNCE } from '../../../src/domain/belief/posterior.ts';
import type { ProviderAnswer } from '../../../src/domain/belief/provider.ts';
import type { FailedCall, ProviderQueries } from '../../../src/domain/router/provider-queries.ts';
import { NO_GROUNDS } from '../../../src/domain/router/losses.ts';
import type { RouteStep } from '../../../src/domain/router/router.ts';
import { SECOND_MS } from '../../../src/kernel/clock.ts';
import { stakesFor } from '../router/route-input.ts';
import { answerWith } from '../router/scripted-provider.ts';
import { FOUND, NONE, precheckOf, traits, UNRESOLVED } from './prechecks.ts';

const NONE_ASKED: ProviderQueries = { results: [], failures: [], steps: [], spendMicros: 0 };
const said = (change: Partial<ProviderAnswer> = {}): ProviderQueries['results'][number] => ({
  provider: 'kickbox',
  ms: 1,
  answer: answerWith({ verdict: 'deliverable', costMicros: 400, ...change }),
});
const FAILED: FailedCall = { provider: 'kickbox', kind: 'timeout', ms: 1, owedMicros: 0 };
const step = (missed: boolean): RouteStep => ({
  choice: 'stop',
  probability: 0.1,
  stop_value_usd: 0,
  candidates: [],
  excluded: [],
  missed,
  left: { cost_usd: 0, latency_ms: 0 },
});

const known = (verdict: DatedAnswer['verdict'], catchAll?: boolean): Pick<KnownFacts, 'answers'> => ({
  answers: [{ provider: 'bouncer', verdict, at: 0, ...(catchAll !== undefined && { catch_all: catchAll }) }],
});
const REPORTED: Pick<KnownFacts, 'reports'> = {
  reports: [{ class: 'delivered', at: 0, of: ['vr_0'], source: 'ffff' }],
};

/** What is shown of an address that probably takes mail. */
const shown = (basis: Partial<ShownBasis> = {}, request: Partial<Parameters<typeof answerShown>[1]> = {}) =>
  answerShown(
    {
      precheck: precheckOf(FOUND),
      traits: traits(),
      provider: { esp: 'hosted_suite_a' },
      isTypo: false,
      known: NOTHING_KNOWN,
      domainAcceptsAll: false,
      grounds: NO_GROUNDS,
      queries: NONE_ASKED,
      posterior: { belief: { probability: 0.01, interval: [0, 0.02] }, disagreement: 0 },
      calibration: 'prior',
      degraded: false,
      ...basis,
    },
    {
      stakes: stakesFor('outbound'),
      identityHash: null,
      traceId: 'vr_1',
      latencyMs: 1,
      ...request,
    },
  );

describe('an answer', () => {
  it('recommends to drop where a finding ends the verification, however unlikely a bounce is, and only there', () => {
    expect(shown({ precheck: precheckOf(FOUND, 'block') }).recommendation).toBe('drop');
    expect(shown().recommendation).toBe('send');
  });

  it('names every finding, and the first one as the reason', () => {
    expect(shown({ precheck: precheckOf(NONE, 'block') })).toMatchObject({
      reason: 'no_mx',
      reasons: ['no_mx', 'disposable_domain'],
    });
    expect(shown()).toMatchObject({ reason: null, reasons: [] });
  });

  it('has the hash of the identity, but for broken syntax, which has none', () => {
    expect(shown({}, { identityHash: 'ab12' }).identity_hash).toBe('ab12');
    expect(
      shown({ precheck: precheck(null), posterior: { belief: CERTAIN_BOUNCE, disagreement: 0 } }),
    ).not.toHaveProperty('identity_hash');
  });
});

describe('the cache of an answer', () => {
  const evidence = (change: Partial<KnownFacts>): KnownFacts => ({
    ...NOTHING_KNOWN,
    ttlMs: 90 * SECOND_MS + 1,
    ...change,
  });
  const answers = known('deliverable');

  it.each<[what: string, known: KnownFacts]>([
    ['an answer', evidence(answers)],
    ['a report', evidence(REPORTED)],
    ['an answer and a report', evidence({ ...answers, ...REPORTED })],
  ])('is a hit with %s and no call, for as many whole seconds as it is kept', (_, of) => {
    expect(shown({ known: of }).cache).toEqual({ hit: true, ttl_s: 90 });
  });

  it.each<[what: string, known: KnownFacts, queries: ProviderQueries]>([
    ['where nothing is known', NOTHING_KNOWN, NONE_ASKED],
    ['where only the domain is known', evidence({ told: true }), NONE_ASKED],
    ['where a provider has answered', evidence(answers), { ...NONE_ASKED, results: [said()] }],
    ['where a call has failed', evidence(answers), { ...NONE_ASKED, failures: [FAILED] }],
  ])('is none %s', (_, of, queries) => {
    expect(shown({ known: of, queries }).cache).toEqual({ hit: false, ttl_s: 0 });
  });
});

describe('an answer is degraded', () => {
  const degraded = (
    queries: Partial<ProviderQueries>,
    evidence: Partial<KnownFacts> = {},
    reached = true,
    checked = precheckOf(FOUND),
  ) =>
    isDegraded(
      { precheck: checked, known: { ...NOTHING_KNOWN, ...evidence }, queries: { ...NONE_ASKED, ...queries } },
      reached,
    );
  const failures = [FAILED];

  it('when the object gave no answer, a call failed, or any step missed a provider', () => {
    for (const mail of [FOUND, UNRESOLVED]) expect(degraded({}, {}, false, precheckOf(mail))).toBe(true);
    expect(degraded({ failures })).toBe(true);
    for (const steps of [[true], [true, false], [false, true]]) expect(degraded({ steps: steps.map(step) })).toBe(true);
  });

  it('nowhere else', () => {
    for (const steps of [[], [false], [false, false]]) expect(degraded({ steps: steps.map(step) })).toBe(false);
    expect(degraded({ failures }, {}, false, precheckOf(NONE))).toBe(false);
  });

  it.each<[what: string, evidence: Partial<KnownFacts>, is: boolean]>([
    ['though a provider once gave no clear answer', known('unknown'), true],
    ['not where a provider once said something', known('risky'), false],
    ['not where a delivery was reported', REPORTED, false],
    ['not where the owner has confirmed it', { proofs: [{ class: 'confirmed', at: 0 }] }, false],
    ['not where others saw how the domain behaves', { told: true }, false],
    ['not where others saw that the domain refuses', { told: false }, false],
  ])('by a failed call: %s', (_, evidence, is) => {
    expect(degraded({ failures }, evidence)).toBe(is);
  });

  it('not where another provider has said something now', () => {
    expect(degraded({ failures, results: [said()] })).toBe(false);
    expect(degraded({ failures, results: [said({ verdict: 'unknown' })] })).toBe(true);
  });
});

describe('the signal that a domain accepts everything', () => {
  const signal = (catchAll: readonly (boolean | null)[], evidence: Partial<KnownFacts>, domainAcceptsAll: boolean) =>
    acceptsAll({
      known: { ...NOTHING_KNOWN, ...evidence },
      queries: { ...NONE_ASKED, results: catchAll.map((word) => said({ catchAll: word })) },
      domainAcceptsAll,
    });

  it.each([true, false])('is %s from other evidence where no provider of this request says it', (is) => {
    expect(signal([null], {}, is)).toBe(is);
    expect(signal([null, null], known('risky', is), !is)).toBe(is);
  });

  it('is the providers’ word where one of them gives it', () => {
    expect(signal([null, false], {}, true)).toBe(false);
    expect(signal([null, true], known('risky', false), false)).toBe(true);
  });
});

describe('what a provider warns of', () => {
  it('is shown among the signals: this request’s first, else the newest stored one', () => {
    const kept = { answers: [{ ...known('deliverable').answers[0], warning: 'complainer' }] } as Pick<
      KnownFacts,
      'answers'
    >;
    const now = { ...NONE_ASKED, results: [said(), said({ warning: 'spam_trap' })] };
    const basis = (evidence: Partial<KnownFacts>, queries = NONE_ASKED) => ({
      known: { ...NOTHING_KNOWN, ...evidence },
      queries,
    });
    expect(warningOf(basis({}))).toBeNull();
    expect(warningOf(basis(kept))).toBe('complainer');
    expect(warningOf(basis(kept, now))).toBe('spam_trap');
    expect(shown({ ...basis(kept) }).signals.warning).toBe('complainer');
    expect(shown().signals).not.toHaveProperty('warning');
    // The newest word of a provider that is asked again replaces its old one; an own report of a complaint warns too.
    const again = { ...said(), provider: kept.answers[0]?.provider ?? 'kickbox' };
    expect(warningOf(basis(kept, { ...NONE_ASKED, results: [again] }))).toBeNull();
    const complained = { reports: [{ class: 'complaint', at: 0, of: [], source: 's' }] } as never;
    expect(warningOf(basis(complained))).toBe('complainer');
  });

  it('never ends in `send`', () => {
    expect(shown({ grounds: { ...NO_GROUNDS, isWarned: true } }).recommendation).toBe('hold');
  });

  it('is in the receipt in the provider’s own word, if it has one', () => {
    const receipt = (subStatus: string | null) =>
      shown({ queries: { ...NONE_ASKED, results: [said({ subStatus })] } }).providers['kickbox'];
    expect(receipt('role_based')).toMatchObject({ sub_status: 'role_based' });
    expect(receipt(null)).not.toHaveProperty('sub_status');
  });
});

describe('the verdict', () => {
  it.each<[what: string, basis: Partial<ShownBasis>, verdict: string]>([
    ['degraded: unknown', { degraded: true }, 'unknown'],
    [
      'the mail hosts could not be looked up, and nothing else is known: unknown',
      { precheck: precheckOf(UNRESOLVED) },
      'unknown',
    ],
    [
      '… but a provider once said something',
      { precheck: precheckOf(UNRESOLVED), known: { ...NOTHING_KNOWN, ...known('deliverable') } },
      'valid',
    ],
    ['… or does now', { precheck: precheckOf(UNRESOLVED), queries: { ...NONE_ASKED, results: [said()] } }, 'valid'],
    ['… or a report did', { precheck: precheckOf(UNRESOLVED), known: { ...NOTHING_KNOWN, ...REPORTED } }, 'valid'],
    [
      '… but one that could not tell leaves it unknown',
      { precheck: precheckOf(UNRESOLVED), known: { ...NOTHING_KNOWN, ...known('unknown') } },
      'unknown',
    ],
    ['… and a finding that ends the verification is one', { precheck: precheckOf(UNRESOLVED, 'block') }, 'valid'],
    ['else by the number', {}, 'valid'],
  ])('%s', (_, basis, verdict) => {
    expect(shown(basis).verdict).toBe(verdict);
  });
});

describe('what an answer rests on', () => {
  it.each<[what: string, basis: Partial<ShownBasis>, restsOn: ReturnType<typeof basisOf>]>([
    ['a finding', { precheck: precheckOf(NONE), queries: { ...NONE_ASKED, results: [said()] } }, 'rule'],
    ['a provider’s word of this request', { queries: { ...NONE_ASKED, results: [said()] } }, 'provider'],
    ['what the account knew', { known: { ...NOTHING_KNOWN, ...REPORTED } }, 'history'],
    [
      'a provider of this request that could not tell',
      { queries: { ...NONE_ASKED, results: [said({ verdict: 'unknown' })] } },
      'provider',
    ],
    ['free checks alone', {}, 'local'],
  ])('is %s', (_, basis, restsOn) => {
    expect(basisOf({ precheck: precheckOf(FOUND), known: NOTHING_KNOWN, queries: NONE_ASKED, ...basis })).toBe(restsOn);
  });
});
