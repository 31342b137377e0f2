import type { Observation } from '../../domain/belief/facts.ts';
import { rowName } from '../../domain/belief/names.ts';
import { withoutAddress } from '../../domain/traces/forgotten.ts';
import { type TraceRecord, traceJson } from '../../domain/traces/record.ts';
import type { Id } from '../../kernel/ids.ts';
import { sha256Hex } from '../../kernel/keyed-hash.ts';
import { findJob } from '../sql/bulk.ts';
import { listErasedMarks } from '../sql/organisation.ts';
import type { Sql } from '../sql/sql.ts';

/** What a range brings of its addresses. */
export interface RangeRecords {
  /** The trace's id and record of each address that was checked. */
  readonly traces: readonly (readonly [id: string, record: string])[];
  /** What is new about its addresses. */
  readonly learnt: readonly Observation[];
}

/** What is kept of an erased address in place of its hash: it finds nothing in any store. `name`: of the address's history. */
export const erasedMark = (name: string): string => sha256Hex(`erased ${name}`);

/** Tells by the name of its history whether an address was erased since the job was made. Null: none was. */
export function erasedSince(sql: Sql, id: Id<'bj'>): ((name: string) => boolean) | null {
  const marks = new Set(listErasedMarks(sql, findJob(sql, id)?.record.job.createdAt ?? 0));
  return marks.size === 0 ? null : (name) => marks.has(erasedMark(name));
}

/**
 * What a range brings, cut off from addresses that were erased since its job was made: its holder may have read them before. So
 * nothing of them is ever written, neither here nor in Postgres.
 */
export function withoutErased(sql: Sql, id: Id<'bj'>, { traces, learnt }: RangeRecords): RangeRecords {
  const isErased = erasedSince(sql, id);
  if (isErased === null) return { traces, learnt };
  return {
    traces: traces.map(([traceId, record]) => {
      const trace = JSON.parse(record) as TraceRecord;
      const isKept = trace.addressHash === null || !isErased(rowName(trace.addressHash));
      return [traceId, isKept ? record : traceJson(withoutAddress(trace))] as const;
    }),
    learnt: learnt.filter(({ context }) => !isErased(context.address)),
  };
}
