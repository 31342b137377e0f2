import type { OutboxRow, WriteFailure } from '../storage/outbox-row.ts';
/** A row without its record: megabytes of a job's traces would otherwise wait in memory. */
export interface OutboxEntry {
  readonly seq: number;
  readonly kind: OutboxRow['kind'];
  /** Characters of its record. */
  readonly chars: number;
}

/** Rows removed at a time, because each removal waits for the object's storage. */
export const OUTBOX_BATCH = 1_000;
/**
 * The most characters of a batch, unless one row alone is longer. A thousand rows may each hold a thousand rules, and an
 * alarm that runs out of its 15 minutes repeats the batch that it did not remove.
 */
export const OUTBOX_BATCH_CHARS = 4 * 2 ** 20;

/**
 * The most characters of one statement's rows: about sixty traces. The runtime keeps strings of over 128 KB until it
 * collects its whole heap.
 */
export const STATEMENT_CHARS = 96 * 2 ** 10;

/** Rows that are written once and never changed, so that their order does not matter. */
const UNORDERED: ReadonlySet<OutboxRow['kind']> = new Set(['trace', 'screening', 'event']);
/** Four of an object's six connections: a wake-up and a mail still get one while Postgres is slow. */
const STATEMENTS_AT_ONCE = 4;

/** What the drain needs from outside. */
export interface OutboxDeps {
  /** The oldest entries, oldest first. */
  list(limit: number): OutboxEntry[];
  /** The rows from one `seq` to another. */
  read(fromSeq: number, toSeq: number): OutboxRow[];
  /** Writes rows of one kind, idempotently. */
  write(kind: OutboxRow['kind'], rows: readonly OutboxRow[]): Promise<WriteFailure | null>;
  remove(seqs: readonly number[]): void;
  setAside(row: OutboxRow, failure: WriteFailure): void;
}

/**
 * Writes everything the outbox held when it was called; false when Postgres could not be reached. Safe to run side by
 * side: a row is removed only after it was written, and writing it twice changes nothing. It rejects only after all
 * statements have ended and the written rows are removed.
 */
export async function drainOutbox(deps: OutboxDeps): Promise<boolean> {
  for (let entries = deps.list(OUTBOX_BATCH); entries.length > 0; entries = deps.list(OUTBOX_BATCH)) {
    const written: number[] = [];
    const failures: unknown[] = [];
    let isReached = true;
    for (const { kind, statements } of runsOf(entries)) {
      const next = statements.values();
      const writeOn = async (): Promise<void> => {
        try {
          for (const { fromSeq, toSeq } of next) {
            isReached = (await writeStatement(deps, deps.read(fromSeq, toSeq), written)) && isReached;
            if (!isReached) return;
          }
        } catch (error) {
          failures.push(error);
          isReached = false;
        }
      };
      await Promise.all(Array.from({ length: UNORDERED.has(kind) ? STATEMENTS_AT_ONCE : 1 }, writeOn));
      if (!isReached) break;
    }
    if (written.length > 0) deps.remove(written);
    if (failures.length > 0) throw failures[0];
    if (!isReached) return false;
  }
  return true;
}

/** Halves a rejected statement until the row at fault stands alone. That row is set aside, the others are written. */
async function writeStatement(deps: OutboxDeps, rows: readonly OutboxRow[], written: number[]): Promise<boolean> {
  const head = rows[0];
  if (!head) return true;
  const failure = await deps.write(head.kind, rows);
  if (failure === null) {
    written.push(...rows.map(({ seq }) => seq));
    return true;
  }
  if (failure.kind === 'unavailable') return false;
  if (rows.length === 1) {
    deps.setAside(head, failure);
    return true;
  }
  const half = Math.ceil(rows.length / 2);
  return (await writeStatement(deps, rows.slice(0, half), written)) && writeStatement(deps, rows.slice(half), written);
}

/** Neighbouring rows of one kind that are written together. */
interface Statement {
  readonly fromSeq: number;
  toSeq: number;
}

/** The statements of neighbouring rows of one kind. */
interface KindRun {
  readonly kind: OutboxRow['kind'];
  readonly statements: Statement[];
}

/** A batch's runs in order, so that a key's revocation never overtakes its creation. */
function runsOf(entries: readonly OutboxEntry[]): KindRun[] {
  const runs: KindRun[] = [];
  let batch = 0;
  let total = 0;
  for (const { seq, kind, chars } of entries) {
    const last = runs.at(-1);
    const statement = last?.statements.at(-1);
    batch += chars;
    if (last !== undefined && batch > OUTBOX_BATCH_CHARS) break;
    total += chars;
    if (last?.kind === kind && statement !== undefined && total <= STATEMENT_CHARS) {
      statement.toSeq = seq;
      continue;
    }
    total = chars;
    const begun = { fromSeq: seq, toSeq: seq };
    if (last?.kind === kind) last.statements.push(begun);
    else runs.push({ kind, statements: [begun] });
  }
  return runs;
}

/** Milliseconds to wait after the `failures`-th failed drain in a row: 1 s, doubling up to 5 minutes. */
export const drainBackoffMs = (failures: number): number => Math.min(300_000, 1_000 * 2 ** Math.max(0, failures - 1));
