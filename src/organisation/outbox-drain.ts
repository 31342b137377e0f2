import type { Observation } from '../domain/belief/facts.ts';
import { type EventBatch, type WaitingOutcome, proofOf, withoutProperties } from '../domain/feedback/outcomes.ts';
import { SECOND_MS, within } from '../kernel/clock.ts';
import { type Id, idFromUuid, idOrNull, parseId } from '../kernel/ids.ts';
import { describeError, failureLevel, log } from '../kernel/log.ts';
import type { OutboxRow, WriteFailure } from '../storage/postgres/projection.ts';
import { checkAlerts } from './alerts.ts';
import type { ObjectCore, ObjectServices, TracedAddresses } from './core.ts';
import type { Metering } from './metering.ts';
import { drainBackoffMs, drainOutbox, type OutboxDeps } from './outbox.ts';
import { withCurrentHashes } from './sql/rehash.ts';
import * as operations from './sql/operations.ts';
import * as store from './sql/organisation.ts';
import type { Flushed } from './sql/organisation.ts';
import type { Sql } from './sql/sql.ts';
import type { FlushedOperations } from './flushed.ts';

const FLUSH_LIMIT_MS = 2 * SECOND_MS;

const DELETED: WriteFailure = { kind: 'unavailable', error: new Error('the organisation was deleted') };

/** The last rows of a drain: the operation by its key, the outbox row by its number. */
interface End {
  readonly key: string;
  readonly seq: number;
}

/**
 * Writes an object's outbox to Postgres, the operations' records first: a report never overtakes its trace. One drain
 * runs at a time: callers that come meanwhile wait for it, and share the next.
 */
export class OutboxDrain {
  private readonly core: ObjectCore;
  private readonly sql: Sql;
  private readonly services: ObjectServices;
  private readonly flushed: FlushedOperations;
  private readonly metering: Metering;
  private running: Promise<boolean> | null = null;
  private stopped = false;
  private failures = 0;

  constructor(core: ObjectCore, flushed: FlushedOperations, metering: Metering) {
    this.core = core;
    this.sql = core.sql;
    this.services = core.services;
    this.flushed = flushed;
    this.metering = metering;
  }

  /** Writes at least what waits at the call; false if Postgres is unreachable. */
  async drain(): Promise<boolean> {
    const own = this.running === null ? null : this.end();
    while (this.running) {
      if (!(await this.running)) return false;
      if (own !== null && !this.isLeft(own)) return true;
    }
    // It takes all that waits now, so it also serves the other waiting callers.
    this.running = this.write(this.end()).finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private isLeft({ key, seq }: End): boolean {
    return operations.waitingSince(this.sql, key) !== null || store.listOutbox(this.sql, seq, 1).length > 0;
  }

  private end(): End {
    return { key: operations.lastKey(this.sql), seq: store.lastOutboxSeq(this.sql) };
  }

  /** Drains for at most 2 s; returns whether all is written. */
  async drainBriefly(): Promise<boolean> {
    return (await within(this.drain(), FLUSH_LIMIT_MS)) === true;
  }

  /** Returns what is still unwritten of `traceId` and `addressesOf`. */
  async flush(traceId: Id<'vr' | 'dc'> | null, addressesOf?: readonly Id<'vr' | 'dc'>[]): Promise<Flushed> {
    const drained = await this.drainBriefly();
    const heldAddresses = addressesOf && store.findHeldAddresses(this.sql, addressesOf);
    return { drained, ...store.findHeld(this.sql, traceId), ...(heldAddresses && { heldAddresses }) };
  }

  /** When the oldest row was added; null if all is written. */
  waitingSince(): number | null {
    const since = [operations.waitingSince(this.sql, operations.lastKey(this.sql)), store.outboxOldestAt(this.sql)];
    const found = since.filter((at) => at !== null);
    return found.length === 0 ? null : Math.min(...found);
  }

  /** The outbox timer: waits longer after each failure. */
  async work(): Promise<() => number | null> {
    checkAlerts(this.core);
    const drained = (await this.drain()) && (await this.writeUsage());
    this.failures = drained ? 0 : this.failures + 1;
    const oldestAt = this.waitingSince();
    if (oldestAt !== null) this.services.counters.add('outbox_age_ms', this.services.now() - oldestAt);
    this.services.counters.write();
    return () => this.nextAt();
  }

  /** Stops writing and waits for running statements: afterwards nothing from this object reaches Postgres. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  /** Null if all is written. Rows that came during a drain may have waited their second already. */
  private nextAt(): number | null {
    const oldestAt = this.waitingSince();
    const now = this.services.now();
    if (this.failures > 0) return now + drainBackoffMs(this.failures);
    return oldestAt === null ? null : Math.max(now, oldestAt + drainBackoffMs(0));
  }

  /**
   * Writes rows, then looks up whom reports and events among them concern. Rows are removed after both: if the object
   * dies between, repeating is harmless.
   */
  private async writeTraced(kind: OutboxRow['kind'], rows: readonly OutboxRow[]): Promise<WriteFailure | null> {
    const failure = await this.writeRows(kind, rows);
    if (failure !== null) return failure;
    const found = await traceRows(kind, rows, (ids) => this.find(ids)).catch((error: unknown) => ({ error }));
    if ('error' in found) return { kind: 'unavailable', error: found.error };
    const rewritten = found.rows.length === 0 ? null : await this.writeRows(kind, found.rows);
    if (rewritten === null && found.observations.length > 0 && !this.stopped)
      this.core.transact(() => this.core.learn(found.observations));
    return rewritten;
  }

  /** A record of before a rotation may name its address as it was hashed then. */
  private writeRows(kind: OutboxRow['kind'], rows: readonly OutboxRow[]): Promise<WriteFailure | null> {
    return this.services.writeOutbox(
      kind,
      rows.map((row) => ({ ...row, record: withCurrentHashes(this.sql, row.record) })),
    );
  }

  /** What waits for erasure must not be read back from Postgres. */
  private async find(ids: readonly Id<'vr' | 'dc'>[]): Promise<TracedAddresses> {
    const found = await this.services.findTracedAddresses(this.core.require().id, ids);
    return new Map([...found].filter(([, { addressHash }]) => !store.isBeingErased(this.sql, addressHash)));
  }

  /** False if Postgres is unreachable. */
  private async writeUsage(): Promise<boolean> {
    if (this.stopped) return false;
    const failure = await this.metering.project((kind, rows) => this.send(kind, rows));
    if (failure?.kind === 'rejected')
      log('error', 'outbox_row_refused', { kind: 'usage', ...describeError(failure.error) });
    return failure?.kind !== 'unavailable';
  }

  private async write(end: End): Promise<boolean> {
    const kinds = operations.waitingSince(this.sql, end.key) === null ? [] : operations.RECORD_KINDS;
    for (const kind of kinds) {
      if (!(await drainOutbox(this.operationRows(kind, end.key)))) return false;
    }
    return drainOutbox({
      list: (limit) => store.listOutbox(this.sql, end.seq, limit),
      read: (seqs) => store.readOutbox(this.sql, seqs),
      write: (kind, rows) => this.send(kind, rows),
      remove: (seqs) => store.deleteOutbox(this.sql, seqs),
      setAside: (row, failure) => {
        store.setAsideOutbox(this.sql, row.seq, row.kind === 'event' ? withoutProperties(row.record) : row.record);
        logRefused(row, failure);
      },
    });
  }

  /** The operations' records of one kind as drains see them: a row's number is its place on the last listed page. */
  private operationRows(kind: operations.RecordKind, upTo: string): OutboxDeps {
    const { sql, flushed } = this;
    let page: operations.WaitingRow[] = [];
    // Operations answered meanwhile are left to the next drain, or a busy organisation's would never end.
    let after = '';
    const leave = (rows: readonly operations.WaitingRow[]): void => {
      // The organisation was deleted meanwhile.
      if (this.stopped) return;
      const keys = rows.map(({ key }) => key);
      operations.deleteRows(sql, keys);
      flushed.add(rows, this.services.now());
      after = [after, ...keys].reduce((last, key) => (key > last ? key : last));
    };
    const rowsAt = (seqs: readonly number[]) => seqs.flatMap((seq) => page[seq] ?? []);
    return {
      list: (limit) => {
        page = operations.listWaiting(sql, kind, after, upTo, limit);
        return page.map(({ chars }, seq) => ({ seq, kind, chars }));
      },
      read: (seqs) => {
        const keys = rowsAt(seqs).map(({ key }) => key);
        return operations.readWaiting(sql, keys).map((row, at) => ({ ...row, seq: seqs[at] ?? 0 }));
      },
      write: (_, rows) => this.send(kind, rows),
      remove: (seqs) => leave(rowsAt(seqs)),
      setAside: (row, failure) => {
        if (!this.stopped) store.appendSetAside(sql, row);
        leave(rowsAt([row.seq]));
        logRefused(row, failure);
      },
    };
  }

  private async send(kind: OutboxRow['kind'], rows: readonly OutboxRow[]): Promise<WriteFailure | null> {
    if (this.stopped) return DELETED;
    this.services.counters.add('outbox_rows', rows.length, kind);
    const failure = await this.writeTraced(kind, rows);
    if (failure?.kind === 'unavailable')
      log(failureLevel(failure.error), 'outbox_not_written', { kind, ...describeError(failure.error) });
    return failure;
  }
}

const logRefused = (row: OutboxRow, { error }: WriteFailure): void =>
  log('error', 'outbox_row_refused', { kind: row.kind, id: idOrNull(row.id), ...describeError(error) });

/** The addresses of rows that are in Postgres. */
export interface TracedRows {
  /** Rows that now include their address. */
  readonly rows: readonly OutboxRow[];
  readonly observations: readonly Observation[];
}

const NO_ROWS: TracedRows = { rows: [], observations: [] };

type Find = (ids: readonly Id<'vr' | 'dc'>[]) => Promise<TracedAddresses>;

/**
 * Looks up whom reports and events concern: they name a trace, and the traces before them are in Postgres by now.
 * Rejects while Postgres is away.
 */
async function traceRows(kind: OutboxRow['kind'], rows: readonly OutboxRow[], find: Find): Promise<TracedRows> {
  if (kind === 'outcome') return traceOutcomes(rows, find);
  return kind === 'event' ? { rows: [], observations: await observationsOfEvents(rows, find) } : NO_ROWS;
}

async function traceOutcomes(rows: readonly OutboxRow[], find: Find): Promise<TracedRows> {
  const read = rows.map((row) => ({ row, record: JSON.parse(row.record) as WaitingOutcome }));
  const open = read.flatMap(({ record }) => (record.delivery?.addressHash === null ? [record] : []));
  const ids = open.flatMap(({ traceId }) => parseId('vr', traceId) ?? []);
  if (ids.length === 0) return NO_ROWS;
  const found = await find(ids);
  const observations: Observation[] = [];
  const traced = read.flatMap(({ row, record }) => {
    const { delivery } = record;
    const traceOf = found.get(record.traceId);
    if (delivery?.addressHash !== null || traceOf === undefined) return [];
    const { addressHash, ...report } = delivery;
    observations.push({ context: traceOf.context, answers: [], report, proof: null });
    return { ...row, record: JSON.stringify({ ...record, delivery: { ...report, addressHash: traceOf.addressHash } }) };
  });
  return { rows: traced, observations };
}

async function observationsOfEvents(rows: readonly OutboxRow[], find: Find): Promise<Observation[]> {
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
