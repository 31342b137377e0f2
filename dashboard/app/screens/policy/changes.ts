import type { PolicyCondition, PolicyDocument, PolicyRule } from '../../api/schema.ts';
import { label } from '../../lib/vocabulary.ts';
import { pathText } from './path-names.ts';
import { isComparison } from './switches.ts';
import { conditionText } from './words.ts';

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const decisionText = ({ decision, flow }: PolicyRule): string =>
  flow === undefined ? label(decision) : `${label(decision)} (${flow})`;

/** The most rules whose order among each other stays: all others moved. */
function inOrder(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const best: string[][] = [];
  for (const [at, id] of after.entries()) {
    const place = before.indexOf(id);
    const longest = best
      .slice(0, at)
      .filter((run) => before.indexOf(run.at(-1) ?? '') < place)
      .toSorted((one, other) => other.length - one.length)[0];
    best.push([...(longest ?? []), id]);
  }
  return new Set(best.toSorted((one, other) => other.length - one.length)[0]);
}

/** A limit that moved, by its two values; null: the conditions differ in more. */
function limitText(before: PolicyCondition, after: PolicyCondition): string | null {
  if (!isComparison(before) || !isComparison(after)) return null;
  const { path, op, value: from } = before;
  const { path: newPath, op: newOp, value: to } = after;
  if (path !== newPath || op !== newOp || typeof from !== 'number' || typeof to !== 'number') return null;
  return `the limit on ${pathText(path)} goes from ${from} to ${to}`;
}

function conditionChange(before: PolicyCondition, after: PolicyCondition): string {
  return (
    limitText(before, after) ?? `the condition changes from “${conditionText(before)}” to “${conditionText(after)}”`
  );
}

const experimentText = ({ experiment }: PolicyRule): string =>
  experiment === undefined ? 'no experiment' : `experiment ${experiment.id} with ${experiment.weight} %`;

/** What became of one rule, a sentence each. */
function ruleChanges(before: PolicyRule, after: PolicyRule): string[] {
  const found: string[] = [];
  if (!isSame(before.when, after.when)) found.push(conditionChange(before.when, after.when));
  const [from, to] = [decisionText(before), decisionText(after)];
  if (from !== to) found.push(`the decision changes from ${from} to ${to}`);
  if (!isSame(before.experiment, after.experiment)) {
    const [had, has] = [experimentText(before), experimentText(after)];
    found.push(had === has ? `the experiment ${after.experiment?.id} changes its terms` : `${had} becomes ${has}`);
  }
  if (before.description !== after.description)
    found.push(
      after.description === undefined ? 'the reason is taken off' : `the reason is now “${after.description}”`,
    );
  return found.map((text) => `Rule ${after.id}: ${text}.`);
}

/** What changed from one version of a policy to another, in sentences. Empty: nothing did. */
export function changesOf(before: PolicyDocument, after: PolicyDocument): readonly string[] {
  const old = new Map(before.rules.map((rule, at) => [rule.id, { rule, at }]));
  const now = new Map(after.rules.map((rule, at) => [rule.id, { rule, at }]));
  const kept = inOrder(
    before.rules.map(({ id }) => id).filter((id) => now.has(id)),
    after.rules.map(({ id }) => id).filter((id) => old.has(id)),
  );
  const sentences: string[] = [];
  if (before.name !== after.name) sentences.push(`The name changes from “${before.name}” to “${after.name}”.`);
  for (const { id, when } of before.rules)
    if (!now.has(id)) sentences.push(`Rule ${id} is removed. It stood for: ${conditionText(when)}.`);
  for (const [at, rule] of after.rules.entries()) {
    const was = old.get(rule.id);
    if (was === undefined) {
      const place = `place ${at + 1} of ${after.rules.length}`;
      sentences.push(`Rule ${rule.id} is added in ${place}: when ${conditionText(rule.when)}, ${decisionText(rule)}.`);
      continue;
    }
    if (!kept.has(rule.id)) sentences.push(`Rule ${rule.id} moves from place ${was.at + 1} to place ${at + 1}.`);
    sentences.push(...ruleChanges(was.rule, rule));
  }
  if (before.default !== after.default)
    sentences.push(
      `The decision when no rule matches changes from ${label(before.default)} to ${label(after.default)}.`,
    );
  if (!isSame(before.icp, after.icp)) sentences.push('The ideal customer profile changes.');
  return sentences;
}
