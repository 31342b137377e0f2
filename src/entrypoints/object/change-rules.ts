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
import { type ChangeDeps, once } from './once.ts';

/** Adds entries to a list, all or none. Synchronous, like every change here: nothing runs between what is read and written. */
export function addRules(deps: ChangeDeps, change: AddRules): RulesAdded | RulesFull {
  return once(deps, change.operationId, () => {
    const { sql, now } = deps;
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
    if (put.length > 0) project(deps, kind, { rule, note, put, removed: [] });
    return { ok: true, ...plan.counts };
  });
}

export function removeRules(deps: ChangeDeps, change: RemoveRules): RulesRemoved {
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
export function forgetAddress(deps: ChangeDeps, hash: string): number {
  const held = findRules(deps.sql, 'address', 'key', [hash]).length;
  removeByKey(deps, 'address', held === 0 ? [] : [hash]);
  return held;
}

function removeByKey(deps: ChangeDeps, kind: RuleKind, keys: readonly string[]): void {
  if (keys.length === 0) return;
  deleteRules(deps.sql, kind, keys);
  project(deps, kind, { rule: null, note: null, put: [], removed: keys });
}

function project(deps: ChangeDeps, kind: RuleKind, change: Omit<ProjectedChange, 'organisationId' | 'version'>): void {
  const version = nextVersion(deps.sql, kind);
  deps.project(`${kind}_rules`, String(version), { ...change, version });
}
