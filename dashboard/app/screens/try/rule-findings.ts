import type { Explanation, Policy } from '../../api/schema.ts';
import type { RuleFinding } from '../policy/rule-finding.ts';

/** Findings of the rules up to the deciding one, from the answer. */
export function findingsOfAnswer({ rules }: Policy, explanation: Explanation, decided: string): readonly RuleFinding[] {
  const lines = new Map(explanation.map((line) => [line.rule_id, line]));
  return rules.map(({ id }): RuleFinding => {
    const line = lines.get(id);
    if (line === undefined) return { verdict: 'unreached', found: [] };
    const found = new Map(
      line.conditions.flatMap(({ path, actual, matched }) => (matched === null ? [] : [[path, actual] as const])),
    );
    const verdict = !line.matched ? 'passed' : id === decided ? 'decided' : 'control';
    return { verdict, found: Array.from(found, ([path, value]) => ({ path, value })) };
  });
}
