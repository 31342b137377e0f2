import type { PolicyDocument, PolicyRule } from '../../api/schema.ts';
import { isWithin } from './disturbed.ts';

/** A rule that decides nothing, because another one comes first for all that it could decide. */
export interface Shadowed {
  readonly rule: PolicyRule;
  readonly by: PolicyRule;
}

/** Of an experiment some addresses go on to the rules behind it, and `disturbances` tells what takes addresses from one. */
const decidesAll = ({ experiment }: PolicyRule): boolean => !experiment;

function allShadowed({ rules }: PolicyDocument): readonly Shadowed[] {
  return rules.flatMap((rule, at) => {
    const by = rules.slice(0, at).find((earlier) => decidesAll(earlier) && isWithin(rule.when, earlier.when));
    return by === undefined || !decidesAll(rule) ? [] : [{ rule, by }];
  });
}

/** The rules that a draft shadows and the version in force does not. */
export function newlyShadowed(saved: PolicyDocument, draft: PolicyDocument): readonly Shadowed[] {
  const before = new Set(allShadowed(saved).map(({ rule }) => rule.id));
  return allShadowed(draft).filter(({ rule }) => !before.has(rule.id));
}
