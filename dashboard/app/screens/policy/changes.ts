import type { Experiment, Op, PolicyCondition, PolicyDocument, PolicyRule } from '../../api/schema.ts';
import { isSame } from '../../lib/same.ts';
import { label } from '../../lib/vocabulary.ts';
import { isComparison } from './switches.ts';
import { pathText, conditionText, valueText } from './words.ts';

const decisionText = ({ decision, flow }: PolicyRule): string =>
  flow === undefined ? label(decision) : `${label(decision)} (${flow})`;

/** The share of an experiment in words. */
const experimentText = ({ id, weight }: Experiment): string => `${weight}% (experiment ${id})`;

/** The longest set of rules in unchanged order; all others moved. */
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

/** Old and new value if only a limit changed; else null. */
function limitText(id: string, before: PolicyCondition, after: PolicyCondition): string | null {
  if (!isComparison(before) || !isComparison(after)) return null;
  const { path, op, value: from } = before;
  const { path: newPath, op: newOp, value: to } = after;
  if (path !== newPath || op !== newOp || !LIMITS.includes(op) || typeof from !== 'number' || typeof to !== 'number')
    return null;
  return `Rule ${id}: the limit on ${pathText(path)} goes from ${valueText(path, from)} to ${valueText(path, to)}.`;
}

const conditionChange = (id: string, before: PolicyCondition, after: PolicyCondition): string =>
  limitText(id, before, after) ??
  `Rule ${id}: the condition changes from “${conditionText(before)}” to “${conditionText(after)}”.`;

/** The change of a rule's experiment. */
function experimentChange(id: string, before: Experiment | undefined, after: Experiment | undefined): string {
  if (!after) return `Rule ${id}: experiment ${before?.id ?? ''} ends, the rule applies to all.`;
  if (before?.id === after.id && before.weight === after.weight)
    return `Rule ${id}: experiment ${after.id} has new settings.`;
  return `Rule ${id}: now applies to ${experimentText(after)}${before ? `, was ${experimentText(before)}` : ''}.`;
}

/** A move, described by a passed rule that did not move itself. */
function moveText(id: string, before: readonly string[], after: readonly string[], kept: ReadonlySet<string>): string {
  const at = after.indexOf(id);
  const isKept = (each: string): boolean => kept.has(each);
  const last = after.slice(0, at).findLast(isKept);
  if (last !== undefined && before.indexOf(last) > before.indexOf(id)) return `Rule ${id} moves after ${last}.`;
  return `Rule ${id} moves before ${after.slice(at).find(isKept) ?? ''}.`;
}

function ruleChanges(before: PolicyRule, after: PolicyRule): string[] {
  const { id } = after;
  const found: string[] = [];
  if (!isSame(before.when, after.when)) found.push(conditionChange(id, before.when, after.when));
  const [from, to] = [decisionText(before), decisionText(after)];
  if (from !== to) found.push(`Rule ${id}: the decision changes from ${from} to ${to}.`);
  if (!isSame(before.experiment, after.experiment))
    found.push(experimentChange(id, before.experiment, after.experiment));
  if (before.description !== after.description)
    found.push(
      after.description === undefined
        ? `Rule ${id}: reason removed.`
        : `Rule ${id}: the reason is now “${after.description}”.`,
    );
  return found;
}

/** `, for 20% (experiment x)`; empty for a rule without one. */
const shareText = ({ experiment }: PolicyRule): string => (experiment ? `, for ${experimentText(experiment)}` : '');

const removedText = (rule: PolicyRule): string =>
  `Rule ${rule.id} removed: ${conditionText(rule.when)}${shareText(rule)}.`;

/** `place`: from 1. */
const addedText = (rule: PolicyRule, place: number, rules: number): string =>
  `Rule ${rule.id} added at position ${place} of ${rules}: when ${conditionText(rule.when)}, ${decisionText(rule)}${shareText(rule)}.`;

/** Changes between two versions in sentences; empty if none. */
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
  sentences.push(...before.rules.filter(({ id }) => !now.has(id)).map(removedText));
  for (const [at, rule] of after.rules.entries()) {
    const was = old.get(rule.id);
    if (was === undefined) {
      sentences.push(addedText(rule, at + 1, after.rules.length));
      continue;
    }
    if (!kept.has(rule.id)) sentences.push(moveText(rule.id, order, newOrder, kept));
    sentences.push(...ruleChanges(was, rule));
  }
  if (before.default !== after.default)
    sentences.push(`The decision for everyone else changes from ${label(before.default)} to ${label(after.default)}.`);
  if (!isSame(before.icp, after.icp)) sentences.push('The ideal customer profile changes.');
  return sentences;
}
