import { utcMonth } from '../../domain/metering/index.ts';
import { expireOperations, findOperation, putOperation } from '../../domain/metering/object-store.ts';
import {
  type AddRules,
  type ProjectedChange,
  planAdd,
  type RemoveRules,
  RULE_ID_PREFIX,
  type RuleKind,
  type RuleRecord,
  type RulesAdded,
  type RulesFull,
  type RulesRemoved,
} from '../../domain/rule-lists/index.ts';
import { countRules, deleteRules, findRules, nextVersion, putRules } from '../../domain/rule-lists/object-store.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
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
    const { kind, rule, createdBy } = change;
    const keys = change.subjects.map(({ key }) => key);
    const counts = { block: countRules(sql, kind, 'block'), allow: countRules(sql, kind, 'allow') };
    const plan = planAdd(change, findRules(sql, kind, 'key', keys), counts);
    if (!plan.ok) return plan;
    const { note } = plan;
    const fresh = plan.fresh.map(
      (subject, place): RuleRecord => ({
        ...subject,
        id: newIdAt(RULE_ID_PREFIX[kind], now, place),
        ...{ rule, note, createdAt: now, createdBy },
      }),
    );
    const records = [...fresh, ...plan.noted];
    putRules(sql, kind, records);
    const put = records.map(withoutShared);
    if (put.length > 0) project(kind, { version: nextVersion(sql, kind), rule, note, put, removed: [] });
    return { ok: true, ...plan.counts };
  });
}

/** As it is projected: list and note stand once, beside all that was put. */
const withoutShared = ({ key, display, id, createdAt, createdBy }: RuleRecord): ProjectedChange['put'][number] => ({
  ...{ key, display, id, createdAt, createdBy },
});

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
    const unknown = by === 'key' ? [] : values.flatMap((id, place) => (known.has(id) ? [] : [place]));
    return {
      removed: listed.length,
      notFound: values.length - unknown.length - listed.length,
      unknown,
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

/** Longer than our own transport goes on sending a change; nobody else knows its id. */
const ANSWER_LIFETIME_MS = 5 * MINUTE_MS;
/** More than a change enters: however fast they come, the ledger holds those of a few minutes. */
const EXPIRED_AT_ONCE = 10;

/** Our own transport may send a change again: the ledger has its answer, so that its counts stay those of the first time. */
function once<T extends RulesAdded | RulesFull | RulesRemoved>(
  { sql, now }: RuleChangeDeps,
  operationId: string,
  change: () => T,
): T {
  const earlier = findOperation(sql, operationId)?.answer ?? null;
  if (earlier !== null) return JSON.parse(earlier) as T;
  const answer = change();
  expireOperations(sql, now, EXPIRED_AT_ONCE);
  const entry = { state: 'finished', traceId: operationId, meter: null, month: utcMonth(now), bodyHash: null } as const;
  putOperation(sql, operationId, now, { ...entry, answer: JSON.stringify(answer) }, ANSWER_LIFETIME_MS);
  return answer;
}
