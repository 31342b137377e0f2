import type { PolicyDocument, PolicyRule } from '../../src/contract/policy.ts';
import { storedTextFault } from '../../src/contract/stored-text.ts';
import type { Verification } from '../../src/contract/verification.ts';
import { compilePolicy } from '../../src/domain/policy/compile.ts';
import { parsePolicy } from '../../src/domain/policy/document.ts';
import { evaluate } from '../../src/domain/policy/evaluate.ts';
import { factsOf } from '../../src/domain/policy/facts.ts';
import { microsecondsEach, spread, takeTurns } from './rounds.ts';
import type { BenchRow } from './row.ts';
import { VERIFY_ANSWER } from './worker/answers.ts';

const RULES = 100;
const EACH = 2_000;

const VERIFICATION: Verification = { ...VERIFY_ANSWER, esp: 'hosted_suite_a', reasons: ['disposable_suspected'] };

/** Five comparisons; the first four hold, so that every one is looked at, and the rule then fails. */
const slowRule = (i: number): PolicyRule => ({
  id: `r${i}`,
  when: {
    all: [
      { path: 'verification.bounce_probability', op: 'lt', value: 0.5 + i / 1_000 },
      { path: 'verification.esp', op: 'in', value: ['hosted_suite_a', 'hosted_suite_b'] },
      { path: 'attributes.plan', op: 'ne', value: `plan ${i}` },
      { path: 'verification.reasons', op: 'contains', value: 'disposable_suspected' },
      { path: 'company.country', op: 'eq', value: i % 2 === 0 ? 'US' : 'FR' },
    ],
  },
  decision: 'deny',
});

/** A policy of 100 rules of five comparisons, each of them looked at, over facts that every decision builds again. */
export async function run(): Promise<BenchRow[]> {
  const document: PolicyDocument = {
    name: 'Bench',
    rules: Array.from({ length: RULES }, (_, i) => slowRule(i)),
    default: 'allow',
  };
  const parsed = parsePolicy(document, storedTextFault);
  if (!parsed.ok) throw new Error('the policy is not valid');
  const policy = compilePolicy(parsed.value);
  const given = { verification: VERIFICATION, attributes: { plan: 'Pro', seats: 12 }, context: {} };
  const company = { name: 'Acme', domain: null, industry: 'Software', employees_range: null, country: 'DE' };
  const facts = factsOf(given, { company });
  const assign = () => 'treatment' as const;
  const evaluated = evaluate(policy, facts, assign);
  if (evaluated.kind !== 'decided' || evaluated.ruleId !== 'default') throw new Error('a rule decided');

  const inputs = Array.from({ length: EACH }, (_, i) => i);
  const times = await takeTurns({
    evaluate: microsecondsEach(inputs, () => evaluate(policy, facts, assign)),
    facts: microsecondsEach(inputs, () => factsOf(given, { company })),
    read: microsecondsEach(inputs.slice(0, EACH / 10), () => parsePolicy(document, storedTextFault)),
    compile: microsecondsEach(inputs.slice(0, EACH / 10), () => compilePolicy(parsed.value)),
  });
  const row = (name: string, each: readonly number[]): BenchRow => {
    const { median: value, range } = spread(each);
    return { name, value, range, unit: 'µs' };
  };
  return [
    { ...row(`evaluate ${RULES} rules of 5 comparisons`, times.evaluate), target: { atMost: 100 } },
    row('facts of a request', times.facts),
    { ...row('read and check the document', times.read), note: 'on save' },
    { ...row('compile it', times.compile), note: 'once a version and isolate' },
  ];
}
