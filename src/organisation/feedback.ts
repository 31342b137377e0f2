import type { Observation } from '../domain/belief/facts.ts';
import type { EventBatch } from '../domain/feedback/events.ts';
import type { WaitingOutcome } from '../domain/feedback/outcomes.ts';
import { proofOf } from '../domain/feedback/proofs.ts';
import { type Id, idFromUuid, parseId } from '../kernel/ids.ts';
import type { OutboxRow } from '../storage/outbox-row.ts';
import type { TracedAddresses } from './services.ts';

/** What was found of rows that are in Postgres. */
export interface TracedRows {
  /** Those that say more now: whom they are about. */
  readonly rows: readonly OutboxRow[];
  readonly learnt: readonly Observation[];
}

const NOTHING: TracedRows = { rows: [], learnt: [] };

type Find = (ids: readonly Id<'vr' | 'dc'>[]) => Promise<TracedAddresses>;

/**
 * Finds whom reports and events are about: they name a trace, and the traces before them are in Postgres by now.
 * Rejects while Postgres is away.
 */
export async function traceRows(kind: OutboxRow['kind'], rows: readonly OutboxRow[], find: Find): Promise<TracedRows> {
  if (kind === 'outcome') return traceOutcomes(rows, find);
  return kind === 'event' ? { rows: [], learnt: await learntOfEvents(rows, find) } : NOTHING;
}

async function traceOutcomes(rows: readonly OutboxRow[], find: Find): Promise<TracedRows> {
  const read = rows.map((row) => ({ row, record: JSON.parse(row.record) as WaitingOutcome }));
  const open = read.flatMap(({ record }) => (record.delivery?.addressHash === null ? [record] : []));
  const ids = open.flatMap(({ traceId }) => parseId('vr', traceId) ?? []);
  if (ids.length === 0) return NOTHING;
  const found = await find(ids);
  const learnt: Observation[] = [];
  const traced = read.flatMap(({ row, record }) => {
    const { delivery } = record;
    const traceOf = found.get(record.traceId);
    if (delivery?.addressHash !== null || traceOf === undefined) return [];
    const { addressHash, ...report } = delivery;
    learnt.push({ context: traceOf.context, answers: [], report, proof: null });
    return { ...row, record: JSON.stringify({ ...record, delivery: { ...report, addressHash: traceOf.addressHash } }) };
  });
  return { rows: traced, learnt };
}

async function learntOfEvents(rows: readonly OutboxRow[], find: Find): Promise<Observation[]> {
  const proofs = rows.flatMap(({ record }) => {
    const { mode, events } = JSON.parse(record) as EventBatch;
    if (mode !== 'live') return [];
    return events.flatMap(({ event, at, traceId }) => {
      const proof = proofOf(event);
      return proof === null || traceId === null ? [] : [{ proof: { class: proof, at }, uuid: traceId }];
    });
  });
  if (proofs.length === 0) return [];
  const idsOf = (uuid: string) => [idFromUuid('vr', uuid), idFromUuid('dc', uuid)] as const;
  const found = await find(proofs.flatMap(({ uuid }) => idsOf(uuid)));
  return proofs.flatMap(({ proof, uuid }) => {
    const traceOf = idsOf(uuid).flatMap((id) => found.get(id) ?? [])[0];
    return traceOf === undefined ? [] : [{ context: traceOf.context, answers: [], report: null, proof }];
  });
}
