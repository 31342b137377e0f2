import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Condition, Simulation } from '../../../src/contract/policy.ts';
import { compilePolicy } from '../../../src/domain/policy/compile.ts';
import { DEFAULT_POLICY } from '../../../src/domain/policy/document.ts';
import { openSimulation } from '../../../src/domain/policy/simulate.ts';
import type { TraceDetail, TraceRecord } from '../../../src/domain/traces/traces.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { START_MS, TRACE_DETAIL, traceRecord } from '../../support/records.ts';
import { anyPolicy, COMPANY, is, PERSON, PROFILE, policyOf, rule } from './facts.ts';

const { industry, employees_range, country } = COMPANY;
const KEPT_COMPANY = { industry, employees_range, country };
type StoredDecision = NonNullable<TraceRecord['policyDecision']>;
const DENIED: StoredDecision = {
  decision: 'deny',
  rule_id: 'free',
  policy: {
    slug: 'default',
    version: 1,
  },
  experiment: null,
  icp: { fit: 'unknown' },
  attributes: {},
};

const verified = traceRecord;
const decided = (made: Partial<StoredDecision> = {}, change: Partial<TraceRecord> = {}): TraceRecord =>
  traceRecord({
    kind: 'decide',
    id: newId('dc', START_MS),
    verificationId: newId('vr', START_MS),
    policyDecision: {
      ...DENIED,
      ...made,
    },
    ...change,
  });

const DEFAULT = compilePolicy(DEFAULT_POLICY);
const run = (policy: typeof DEFAULT, ...pages: (readonly TraceRecord[])[]) => {
  const simulation = openSimulation(policy, 'default');
  for (const page of pages) simulation.add(page);
  return simulation.result();
};
const NONE = { allow: 0, allow_with_flow: 0, review: 0, challenge: 0, deny: 0 };

describe('a simulation', () => {
  it('counts what the draft decides, over all pages', () => {
    const free = verified({ emailType: 'free' });
    const result = run(
      DEFAULT,
      [free, verified({ recommendation: 'drop' })],
      [verified({ recommendation: 'hold' })],
      [],
    );
    const counts = { ...NONE, allow: 1, deny: 1, review: 1 };
    expect(result).toEqual({
      traces: 3,
      counts,
      undetermined: 0,
      changed: [],
      sample_trace_ids: [],
      by_kind: [{ kind: 'verify', counts, decided: 0, changed: [] }],
      by_rule: expect.arrayContaining([expect.objectContaining({ count: 1, sample_trace_ids: [expect.any(String)] })]),
      by_day: [{ at: Math.floor(START_MS / 86_400_000) * 86_400, counts }],
    });
    const denied = { traces: 0, with_events: 0, events: {} };
    expect(Simulation.parse({ window_days: 90, complete: true, denied, ...result })).toMatchObject(result);
  });

  it('splits its counts by kind, by day and by rule, with samples of at most five', () => {
    const policy = policyOf([rule('free', is('verification.email_type', 'eq', 'free'))]);
    const made = (days: number, change: Parameters<typeof verified>[0]) => {
      const createdAt = START_MS + days * 86_400_000;
      return verified({ id: newId('vr', createdAt), createdAt, ...change });
    };
    const traces = [
      ...Array.from({ length: 7 }, () => made(1, { emailType: 'free' })),
      made(0, { emailType: 'free', kind: 'bulk' }),
      made(0, { emailType: 'business' }),
    ];
    const { counts, by_kind, by_day, by_rule } = run(policy, traces);
    expect(counts).toMatchObject({ deny: 8, allow: 1 });
    for (const split of [by_kind, by_day]) {
      const sum = split.reduce((total, each) => total + (each.counts.deny ?? 0) + (each.counts.allow ?? 0), 0);
      expect(sum).toBe(9);
    }
    expect(by_kind.map(({ kind, counts: each }) => [kind, each.deny, each.allow])).toEqual([
      ['bulk', 1, 0],
      ['verify', 7, 1],
    ]);
    expect(by_day.map(({ counts: each }) => each.deny)).toEqual([1, 7]);
    expect(by_rule.map(({ rule_id, count, sample_trace_ids }) => [rule_id, count, sample_trace_ids.length])).toEqual([
      ['free', 8, 5],
      ['default', 1, 1],
    ]);
  });

  it('lists rules by how many they decided, whatever came first', () => {
    const policy = policyOf([
      rule('free', is('verification.email_type', 'eq', 'free')),
      rule('role', is('verification.email_type', 'eq', 'role')),
    ]);
    const types = ['business', 'free', 'free', 'free', 'role', 'role'] as const;
    const { by_rule } = run(
      policy,
      types.map((emailType) => verified({ emailType })),
    );
    expect(by_rule.map(({ rule_id, count }) => [rule_id, count])).toEqual([
      ['free', 3],
      ['role', 2],
      ['default', 1],
    ]);
  });

  it('can’t tell the verification’s cost of a bulk row whose trace holds that of its decision too', () => {
    const policy = policyOf([rule('dear', is('verification.cost_usd', 'gt', 0))]);
    const row = { kind: 'bulk', costMicros: 4_000 } as const;
    expect(run(policy, [verified(row)])).toMatchObject({ undetermined: 0, counts: { deny: 1 } });
    expect(run(policy, [verified({ ...row, policyDecision: DENIED })])).toMatchObject({ undetermined: 1 });
  });

  it('counts changes by pair, the most frequent first, with samples of at most 20', () => {
    const now = [decided({ decision: 'deny' }), decided({ decision: 'allow' })];
    const many = Array.from({ length: 30 }, () => decided({ decision: 'review' }));
    const { changed, sample_trace_ids } = run(DEFAULT, now, many);
    expect(changed).toEqual([
      { from: 'review', to: 'allow', count: 30 },
      { from: 'deny', to: 'allow', count: 1 },
    ]);
    expect(sample_trace_ids).toHaveLength(20);
    expect(sample_trace_ids[0]).toBe(now[0]?.id);
    expect(sample_trace_ids).not.toContain(now[1]?.id);
  });

  it.each([
    ['verification.verdict', 'eq', 'likely_valid'],
    ['verification.bounce_probability', 'lt', 0.1],
    ['verification.esp', 'eq', 'hosted_suite_a'],
    ['verification.actor_class', 'eq', 'human_mailbox'],
    ['verification.mailbox_type', 'eq', 'corporate'],
    ['verification.signals.mx', 'eq', true],
    ['verification.calibration', 'eq', 'prior'],
    ['verification.cache.hit', 'eq', false],
    ['verification.cost_usd', 'eq', 0.004],
    ['verification.latency_ms', 'eq', 87],
    ['verification.reason', 'exists', false],
    ['verification.reasons', 'exists', true],
    ['verification.degraded', 'exists', false],
    ['verification.trace_id', 'starts_with', 'vr_'],
    ['context.purpose', 'eq', 'signup'],
    ['attributes.plan', 'exists', false],
  ] as const)('reads %s as it is stored', (path, op, value) => {
    expect(run(policyOf([rule('r', is(path, op, value))]), [verified()]).counts).toEqual({ ...NONE, deny: 1 });
  });

  it.each([
    ['verification.signals.disposable', verified({ detail: null, disposable: true })],
    ['verification.signals.role_account', verified({ detail: null, roleAccount: true })],
  ])('reads %s when the trace’s detail is gone', (path, trace) => {
    const draft = policyOf([rule('r', is(path, 'eq', true))]);
    expect(run(draft, [trace])).toMatchObject({ counts: { deny: 1 }, undetermined: 0 });
  });

  it('tells from `send` alone that nobody warned, when the trace’s detail is gone', () => {
    const warned = verified({ recommendation: 'hold' });
    const signals = { ...TRACE_DETAIL.signals, warning: 'spam_trap' } as TraceDetail['signals'];
    const traces = [verified({ detail: null }), { ...warned, detail: { ...TRACE_DETAIL, signals } }];
    expect(run(DEFAULT, traces)).toMatchObject({ counts: { allow: 1, review: 1 }, undetermined: 0 });
    const draft = policyOf([rule('r', is('verification.signals.warning', 'exists', true))]);
    expect(run(draft, [...traces, { ...warned, detail: null }])).toMatchObject({
      counts: { allow: 1, deny: 1 },
      undetermined: 1,
    });
  });

  it('recognises a typo from its trace, also without detail or erased, but not the correction itself', () => {
    const typo = verified({ meantDomain: 'gmail.com' });
    const erased = { ...typo, addressHash: null, meantDomain: '' };
    const traces = [typo, { ...typo, detail: null }, erased, verified()];
    const of = (op: 'exists' | 'contains' | 'ne', value: string | boolean) =>
      run(policyOf([rule('r', is('verification.did_you_mean', op, value))]), traces);
    expect(of('exists', true)).toMatchObject({ counts: { deny: 3, allow: 1 }, undetermined: 0 });
    expect(of('exists', false)).toMatchObject({ counts: { deny: 1, allow: 3 }, undetermined: 0 });
    expect(of('contains', 'gmail')).toMatchObject({ counts: { deny: 0, allow: 1 }, undetermined: 3 });
    expect(of('ne', 'ada@gmail.com')).toMatchObject({ counts: { deny: 1, allow: 0 }, undetermined: 3 });
    expect(run(DEFAULT, traces)).toMatchObject({ counts: { challenge: 3, allow: 1 }, undetermined: 0 });
  });

  it('reads what a decision had', () => {
    const policy = policyOf(
      [
        rule('r', {
          all: [
            is('company.country', 'eq', 'DE'),
            is('person.seniority', 'exists', false),
            is('attributes.plan', 'eq', 'pro'),
            is('verification.trace_id', 'starts_with', 'vr_'),
            is('icp.fit', 'eq', 'partial'),
          ],
        }),
      ],
      PROFILE,
    );
    const trace = decided({ company: KEPT_COMPANY, person: null, attributes: { plan: 'pro' } });
    expect(run(policy, [trace])).toMatchObject({ counts: { deny: 1 }, undetermined: 0, changed: [] });
  });

  it('fits the person of a decision to the profile', () => {
    const leads = { ...PROFILE, industries: [], employees_ranges: [], countries: [] };
    const policy = policyOf([rule('r', is('icp.fit', 'eq', 'strong'))], leads);
    const traces = [decided({ person: PERSON }), decided({ person: null })];
    expect(run(policy, traces)).toMatchObject({ counts: { deny: 1, allow: 1 }, undetermined: 0 });
  });

  it('takes a value for missing that is missing in a trace’s detail', () => {
    const signals = {
      syntax: true,
      mx: null,
      disposable: false,
      role_account: false,
      catch_all: false,
      relay_alias: false,
    };
    const trace = verified({ detail: { ...TRACE_DETAIL, signals } });
    const draft = policyOf([rule('r', is('verification.signals.mx', 'exists', true))]);
    expect(run(draft, [trace])).toMatchObject({ counts: { allow: 1 }, undetermined: 0 });
  });

  it.each<readonly [string, string, TraceRecord]>([
    ['an address', 'verification.email', verified()],
    ['an identity', 'verification.identity_hash', verified()],
    ['signals past their time', 'verification.signals.mx', verified({ detail: null })],
    ['reasons past their time', 'verification.reasons', verified({ detail: null })],
    ['a context past its time', 'context.purpose', verified({ detail: null })],
    ['screening', 'screening.placeholder', decided()],
    ['a company that was not asked for', 'company.country', decided()],
    ['a company’s name', 'company.name', decided({ company: KEPT_COMPANY })],
    ['a person that was not asked for', 'person.seniority', decided({ company: KEPT_COMPANY })],
    ['the fit of who was not asked for', 'icp.fit', decided({ company: KEPT_COMPANY })],
    ['attributes that were not kept', 'attributes.plan', decided({ attributes: null })],
    ['what a decision’s verification cost', 'verification.cost_usd', decided()],
  ])('does not guess where the draft turns on %s', (_, path, trace) => {
    expect(run(policyOf([rule('r', is(path, 'exists', true))], PROFILE), [trace])).toMatchObject({
      traces: 1,
      counts: NONE,
      undetermined: 1,
      changed: [],
    });
  });

  it('decides where the draft does not turn on it', () => {
    const when = { all: [is('verification.email_type', 'eq', 'free'), is('screening.placeholder', 'eq', true)] };
    expect(run(policyOf([rule('r', when)]), [verified()])).toMatchObject({ counts: { allow: 1 }, undetermined: 0 });
  });

  it('puts an address in the arm it has', () => {
    const experiment = { id: 'e1', weight: 50, min_sample: 10 };
    const policy = policyOf([rule('r', is('verification.verdict', 'exists', true), { experiment })]);
    const traces = Array.from({ length: 400 }, () => verified());
    const first = run(policy, traces);
    expect(run(policy, traces)).toEqual(first);
    expect(first.counts.deny).toBeGreaterThan(100);
    expect(first.counts.allow).toBeGreaterThan(100);
  });

  it('keeps detail and totals in line with any draft', () => {
    const trace = fc.constantFrom(
      verified(),
      verified({ emailType: 'free', detail: null }),
      decided({
        decision: 'allow',
        company: KEPT_COMPANY,
        person: { seniority: 'director' },
        attributes: { plan: 'pro', seats: 30 },
      }),
      decided({ company: null, person: null }, { detail: { ...TRACE_DETAIL, reasons: ['no_mx'] } }),
    );
    fc.assert(
      fc.property(anyPolicy, fc.array(trace, { maxLength: 12 }), fc.nat(12), (policy, traces, cut) => {
        const whole = run(policy, traces);
        const decisions = Object.values(whole.counts).reduce((sum, count) => sum + count, 0);
        expect(decisions + whole.undetermined).toBe(traces.length);
        expect(run(policy, traces.slice(0, cut), traces.slice(cut))).toEqual(whole);
        expect(
          whole.by_kind.flatMap(({ changed }) => changed.map(({ count }) => count)).reduce((a, b) => a + b, 0),
        ).toBe(whole.changed.reduce((sum, { count }) => sum + count, 0));
        const moved = whole.changed.reduce((sum, { count }) => sum + count, 0);
        expect(whole.sample_trace_ids).toHaveLength(Math.min(20, moved));
      }),
    );
  });
});

describe('what a draft denies', () => {
  const idsDenied = (traces: readonly TraceRecord[]) => {
    const simulation = openSimulation(DEFAULT, 'default');
    simulation.add(traces);
    return simulation.denied();
  };
  const bad = () => verified({ recommendation: 'drop' });

  it('is named by its id, of every kind of call, and nothing else is', () => {
    const traces = [bad(), verified(), decided({}, { recommendation: 'drop' }), verified({ recommendation: 'hold' })];
    expect(idsDenied(traces)).toEqual([traces[0]?.id, traces[2]?.id]);
    expect(idsDenied([verified()])).toEqual([]);
  });

  it('is named up to 500, the first that came', () => {
    const traces = Array.from({ length: 501 }, bad);
    expect(idsDenied(traces)).toEqual(traces.slice(0, 500).map(({ id }) => id));
  });
});

describe('whether a draft reads the traces’ detail', () => {
  const KEPT = is('verification.verdict', 'exists', true);
  it.each<[boolean, string, ...Condition[]]>([
    [true, 'a signal', is('verification.signals.mx', 'eq', true)],
    [true, 'the reasons', is('verification.reasons', 'exists', true)],
    [true, 'the context', is('context.purpose', 'exists', true)],
    [false, 'the verdict', KEPT],
    [false, 'an attribute', is('attributes.context', 'exists', true)],
    [true, 'it beside what is kept', { any: [KEPT, { not: is('context.purpose', 'exists', true) }] }],
    [true, 'it in one rule of two', KEPT, is('verification.calibration', 'eq', 'prior')],
    [false, 'nothing'],
  ])('is %s where it reads %s', (expected, _, ...conditions) => {
    const policy = policyOf(conditions.map((when, i) => rule(`r${i}`, when)));
    expect(openSimulation(policy, 'default').readsDetail).toBe(expected);
  });
});

describe('what is changed', () => {
  it('is counted by kind, beside how many of the kind this policy decided', () => {
    const theirs = decided({ policy: { slug: 'newsletter', version: 1 } });
    const row = decided({}, { kind: 'bulk', bulkJobId: newId('bj', START_MS) });
    const kept = decided({ decision: 'allow' });
    const { by_kind } = run(policyOf([]), [decided(), kept, theirs, row, verified()]);
    const changed = [{ from: 'deny', to: 'allow', count: 1 }];
    expect(by_kind).toEqual([
      { kind: 'bulk', counts: { ...NONE, allow: 1 }, decided: 1, changed },
      { kind: 'decide', counts: { ...NONE, allow: 3 }, decided: 2, changed },
      { kind: 'verify', counts: { ...NONE, allow: 1 }, decided: 0, changed: [] },
    ]);
  });

  it('is only what this policy decided', () => {
    const theirs = decided({ decision: 'review', policy: { slug: 'newsletter', version: 1 } });
    const result = run(policyOf([]), [theirs, verified(), decided({ decision: 'review' })]);
    expect(result).toMatchObject({
      traces: 3,
      counts: { allow: 3 },
      changed: [
        {
          from: 'review',
          to: 'allow',
          count: 1,
        },
      ],
    });
    expect(result.sample_trace_ids).not.toContain(theirs.id);
  });

  it.each([
    ['an address that was erased', null, 'disposable_domain', 50, { undetermined: 1 }],
    ['the same, where everybody is treated', null, null, 100, { counts: { ...NONE, deny: 1 } }],
    ['one that could not be read', null, 'syntax_invalid', 50, { counts: { ...NONE, allow: 1 } }],
  ] as const)('is nothing by the arm of %s', (_, addressHash, reason, weight, expected) => {
    const draft = policyOf([
      rule('r', is('verification.verdict', 'exists', true), { experiment: { id: 'e', weight, min_sample: 1 } }),
    ]);
    expect(run(draft, [decided({ decision: 'deny' }, { addressHash, reason })])).toMatchObject(expected);
  });
});

describe('addresses that no vendor is ever asked about', () => {
  it.each([
    ['free', 'company.country', 0],
    ['relay', 'company.country', 0],
    ['disposable', 'person.seniority', 0],
    ['role', 'person.seniority', 0],
    ['free', 'person.seniority', 1],
    ['role', 'company.country', 1],
    ['business', 'company.country', 1],
  ] as const)('of a %s address, %s, is missing: %i undetermined', (emailType, path, undetermined) => {
    const draft = policyOf([rule('r', is(path, 'exists', true))]);
    expect(run(draft, [verified({ emailType })])).toMatchObject({ undetermined });
  });

  it('leave the company missing where no vendor knew it, its name too', () => {
    const draft = policyOf([rule('r', is('company.name', 'contains', 'acme'))]);
    expect(run(draft, [decided({ company: null })])).toMatchObject({ undetermined: 0, counts: { allow: 1 } });
    for (const kind of ['decide', 'bulk'] as const)
      expect(run(draft, [decided({ company: KEPT_COMPANY }, { kind })])).toMatchObject({ undetermined: 1 });
  });
});
