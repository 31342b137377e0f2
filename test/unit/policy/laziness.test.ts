import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Condition } from '../../../src/contract/policy.ts';
import { evaluate } from '../../../src/domain/policy/evaluate.ts';
import { type AskedFacts, factsOf } from '../../../src/domain/policy/compile.ts';
import { COMPANY, given, is, LABELS, PERSON, policyOf, rule } from './facts.ts';

/** One comparison per path, so that each is true or false independently. */
const COMPARISONS: readonly Condition[] = [
  is('verification.email_type', 'eq', 'business'),
  is('attributes.plan', 'eq', 'pro'),
  is('screening.placeholder', 'eq', true),
  is('screening.name_match', 'ne', 'match'),
  is('company.country', 'eq', 'DE'),
  is('company.employees_range', 'not_in', ['51-200']),
  is('person.seniority', 'exists', true),
];

/** A condition over some of the comparisons, each once. */
const readOnce: fc.Arbitrary<Condition> = fc
  .tuple(
    fc.shuffledSubarray([...COMPARISONS], { minLength: 1 }),
    fc.infiniteStream(fc.constantFrom('all', 'any', 'not all', 'not any')),
    fc.infiniteStream(fc.integer({ min: 1, max: 3 })),
  )
  .map(([comparisons, kinds, sizes]) => {
    let nodes = comparisons;
    do {
      const size = sizes.next().value ?? 1;
      const [first, rest] = [nodes.slice(0, size), nodes.slice(size)];
      const kind = kinds.next().value ?? 'all';
      const joined: Condition = kind.endsWith('all') ? { all: first } : { any: first };
      nodes = [...rest, kind.startsWith('not') ? { not: joined } : joined];
    } while (nodes.length > 1);
    return nodes[0] ?? { all: [] };
  });

const WORLDS = {
  screening: [LABELS, { ...LABELS, placeholder: true }, { ...LABELS, name_match: 'typo' as const }].flatMap(
    (labels) => [labels, { ...labels, placeholder: !labels.placeholder }],
  ),
  company: [null, COMPANY, { ...COMPANY, country: 'US' }, { ...COMPANY, employees_range: '1-10' as const }].flatMap(
    (company) => [company, company && { ...company, country: company.country === 'US' ? 'DE' : 'US' }],
  ),
  person: [null, PERSON],
} satisfies { [K in keyof AskedFacts]: readonly AskedFacts[K][] };
const SOURCES = ['screening', 'company', 'person'] as const;
type Source = (typeof SOURCES)[number];

/** Every combination of known values, except those of one source. */
const worldsWithout = (source: Source): AskedFacts[] =>
  SOURCES.filter((other) => other !== source).reduce<AskedFacts[]>(
    (worlds, other) => worlds.flatMap((world) => WORLDS[other].map((value) => ({ ...world, [other]: value }))),
    [{}],
  );
const ELSEWHERE = {
  screening: worldsWithout('screening'),
  company: worldsWithout('company'),
  person: worldsWithout('person'),
};

it('a source is not asked when no value of it would change what the rule at hand says', () => {
  fc.assert(
    fc.property(readOnce, fc.boolean(), fc.boolean(), fc.subarray([...SOURCES]), (when, business, pro, known) => {
      const policy = policyOf([rule('r', when)]);
      const request = given({ email_type: business ? 'business' : 'free' }, pro ? { plan: 'pro' } : {});
      const before = Object.fromEntries(known.map((source) => [source, WORLDS[source][0]]));
      const decide = (asked: AskedFacts) => evaluate(policy, factsOf(request, asked), () => 'treatment');
      const evaluation = decide(before);
      if (evaluation.kind === 'decided') return;
      for (const source of evaluation.needs as ReadonlySet<Source>) {
        const turns = ELSEWHERE[source].some((elsewhere) => {
          const steps = WORLDS[source].map((value) => decide({ ...elsewhere, ...before, [source]: value }));
          return new Set(steps.map((step) => step.kind === 'decided' && step.ruleId)).size > 1;
        });
        expect(turns, `${source} for ${JSON.stringify(when)}`).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
