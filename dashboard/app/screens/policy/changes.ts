import type { Experiment, Op, PolicyCondition, PolicyDocument, PolicyRule } from '../../api/schema.ts';
import { isSame } from '../../lib/same.ts';
import { label } from '../../lib/vocabulary.ts';
import { pathText } from './path-names.ts';
import { isComparison } from './switches.ts';
import { conditionText } from './words.ts';

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

const LIMITS: readonly Op[] = ['gt', 'gte', 'lt', 'lte'];

/** A limit that moved, by its two values; null: the conditions differ in more. */
function limitText(before: PolicyCondition, after: PolicyCondition): string | null {
  if (!isComparison(before) || !isComparison(after)) return null;
  const { path, op, value: from } = before;
  const { path: newPath, op: newOp, value: to } = after;
  if (path !== newPath || op !== newOp || !LIMITS.includes(op) || typeof from !== 'number' || typeof to !== 'number')
    return null;
  return `the limit on ${pathText(path)} goes from ${from} to ${to}`;
}

function conditionChange(before: PolicyCondition, after: PolicyCondition): string {
  return (
    limitText(before, after) ?? `the condition changes from “${conditionText(before)}” to “${conditionText(after)}”`
  );
}

/** What became of a rule's experiment, which is not the same before and after. */
function experimentChange(before: Experiment | undefined, after: Experiment | undefined): string {
  if (!before) return `an experiment begins: ${after?.id}, ${after?.weight} %`;
  if (!after) return `the experiment ${before.id} ends`;
  if (before.id === after.id && before.weight === after.weight) return `the experiment ${after.id} changes its terms`;
  return `the experiment ${before.id}, ${before.weight} %, becomes ${after.id}, ${after.weight} %`;
}

/** Where a rule moved to, by a rule that it passed and that did not move itself. */
function moveText(id: string, before: readonly string[], after: readonly string[], kept: ReadonlySet<string>): string {
  const at = after.indexOf(id);
  const isKept = (each: string): boolean => kept.has(each);
  const last = after.slice(0, at).findLast(isKept);
  if (last !== undefined && before.indexOf(last) > before.indexOf(id)) return `behind ${last}`;
  return `before ${after.slice(at).find(isKept)}`;
}

/** What became of one rule, a sentence each. */
function ruleChanges(before: PolicyRule, after: PolicyRule): string[] {
  const found: string[] = [];
  if (!isSame(before.when, after.when)) found.push(conditionChange(before.when, after.when));
  const [from, to] = [decisionText(before), decisionText(after)];
  if (from !== to) found.push(`the decision changes from ${from} to ${to}`);
  if (!isSame(before.experiment, after.experiment)) found.push(experimentChange(before.experiment, after.experiment));
  if (before.description !== after.description)
    found.push(
      after.description === undefined ? 'the reason is taken off' : `the reason is now “${after.description}”`,
    );
  return found.map((text) => `Rule ${after.id}: ${text}.`);
}

/** What changed from one version of a policy to another, in sentences. Empty: nothing did. */
export function changesOf(before: PolicyDocument, after: PolicyDocument): readonly string[] {
  const old = new Map(before.rules.map((rule) => [rule.id, rule]));
  const now = new Set(after.rules.map(({ id }) => id));
  const [order, newOrder] = [before.rules.map(({ id }) => id), after.rules.map(({ id }) => id)];
  const kept = inOrder(
    order.filter((id) => now.has(id)),
    newOrder.filter((id) => old.has(id)),
  );
  const sentences: string[] = [];
  if (before.name !== after.name) sentences.push(`The name changes from “${before.name}” to “${after.name}”.`);
  for (const { id, when } of before.rules)
    if (!now.has(id)) sentences.push(`Rule ${id} is removed. It stood for: ${conditionText(when)}.`);
  for (const [at, rule] of after.rules.entries()) {
    const was = old.get(rule.id);
    if (was === undefined) {
      const place = `place ${at + 1} of ${after.rules.length}`;
      sentences.push(`Rule ${rule.id} is added at ${place}: when ${conditionText(rule.when)}, ${decisionText(rule)}.`);
      continue;
    }
    if (!kept.has(rule.id)) sentences.push(`Rule ${rule.id} moves ${moveText(rule.id, order, newOrder, kept)}.`);
    sentences.push(...ruleChanges(was, rule));
  }
  if (before.default !== after.default)
    sentences.push(
      `The decision when no rule matches changes from ${label(before.default)} to ${label(after.default)}.`,
    );
  if (!isSame(before.icp, after.icp)) sentences.push('The ideal customer profile changes.');
  return sentences;
}
