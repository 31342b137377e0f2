/** A record on its way from the object to Postgres. */
export interface OutboxRow {
  readonly seq: number;
  readonly kind:
    | 'trace'
    | 'screening'
    | 'outcome'
    | 'event'
    | 'organisation'
    | 'api_key'
    | 'usage'
    | 'domain_rules'
    | 'address_rules'
    | 'policy'
    | 'bulk_job';
  readonly id: string;
  /** JSON. */
  readonly record: string;
  readonly at: number;
}

/** Rows a statement: Postgres takes 500 traces in one go well within the driver's limits. */
export const OUTBOX_BATCH = 500;

/** `refused`: Postgres answered that a row's content is wrong; `unavailable`: anything else, so try again later. */
export interface WriteFailure {
  readonly kind: 'unavailable' | 'refused';
  readonly error: unknown;
}

/** What the drain needs of the world. */
export interface OutboxDeps {
  list(limit: number): OutboxRow[];
  /** Writes rows of one kind, idempotently. */
  write(kind: OutboxRow['kind'], rows: readonly OutboxRow[]): Promise<WriteFailure | null>;
  remove(rows: readonly OutboxRow[]): void;
  bury(row: OutboxRow, failure: WriteFailure): void;
}

/**
 * Writes everything the outbox held when it was called; false when Postgres could not be reached. Safe to run side by
 * side: a row is removed only after it was written, and writing it twice changes nothing.
 */
export async function drainOutbox(deps: OutboxDeps): Promise<boolean> {
  for (let rows = deps.list(OUTBOX_BATCH); rows.length > 0; rows = deps.list(OUTBOX_BATCH)) {
    for (const group of groupByKind(rows)) {
      if (!(await writeGroup(deps, group))) return false;
    }
  }
  return true;
}

/** A refused batch is halved until the row at fault stands alone; that one is buried, the others are written. */
async function writeGroup(deps: OutboxDeps, rows: readonly OutboxRow[]): Promise<boolean> {
  const head = rows[0];
  if (!head) return true;
  const failure = await deps.write(head.kind, rows);
  if (failure === null) {
    deps.remove(rows);
    return true;
  }
  if (failure.kind === 'unavailable') return false;
  if (rows.length === 1) {
    deps.bury(head, failure);
    return true;
  }
  const half = Math.ceil(rows.length / 2);
  return (await writeGroup(deps, rows.slice(0, half))) && (await writeGroup(deps, rows.slice(half)));
}

/** Runs of one kind, in order: a key's revocation never overtakes its creation. */
function groupByKind(rows: readonly OutboxRow[]): OutboxRow[][] {
  const groups: OutboxRow[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.[0]?.kind === row.kind) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** How long to wait after the `failures`-th failed drain in a row, in milliseconds: 1 s doubling to 5 minutes. */
export const drainBackoffMs = (failures: number): number => Math.min(300_000, 1_000 * 2 ** Math.max(0, failures - 1));
