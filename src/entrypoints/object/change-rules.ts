import { utcMonth } from '../../domain/metering/index.ts';
import { findOperation, putOperation } from '../../domain/metering/object-store.ts';
import {
  type AddRules,
  type ProjectedChange,
  planAdd,
  type RemoveRules,
  type RuleKind,
  type RuleRecord,
  type RulesAdded,
  type RulesFull,
  type RulesRemoved,
} from '../../domain/rule-lists/index.ts';
import { countRules, deleteRules, findRules, nextVersion, putRules } from '../../domain/rule-lists/object-store.ts';
import { newIdAt } from '../../kernel/ids.ts';
import type { Sql } from '../../platform/sql.ts';

export interface RuleChangeDeps {
  readonly sql: Sql;
  readonly now: number;
  /** Sends a change on its way to Postgres. */
  readonly project: (kind: RuleKind, change: Omit<ProjectedChange, 'organisationId'>) => void;
}

/** Adds entries to a list, all or none. Synchronous, like every change here: nothing runs between what is read and written. */
export function addRules(deps: RuleChangeDeps, change: AddRules): RulesAdded | RulesFull {
  return once(deps, change.operationId, () => {
    const { sql, now, project } = deps;
    const { kind, rule, note, createdBy } = change;
    const keys = change.subjects.map(({ key }) => key);
    const counts = { block: countRules(sql, kind, 'block'), allow: countRules(sql, kind, 'allow') };
    const plan = planAdd(change, findRules(sql, kind, 'key', keys), counts);
    if (!plan.ok) return plan;
    const prefix = kind === 'domain' ? 'dr' : 'ar';
    const fresh = plan.fresh.map(
      (subject, place): RuleRecord => ({
        ...subject,
        id: newIdAt(prefix, now, place),
        ...{ rule, note, createdAt: now, createdBy },
      }),
    );
    const put = [...fresh, ...plan.noted];
    putRules(sql, kind, put);
    if (put.length > 0) project(kind, { version: nextVersion(sql, kind), rule, note, put, removed: [] });
    return { ok: true, ...plan.counts };
  });
}

export function removeRules(deps: RuleChangeDeps, change: RemoveRules): RulesRemoved {
  return once(deps, change.operationId, () => {
    const { sql } = deps;
    const { kind, rule, by, values } = change;
    const held = findRules(sql, kind, by, values);
    const listed = held.filter((record) => record.rule === rule);
    removeByKey(
      deps,
      kind,
      listed.map(({ key }) => key),
    );
    const known = new Set<string>(held.map(({ id }) => id));
    const unknownIds = by === 'id' ? values.filter((id) => !known.has(id)) : [];
    return {
      removed: listed.length,
      notFound: values.length - unknownIds.length - listed.length,
      unknownIds,
      total: countRules(sql, kind, rule),
    };
  });
}

/** Takes an address from whichever list it is on; how many rules went. */
export function forgetAddress(deps: RuleChangeDeps, hash: string): number {
  const held = findRules(deps.sql, 'address', 'key', [hash]).length;
  removeByKey(deps, 'address', held === 0 ? [] : [hash]);
  return held;
}

function removeByKey({ sql, project }: RuleChangeDeps, kind: RuleKind, keys: readonly string[]): void {
  if (keys.length === 0) return;
  deleteRules(sql, kind, keys);
  project(kind, { version: nextVersion(sql, kind), rule: null, note: null, put: [], removed: keys });
}

/** Our own transport may send a change again: the ledger has its answer, so that its counts stay those of the first time. */
function once<T extends RulesAdded | RulesFull | RulesRemoved>(
  { sql, now }: RuleChangeDeps,
  operationId: string,
  change: () => T,
): T {
  const earlier = findOperation(sql, operationId)?.answer ?? null;
  if (earlier !== null) return JSON.parse(earlier) as T;
  const answer = change();
  putOperation(sql, operationId, now, {
    ...{ state: 'finished', traceId: operationId, meter: null, month: utcMonth(now), bodyHash: null },
    answer: JSON.stringify(answer),
  });
  return answer;
}
