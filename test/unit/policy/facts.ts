import fc from 'fast-check';
import type { Company, Person } from '../../../src/contract/decision.ts';
import type { Comparison, Condition, IcpProfile, PolicyRule } from '../../../src/contract/policy.ts';
import type { ScreeningLabels } from '../../../src/contract/screening.ts';
import type { Verification } from '../../../src/contract/verification.ts';
import { type CompiledPolicy, type GivenFacts, compilePolicy } from '../../../src/domain/policy/compile.ts';

const VERIFICATION: Verification = {
  email: 'ada@acme.example',
  verdict: 'likely_valid',
  bounce_probability: 0.06,
  confidence_interval: [0.01, 0.2],
  calibration: 'prior',
  recommendation: 'send',
  actor_class: 'human_mailbox',
  mailbox_type: 'corporate',
  esp: 'hosted_suite_a',
  email_type: 'business',
  signals: { syntax: true, mx: true, disposable: false, role_account: false, catch_all: false, relay_alias: false },
  providers: { kickbox: { verdict: 'deliverable', ms: 80, cost: 0.005, reason: null } },
  disagreement: 0,
  cache: { hit: false, ttl_s: 0 },
  cost_usd: 0.005,
  latency_ms: 90,
  trace_id: 'vr_1',
  reason: null,
  reasons: [],
  identity_hash: 'a'.repeat(64),
};

export const COMPANY: Company = {
  name: 'Acme',
  domain: 'acme.example',
  industry: 'Computer Software',
  employees_range: '51-200',
  country: 'DE',
};

export const PERSON: Person = { seniority: 'director' };

export const LABELS: ScreeningLabels = {
  typo_suggestion: null,
  typo_source: null,
  name_match: 'match',
  fake_name: 'unlikely',
  domain_check: 'ok',
  placeholder: false,
  recommendation: 'allow',
  reasons: [],
  degraded: false,
};

export const given = (change: Partial<Verification> = {}, attributes: GivenFacts['attributes'] = {}): GivenFacts => ({
  verification: { ...VERIFICATION, ...change },
  attributes,
  context: { purpose: 'signup' },
});

export const is = (path: string, op: Comparison['op'], value: Comparison['value']): Comparison => ({ path, op, value });

export const rule = (id: string, when: Condition, change: Partial<PolicyRule> = {}): PolicyRule => ({
  id,
  when,
  decision: 'deny',
  ...change,
});

export const policyOf = (rules: readonly PolicyRule[], icp: IcpProfile | null = null): CompiledPolicy =>
  compilePolicy({ name: 'A policy', rules: [...rules], default: 'allow', icp });

export const PROFILE: IcpProfile = {
  industries: ['computer software'],
  employees_ranges: ['51-200', '201-500'],
  countries: ['DE', 'AT'],
  seniorities: ['director', 'executive'],
};

/** Comparisons that are sometimes true, over every source. */
const COMPARISONS: readonly Comparison[] = [
  is('verification.email_type', 'eq', 'business'),
  is('verification.bounce_probability', 'gt', 0.5),
  is('verification.reasons', 'contains', 'no_mx'),
  is('attributes.plan', 'in', ['pro', 'team']),
  is('attributes.seats', 'gte', 10),
  is('context.max_cost_usd', 'exists', false),
  is('screening.placeholder', 'eq', false),
  is('screening.typo_suggestion', 'exists', true),
  is('screening.name_match', 'ne', 'match'),
  is('company.country', 'eq', 'de'),
  is('company.industry', 'contains', 'software'),
  is('company.employees_range', 'not_in', ['1-10']),
  is('person.seniority', 'in', ['director', 'executive']),
  is('person.seniority', 'exists', true),
  is('icp.fit', 'eq', 'strong'),
  is('icp.fit', 'ne', 'none'),
];

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Condition>(...COMPARISONS),
    fc.array(tie('condition'), { minLength: 1, maxLength: 4 }).map((all) => ({ all })),
    fc.array(tie('condition'), { minLength: 1, maxLength: 4 }).map((any) => ({ any })),
    tie('condition').map((not) => ({ not })),
  ),
}));

const profile = fc.option(
  fc.record({
    industries: fc.constantFrom<string[][]>([], ['Computer Software'], ['banking']),
    employees_ranges: fc.constantFrom<IcpProfile['employees_ranges'][]>([], ['51-200']),
    countries: fc.constantFrom<string[][]>([], ['DE'], ['US']),
    seniorities: fc.constantFrom<IcpProfile['seniorities'][]>([], ['director'], ['junior']),
  }),
);

/** Any policy: a few rules over every source, some with experiments. */
export const anyPolicy = fc
  .tuple(
    fc.array(
      fc.tuple(condition, fc.constantFrom('deny', 'review', 'allow'), fc.option(fc.integer({ min: 1, max: 100 }))),
      {
        maxLength: 6,
      },
    ),
    profile,
  )
  .map(([rules, icp]) =>
    policyOf(
      rules.map(([when, decision, weight], i) =>
        rule(`r${i}`, when, {
          decision: decision as PolicyRule['decision'],
          ...(weight === null ? {} : { experiment: { id: `e${i}`, weight, min_sample: 10 } }),
        }),
      ),
      icp,
    ),
  );

/** Any request, with the values that its sources would return. */
export const anyGiven = fc
  .record({
    email_type: fc.constantFrom<Verification['email_type'][]>('business', 'free'),
    bounce_probability: fc.constantFrom(0.1, 0.9),
    reasons: fc.constantFrom<Verification['reasons'][]>([], ['no_mx']),
    attributes: fc.constantFrom<GivenFacts['attributes'][]>({}, { plan: 'Pro', seats: 3 }, { plan: 'free', seats: 40 }),
  })
  .map(({ attributes, ...verification }) => given(verification, attributes));

export const anyWorld = fc.record({
  screening: fc.constantFrom<(ScreeningLabels | null)[]>(null, LABELS, {
    ...LABELS,
    name_match: 'typo',
    placeholder: true,
  }),
  company: fc.constantFrom<(Company | null)[]>(null, COMPANY, { ...COMPANY, country: 'US', industry: null }),
  person: fc.constantFrom<(Person | null)[]>(null, PERSON, { seniority: 'junior' }),
});
