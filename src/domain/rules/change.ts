import {
  type AddRules,
  RULES_MAX,
  type Rule,
  type RuleRecord,
  type RuleSubject,
  type RulesAdded,
  type RulesFull,
} from './types.ts';

/** The changes that adding entries makes. */
export interface AddPlan {
  readonly ok: true;
  /** New to this list, in the order sent: new to the account, or taken from the other list. */
  readonly fresh: readonly RuleSubject[];
  /** Already on this list; they get the note that was sent. */
  readonly noted: readonly RuleRecord[];
  /** The note of all of these. */
  readonly note: string | null;
  readonly counts: Omit<RulesAdded, 'ok'>;
}

/**
 * Plans to add `change.subjects` to a list. `held`: the rules on either list with one of their keys; `counts`: all rules
 * of the kind. An address or domain is on one list only, so adding it takes it from the other.
 */
export function planAdd(
  change: AddRules,
  held: readonly RuleRecord[],
  counts: Readonly<Record<Rule, number>>,
): AddPlan | RulesFull {
  const { subjects, rule } = change;
  const note = change.note || null;
  const heldByKey = new Map(held.map((record) => [record.key, record]));
  const added = subjects.length - held.length;
  const all = counts.block + counts.allow;
  if (all + added > RULES_MAX) return { ok: false, held: all, added };
  const kept = held.filter((record) => record.rule === rule);
  const fresh = subjects.filter(({ key }) => heldByKey.get(key)?.rule !== rule);
  return {
    ok: true,
    fresh,
    note,
    noted:
      change.note === null ? [] : kept.filter((record) => record.note !== note).map((record) => ({ ...record, note })),
    counts: {
      added,
      moved: held.length - kept.length,
      unchanged: kept.length,
      total: counts[rule] + fresh.length,
    },
  };
}
