import { rowName } from '../domain/belief/names.ts';
import { planAdd } from '../domain/rules/change.ts';
import {
  type AddRules,
  type ListedRules,
  type ProjectedChange,
  type RemoveRules,
  RULE_ID_PREFIX,
  type RuleKind,
  type RulePage,
  type RuleRecord,
  type RulesAdded,
  type RulesFull,
  type RulesRemoved,
} from '../domain/rules/types.ts';
import { newIdAt } from '../kernel/ids.ts';
import { erasedSince } from './bulk/erased.ts';
import { auditRules, type ChangeDeps, once } from './changes.ts';
import { countFound, countRules, deleteRules, findRules, listRules, nextVersion, putRules } from './sql/rules.ts';
import type { Sql } from './sql/sql.ts';

/**
 * Adds entries to a list, all or none. Synchronous like every change here, so that nothing runs between read and write.
 */
export function addRules(deps: ChangeDeps, change: AddRules): RulesAdded | RulesFull {
  return once(deps, change.operationId, () => {
    const { sql, now } = deps;
    const { kind, rule, createdBy, jobId } = change;
    const isErased = jobId === undefined ? null : erasedSince(sql, jobId);
    const subjects = isErased === null ? change.subjects : change.subjects.filter(({ key }) => !isErased(rowName(key)));
    const keys = subjects.map(({ key }) => key);
    const counts = { block: countRules(sql, kind, 'block'), allow: countRules(sql, kind, 'allow') };
    const plan = planAdd({ ...change, subjects }, findRules(sql, kind, 'key', keys), counts);
    if (!plan.ok) return plan;
    const { note } = plan;
    const fresh = plan.fresh.map((subject, place): RuleRecord => ({
      ...subject,
      id: newIdAt(RULE_ID_PREFIX[kind], now, place),
      rule,
      note,
      createdAt: now,
      createdBy,
    }));
    const records = [...fresh, ...plan.noted];
    putRules(sql, kind, records);
    const put = records.map(withoutShared);
    if (put.length > 0) project(deps, kind, { rule, note, put, removed: [] });
    auditRules(deps, createdBy, 'rules.added', change, plan.counts.added + plan.counts.moved);
    return { ok: true, ...plan.counts };
  });
}

/** An entry as it is projected: list and note stand once, beside all entries. */
const withoutShared = ({ rule: _, note: __, ...own }: RuleRecord): ProjectedChange['put'][number] => own;

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
    auditRules(deps, change.removedBy, 'rules.removed', change, listed.length);
    const known = new Set<string>(held.map(({ id }) => id));
    const unknown = by === 'key' ? [] : values.flatMap((id, place) => (known.has(id) ? [] : [place]));
    return {
      removed: listed.length,
      notFound: values.length - unknown.length - listed.length,
      unknown,
      total: countRules(sql, kind, rule),
    };
  });
}

/** A page of a list, and how many entries the list, or the search, has in all. */
export function readRules(sql: Sql, page: RulePage): ListedRules {
  const { kind, rule, search } = page;
  const count = search === null ? countRules(sql, kind, rule) : countFound(sql, kind, rule, search);
  return { entries: listRules(sql, page), count };
}

/** Takes an address from its list; returns how many rules were removed. */
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
