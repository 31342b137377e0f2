import { utcMonth } from '../../domain/metering/index.ts';
import { findOperation, putOperation } from '../../domain/metering/object-store.ts';
import type { OutboxRow } from '../../domain/organisation/index.ts';
import type { Sql } from '../../platform/sql.ts';

/** What a change of the object's own tables needs of it. */
export interface ChangeDeps {
  readonly sql: Sql;
  readonly now: number;
  /** Sends a record on its way to Postgres. */
  readonly project: (kind: Exclude<OutboxRow['kind'], 'trace'>, id: string, record: object) => void;
}

/** Our own transport may send a change again: the ledger has its answer, so that it stays that of the first time. */
export function once<T extends object>({ sql, now }: ChangeDeps, operationId: string, change: () => T): T {
  const earlier = findOperation(sql, operationId)?.answer ?? null;
  if (earlier !== null) return JSON.parse(earlier) as T;
  const answer = change();
  putOperation(sql, operationId, now, {
    ...{ state: 'finished', traceId: operationId, meter: null, month: utcMonth(now), bodyHash: null },
    answer: JSON.stringify(answer),
  });
  return answer;
}
