import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Condition } from '../../../src/contract/policy.ts';
import { type Asks, armOf, evaluate, explain, resolveDecision } from '../../../src/domain/policy/evaluate.ts';
import { type AskedFacts, factsOf, icpFit } from '../../../src/domain/policy/compile.ts';
import { anyGiven, anyPolicy, anyWorld, COMPANY, given, is, LABELS, PERSON, PROFILE, policyOf, rule } from './facts.ts';

const treated = () => 'treatment' as const;
const GIVEN = given(
  { reason: 'disposable_suspected', reasons: ['no_mx', 'disposable_suspected'] },
  { plan: 'Pro', seats: 5, beta: true, floor: '7' },
);

/** Whether one comparison holds, with everything known. */
function holds(
  when: Condition,
  asked: AskedFacts = { screening: LABELS, company: COMPANY, person: null, icp: 'partial' },
) {
  const evaluation = evaluate(policyOf([rule('r', when)]), factsOf(GIVEN, asked), treated);
  return evaluation.kind === 'decided' && evaluation.ruleId === 'r';
}

describe('operators', () => {
  it.each([
    ['verification.bounce_probability', 'eq', 0.06, true],
    ['verification.bounce_probability', 'gt', 0.06, false],
    ['verification.bounce_probability', 'gte', 0.06, true],
    ['verification.bounce_probability', 'lt', 0.06, false],
    ['verification.bounce_probability', 'lte', 0.06, true],
    ['verification.bounce_probability', 'gte', 0.07, false],
    ['verification.bounce_probability', 'lte', 0.05, false],
    ['verification.bounce_probability', 'in', [0.5, 0.06], true],
    ['verification.esp', 'in', ['hosted_suite_a', 'hosted_suite_b'], true],
    ['verification.esp', 'not_in', ['hosted_suite_a'], false],
    ['verification.esp', 'ne', 'self_hosted', true],
    ['verification.signals.mx', 'eq', true, true],
    ['verification.signals.catch_all', 'ne', false, false],
    ['verification.reasons', 'contains', 'disposable_suspected', true],
    ['verification.reasons', 'contains', 'mx_unresolved', false],
    ['screening.reasons', 'contains', 'no_mx', false],
    ['verification.reason', 'exists', true, true],
    ['verification.email', 'ends_with', '@acme.example', true],
    ['verification.email', 'starts_with', 'ada', true],
    ['verification.email', 'contains', '@other', false],
    ['context.purpose', 'eq', 'signup', true],
    // Text without regard to case, on either side.
    ['company.industry', 'eq', 'computer SOFTWARE', true],
    ['company.industry', 'in', ['Banking', 'COMPUTER software'], true],
    ['company.industry', 'contains', 'SOFT', true],
    ['company.country', 'eq', 'de', true],
    ['attributes.plan', 'eq', 'pro', true],
    ['attributes.plan', 'ne', 'PRO', false],
    // Nothing is converted.
    ['attributes.seats', 'eq', '5', false],
    ['attributes.seats', 'contains', '5', false],
    ['attributes.plan', 'gt', 1, false],
    ['attributes.floor', 'gt', 1, false],
    ['attributes.seats', 'gt', '4', false],
    ['attributes.beta', 'gte', 1, false],
    ['attributes.beta', 'eq', 'true', false],
    ['attributes.seats', 'gte', 5, true],
  ] as const)('%s %s %j: %s', (path, op, value, expected) => {
    expect(holds(is(path, op, value as never))).toBe(expected);
  });

  it.each([
    ['eq', 'executive', false],
    ['in', ['executive'], false],
    ['contains', 'exec', false],
    ['starts_with', 'exec', false],
    ['ends_with', 'exec', false],
    ['gt', 0, false],
    ['gte', 0, false],
    ['lt', 9, false],
    ['lte', 9, false],
    ['exists', true, false],
    ['ne', 'executive', true],
    ['not_in', ['executive'], true],
    ['exists', false, true],
  ] as const)('on a missing value %s %j is %s', (op, value, expected) => {
    expect(holds(is('person.seniority', op, value as never))).toBe(expected);
    expect(holds(is('attributes.absent', op, value as never))).toBe(expected);
  });

  it('a list that is empty is there, and a null is missing', () => {
    expect(holds(is('screening.reasons', 'exists', true))).toBe(true);
    expect(holds(is('screening.typo_suggestion', 'exists', false))).toBe(true);
    expect(holds(is('verification.degraded', 'exists', false))).toBe(true);
  });
});

const YES = is('verification.email_type', 'eq', 'business');
const NO = is('verification.email_type', 'eq', 'free');
const SCREENED = is('screening.placeholder', 'eq', false);
const GERMAN = is('company.country', 'eq', 'DE');
const LEADS = is('person.seniority', 'eq', 'executive');
const FITS = is('icp.fit', 'eq', 'strong');

describe('what is not known is asked for', () => {
  it.each<readonly [string, Condition, readonly string[]]>([
    ['where a comparison reads it', GERMAN, ['company']],
    ['even to know that it is missing', is('company.country', 'exists', false), ['company']],
    ['where the rest of an all holds', { all: [YES, GERMAN] }, ['company']],
    ['not where the rest of an all fails before', { all: [NO, GERMAN] }, []],
    ['not where the rest of an all fails behind', { all: [GERMAN, NO] }, []],
    ['where the rest of an any fails', { any: [NO, GERMAN] }, ['company']],
    ['not where the rest of an any holds', { any: [GERMAN, YES] }, []],
    ['not where a settled part hides it', { not: { all: [{ any: [LEADS, YES] }, NO] } }, []],
    ['under a not', { not: GERMAN }, ['company']],
    ['all that is open at once', { all: [SCREENED, { any: [GERMAN, LEADS] }] }, ['screening', 'company', 'person']],
    ['only in the part that is open', { any: [{ all: [NO, LEADS] }, SCREENED] }, ['screening']],
    ['as what icp is made of', FITS, ['company', 'person']],
  ])('%s', (_, when, needs) => {
    const evaluation = evaluate(policyOf([rule('r', when)], PROFILE), factsOf(GIVEN), treated);
    expect(evaluation.kind === 'undecided' ? [...evaluation.needs].toSorted() : []).toEqual([...needs].toSorted());
  });

  it('never beyond the rule that decides', () => {
    expect(
      evaluate(policyOf([rule('a', NO), rule('b', YES), rule('c', GERMAN)]), factsOf(GIVEN), treated),
    ).toMatchObject({
      kind: 'decided',
      ruleId: 'b',
    });
  });

  it('with what later rules may need, up to one that is sure to decide', () => {
    const rules = [
      rule('a', GERMAN),
      rule('b', { all: [NO, SCREENED] }),
      rule('c', LEADS),
      rule('d', YES),
      rule('e', SCREENED),
    ];
    expect(evaluate(policyOf(rules), factsOf(GIVEN), treated)).toMatchObject({
      ruleIndex: 0,
      needs: new Set(['company']),
      mayNeed: new Set(['company', 'person']),
    });
  });

  it('with what the rules after an experiment may need, which is not sure to decide', () => {
    const experiment = { id: 'e1', weight: 50, min_sample: 10 };
    const rules = [rule('a', GERMAN), rule('b', YES, { experiment }), rule('c', LEADS)];
    expect(evaluate(policyOf(rules), factsOf(GIVEN), treated)).toMatchObject({
      mayNeed: new Set(['company', 'person']),
    });
  });

  it('but nothing that a skipped earlier rule read', () => {
    const experiment = (id: string) => ({ experiment: { id, weight: 50, min_sample: 10 } });
    const rules = [rule('a', YES, experiment('e1')), rule('b', GERMAN, experiment('e2')), rule('c', LEADS)];
    expect(evaluate(policyOf(rules), factsOf(GIVEN), () => 'control')).toMatchObject({
      ruleIndex: 2,
      needs: new Set(['person']),
      mayNeed: new Set(['person']),
    });
  });

  it('not a value of a known source that was not stored', () => {
    const facts = { values: new Map(), known: new Set(['company'] as const), unstored: new Set(['company.name']) };
    const policy = policyOf([rule('r', is('company.name', 'exists', true))]);
    expect(evaluate(policy, facts, treated)).toMatchObject({ kind: 'undecided', needs: new Set(), mayNeed: new Set() });
  });

  it('and of a profile only the fields it asks for', () => {
    const countries = { ...PROFILE, industries: [], employees_ranges: [], seniorities: [] };
    expect(evaluate(policyOf([rule('r', FITS)], countries), factsOf(GIVEN), treated)).toMatchObject({
      needs: new Set(['company']),
    });
  });
});

/** A source of every value that counts the questions. */
function asking({ screening, company, person }: Required<Omit<AskedFacts, 'icp'>>) {
  return {
    screening: vi.fn<Asks['screening']>(async () => screening),
    enrichment: vi.fn<Asks['enrichment']>(async (needs) => ({
      ...(needs.has('company') ? { company } : {}),
      ...(needs.has('person') ? { person } : {}),
    })),
  };
}

const WORLD = { screening: LABELS, company: COMPANY, person: PERSON };

describe('a decision', () => {
  it('is that of the first rule that matches, with its words', async () => {
    const rules = [
      rule('a', NO),
      rule('b', YES, { description: 'Why', decision: 'allow_with_flow', flow: 'fast' }),
      rule('c', YES),
    ];
    expect((await resolveDecision(policyOf(rules), GIVEN, treated, asking(WORLD))).ruleDecision).toEqual({
      kind: 'decided',
      decision: 'allow_with_flow',
      ruleId: 'b',
      reason: 'Why',
      flow: 'fast',
      experiment: null,
    });
  });

  it('is the default when none matches', async () => {
    const { ruleDecision } = await resolveDecision(policyOf([rule('a', NO)]), GIVEN, treated, asking(WORLD));
    expect(ruleDecision).toMatchObject({ decision: 'allow', ruleId: 'default', reason: null, flow: null });
  });

  it('asks screening before what costs more, and the latter only if it still matters', async () => {
    const asks = asking({ ...WORLD, screening: { ...LABELS, placeholder: true } });
    await resolveDecision(policyOf([rule('a', { all: [GERMAN, SCREENED] })]), GIVEN, treated, asks);
    expect(asks.screening).toHaveBeenCalledTimes(1);
    expect(asks.enrichment).not.toHaveBeenCalled();
  });

  it('asks for nothing that no rule reads', async () => {
    const asks = asking(WORLD);
    const { icp } = await resolveDecision(policyOf([rule('a', NO)], PROFILE), GIVEN, treated, asks);
    expect(asks.screening).not.toHaveBeenCalled();
    expect(asks.enrichment).not.toHaveBeenCalled();
    expect(icp).toBe('unknown');
  });

  it('knows the fit without a profile without asking', async () => {
    const asks = asking(WORLD);
    const { ruleDecision } = await resolveDecision(
      policyOf([rule('a', is('icp.fit', 'eq', 'unknown'))]),
      GIVEN,
      treated,
      asks,
    );
    expect(ruleDecision.ruleId).toBe('a');
    expect(asks.enrichment).not.toHaveBeenCalled();
  });

  it('takes what comes back empty for missing, and asks no second time', async () => {
    const asks = { ...asking(WORLD), enrichment: vi.fn<Asks['enrichment']>(async () => ({})) };
    const rules = [rule('a', GERMAN), rule('b', LEADS), rule('c', is('company.country', 'exists', false))];
    expect((await resolveDecision(policyOf(rules), GIVEN, treated, asks)).ruleDecision.ruleId).toBe('c');
    expect(asks.enrichment).toHaveBeenCalledTimes(2);
  });

  it('uses what came back beyond what was needed', async () => {
    const asks = {
      ...asking(WORLD),
      enrichment: vi.fn<Asks['enrichment']>(async () => ({ company: null, person: PERSON })),
    };
    const rules = [rule('a', GERMAN), rule('b', is('person.seniority', 'eq', 'director'))];
    expect((await resolveDecision(policyOf(rules), GIVEN, treated, asks)).ruleDecision.ruleId).toBe('b');
    expect(asks.enrichment).toHaveBeenCalledTimes(1);
  });
});

describe('an experiment', () => {
  const tried = (id: string, experiment: string, when: Condition = YES) =>
    rule(id, when, { experiment: { id: experiment, weight: 50, min_sample: 10 } });

  it.each([
    [{ e1: 'treatment', e2: 'treatment' }, 'a', { id: 'e1', arm: 'treatment' }],
    [{ e1: 'control', e2: 'treatment' }, 'b', { id: 'e1', arm: 'control' }],
    [{ e1: 'control', e2: 'control' }, 'default', { id: 'e1', arm: 'control' }],
  ] as const)('with %j leads to %s and records the first met', (arms, ruleId, experiment) => {
    const policy = policyOf([tried('a', 'e1'), tried('b', 'e2')]);
    const ruleDecision = evaluate(policy, factsOf(GIVEN), ({ id }) => arms[id as 'e1' | 'e2']);
    expect(ruleDecision).toMatchObject({ ruleId, experiment });
  });

  it('is not met by who does not match', () => {
    const ruleDecision = evaluate(policyOf([tried('a', 'e1', NO)]), factsOf(GIVEN), treated);
    expect(ruleDecision).toMatchObject({ ruleId: 'default', experiment: null });
  });

  it('asks for nothing where it can change nothing more', () => {
    const policy = policyOf([tried('a', 'e1'), tried('b', 'e2', GERMAN)]);
    expect(evaluate(policy, factsOf(GIVEN), () => 'control')).toMatchObject({ ruleId: 'default' });
    expect(evaluate(policyOf([tried('b', 'e2', GERMAN)]), factsOf(GIVEN), () => 'control')).toMatchObject({
      kind: 'undecided',
    });
  });
});

describe('an explanation', () => {
  it('shows each rule up to the one that decided, each comparison, and the value seen', () => {
    const facts = factsOf(GIVEN);
    const policy = policyOf([
      rule('a', { all: [NO, GERMAN] }),
      rule('b', { any: [is('verification.reasons', 'contains', 'disposable_suspected'), { not: LEADS }] }),
      rule('c', YES),
    ]);
    expect(explain(policy, facts, { ruleId: 'b' })).toEqual([
      {
        rule_id: 'a',
        matched: false,
        conditions: [
          { ...NO, actual: 'business', matched: false },
          { ...GERMAN, actual: null, matched: null },
        ],
      },
      {
        rule_id: 'b',
        matched: true,
        conditions: [
          {
            ...is('verification.reasons', 'contains', 'disposable_suspected'),
            actual: ['no_mx', 'disposable_suspected'],
            matched: true,
          },
          { ...LEADS, actual: null, matched: null },
        ],
      },
    ]);
  });

  it('calls a rule unmatched that was passed over with a value not known', () => {
    const facts = factsOf(GIVEN);
    const [first] = explain(policyOf([rule('a', GERMAN), rule('b', YES)]), facts, { ruleId: 'b' });
    expect(first).toEqual({
      rule_id: 'a',
      matched: false,
      conditions: [{ ...GERMAN, actual: null, matched: null }],
    });
  });

  it('shows all rules when none decided', () => {
    const policy = policyOf([rule('a', NO), rule('b', NO)]);
    expect(explain(policy, factsOf(GIVEN), { ruleId: 'default' }).map(({ rule_id }) => rule_id)).toEqual(['a', 'b']);
  });
});

const anyHash = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });

describe('any policy over any request', () => {
  it('decides lazily what it decides with everything known, asking for each thing once at most', async () => {
    await fc.assert(
      fc.asyncProperty(anyPolicy, anyGiven, anyWorld, anyHash, async (policy, request, world, hash) => {
        const assign = (experiment: Parameters<typeof armOf>[0]) => armOf(experiment, hash);
        const everything = factsOf(request, { ...world, icp: icpFit(policy.icp, world.company, world.person) });
        const asks = asking(world);
        const { ruleDecision, facts } = await resolveDecision(policy, request, assign, asks);
        expect(ruleDecision).toEqual(evaluate(policy, everything, assign));
        expect(asks.screening.mock.calls.length).toBeLessThanOrEqual(1);
        const needed = asks.enrichment.mock.calls.flatMap(([needs]) => [...needs]);
        expect(needed).toHaveLength(new Set(needed).size);
        for (const [needs, mayNeed] of asks.enrichment.mock.calls)
          expect([...mayNeed]).toEqual(expect.arrayContaining([...needs]));

        const explanation = explain(policy, facts, ruleDecision);
        const last = explanation.at(-1);
        if (ruleDecision.ruleId !== 'default')
          expect(last).toMatchObject({ rule_id: ruleDecision.ruleId, matched: true });
        for (const { rule_id, matched } of explanation) {
          // A rule that matched and did not decide is an experiment's, in its control arm.
          if (matched && rule_id !== ruleDecision.ruleId)
            expect(policy.rules.find(({ rule: { id } }) => id === rule_id)?.experiment).not.toBeNull();
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('asks only for what its rules read', async () => {
    await fc.assert(
      fc.asyncProperty(anyPolicy, anyGiven, anyWorld, async (policy, request, world) => {
        const text = JSON.stringify(policy.rules.map(({ rule: { when } }) => when));
        const asks = asking(world);
        await resolveDecision(policy, request, treated, asks);
        if (!text.includes('"screening.')) expect(asks.screening).not.toHaveBeenCalled();
        const icp = text.includes('"icp.') ? [...policy.icpSources] : [];
        const read = new Set<string>(icp);
        for (const source of ['company', 'person']) if (text.includes(`"${source}.`)) read.add(source);
        for (const [, mayNeed] of asks.enrichment.mock.calls)
          expect([...read]).toEqual(expect.arrayContaining([...mayNeed]));
      }),
      { numRuns: 1_000 },
    );
  });
});
