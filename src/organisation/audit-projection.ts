import type { AuditLine } from '../domain/access/audit.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import { listUnwrittenAudit, markAuditWritten } from './sql/audit.ts';
import type { Sql } from './sql/sql.ts';

/** Lines of one statement. */
const WRITTEN_AT_ONCE = 500;
const RETRY_MS = MINUTE_MS;

interface AuditProjectionDeps {
  readonly sql: Sql;
  readonly now: () => number;
  /** False: try again later. */
  readonly write: (lines: readonly AuditLine[]) => Promise<boolean>;
}

/**
 * Brings the audit log to Postgres, so that an object that is lost gets it back. It has a timer of its own and not the outbox,
 * whose release before has no writer for such rows.
 */
export class AuditProjection {
  private readonly deps: AuditProjectionDeps;
  private writing: Promise<boolean> | null = null;

  constructor(deps: AuditProjectionDeps) {
    this.deps = deps;
  }

  /** Lines are still to be written. */
  get isDue(): boolean {
    return listUnwrittenAudit(this.deps.sql, 1).length > 0;
  }

  /** The audit timer. */
  async work(): Promise<() => number | null> {
    const { sql, now, write } = this.deps;
    const lines = listUnwrittenAudit(sql, WRITTEN_AT_ONCE);
    this.writing = lines.length === 0 ? Promise.resolve(true) : write(lines);
    const isWritten = await this.writing;
    if (isWritten) markAuditWritten(sql, lines);
    return () => {
      if (!isWritten) return now() + RETRY_MS;
      return this.isDue ? now() : null;
    };
  }

  /** Like `PeopleTimers.stop`. */
  async stop(): Promise<void> {
    await this.writing;
  }
}
