import type { PolicyCondition, PolicyDocument, PolicyRule } from '../../api/schema.ts';
import { isComparison, partsOf } from './switches.ts';

/** A rule that the draft has in front of an experiment of the version in force, or makes see more there. */
export interface Overtaken {
  readonly experimentId: string;
  readonly by: PolicyRule;
}

/** The words that a condition allows for each path, of those parts that all have to hold. */
function allowed(when: PolicyCondition): ReadonlyMap<string, ReadonlySet<unknown>> {
  const words = new Map<string, ReadonlySet<unknown>>();
  for (const part of partsOf(when)) {
    if (!isComparison(part)) continue;
    const { path, op, value } = part;
    // Of several parts about one path any one will do: each has to hold.
    if (op === 'eq') words.set(path, new Set([value]));
    if (op === 'in' && Array.isArray(value)) words.set(path, new Set(value));
  }
  return words;
}

/** Whether one address can match both, as far as their words tell. */
function canMeet(one: PolicyCondition, other: PolicyCondition): boolean {
  const others = allowed(other);
  return [...allowed(one)].every(([path, words]) => {
    const also = others.get(path);
    return also === undefined || [...words].some((word) => also.has(word));
  });
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Which rules take addresses from the running experiments of `saved` that they did not take before. */
export function overtaken(saved: PolicyDocument, draft: PolicyDocument): readonly Overtaken[] {
  return saved.rules.flatMap(({ experiment }, place) => {
    if (experiment === undefined) return [];
    const at = draft.rules.findIndex((rule) => rule.experiment?.id === experiment.id);
    const own = draft.rules[at];
    if (own === undefined) return [];
    const earlier = new Map(saved.rules.slice(0, place).map((rule) => [rule.id, rule]));
    return draft.rules
      .slice(0, at)
      .filter((rule) => {
        const before = earlier.get(rule.id);
        const isOld =
          before !== undefined && isSame(before.when, rule.when) && isSame(before.experiment, rule.experiment);
        return !isOld && canMeet(rule.when, own.when);
      })
      .map((by) => ({ experimentId: experiment.id, by }));
  });
}
