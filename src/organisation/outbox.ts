import type { OutboxRow, WriteFailure } from '../storage/postgres/projection.ts';
/** A row without its record, since a job's traces may be megabytes. */
export interface OutboxEntry {
  readonly seq: number;
  readonly kind: OutboxRow['kind'];
  readonly chars: number;
}

/** Rows removed at a time, because each removal waits for the object's storage. */
export const OUTBOX_BATCH = 1_000;
/**
 * Characters of a batch, unless one row is longer. A thousand rows may each contain a thousand rules, and an alarm that
 * exceeds its 15 minutes repeats the batch.
 */
export const OUTBOX_BATCH_CHARS = 4 * 2 ** 20;

/**
 * Characters of one statement's rows: about sixty traces. The runtime keeps strings over 128 KB until a full garbage
 * collection.
 */
export const STATEMENT_CHARS = 96 * 2 ** 10;

/** Rows written once and never changed, so that their order does not matter. */
const UNORDERED: ReadonlySet<OutboxRow['kind']> = new Set(['trace', 'screening', 'event']);
/** Four of an object's six connections: a wake-up and a mail still get one while Postgres is slow. */
const STATEMENTS_AT_ONCE = 4;

export interface OutboxDeps {
  /** The oldest entries, oldest first. */
  list(limit: number): OutboxEntry[];
  /** The rows with these numbers, oldest first. */
  read(seqs: readonly number[]): OutboxRow[];
  /** Writes rows of one kind, idempotently. */
  write(kind: OutboxRow['kind'], rows: readonly OutboxRow[]): Promise<WriteFailure | null>;
  remove(seqs: readonly number[]): void;
  setAside(row: OutboxRow, failure: WriteFailure): void;
}

/**
 * Writes everything in the outbox at the time of the call; false if Postgres is unreachable. Safe to run concurrently:
 * a row is removed only after it was written, and writing it twice changes nothing. Rejects only after all statements
 * have ended and the written rows are removed.
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
          for (const seqs of next) {
            isReached = (await writeStatement(deps, deps.read(seqs), written)) && isReached;
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

/** Halves a rejected statement until the faulty row is alone. That row is set aside, the others are written. */
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

/** Rows of one kind in a batch, written together. */
interface KindRun {
  readonly kind: OutboxRow['kind'];
  readonly statements: number[][];
}

/** A batch by kinds, each in order, so that a key's revocation never overtakes its creation. */
function runsOf(entries: readonly OutboxEntry[]): KindRun[] {
  const runs = new Map<OutboxRow['kind'], KindRun & { chars: number }>();
  let batch = 0;
  for (const { seq, kind, chars } of entries) {
    batch += chars;
    if (runs.size > 0 && batch > OUTBOX_BATCH_CHARS) break;
    const run = runs.get(kind) ?? { kind, statements: [], chars: STATEMENT_CHARS };
    runs.set(kind, run);
    run.chars += chars;
    if (run.chars <= STATEMENT_CHARS) run.statements.at(-1)?.push(seq);
    else {
      run.chars = chars;
      run.statements.push([seq]);
    }
  }
  return [...runs.values()];
}

/**
 * Milliseconds to wait after the `failures`-th failed drain in a row: 1 s, doubling up to 5 minutes, then a random half
 * to whole of that, so that objects that failed together spread out.
 */
export function drainBackoffMs(failures: number, random: () => number = Math.random): number {
  const longest = Math.min(300_000, 1_000 * 2 ** Math.max(0, failures - 1));
  return failures === 0 ? longest : Math.round(longest * (0.5 + random() / 2));
}
