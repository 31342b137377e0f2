import type { Usage } from '../domain/metering/usage.ts';
import type { Id } from '../kernel/ids.ts';
import type { OutboxRow, WriteFailure } from '../storage/outbox-row.ts';
import { readMeter } from './sql/metering.ts';
import type { Sql } from './sql/sql.ts';

/**
 * The month's counts in Postgres, so that a rebuild knows them. They are written from the meter itself, when rows are
 * written anyway: a row of the outbox each time would be dear.
 */
export class UsageProjection {
  private readonly sql: Sql;
  private readonly organisationId: () => Id<'org'>;
  private projected = '';

  constructor(sql: Sql, organisationId: () => Id<'org'>) {
    this.sql = sql;
    this.organisationId = organisationId;
  }

  isDue(now: number): boolean {
    return JSON.stringify(this.usage(now)) !== this.projected;
  }

  /** Writes the counts if they have changed. */
  async write(
    now: number,
    send: (kind: OutboxRow['kind'], rows: readonly OutboxRow[]) => Promise<WriteFailure | null>,
  ): Promise<WriteFailure | null> {
    if (!this.isDue(now)) return null;
    const usage = this.usage(now);
    const record = JSON.stringify({ usage, at: now, organisationId: this.organisationId() });
    const failure = await send('usage', [{ seq: 0, kind: 'usage', id: 'usage', record, at: now }]);
    if (failure?.kind !== 'unavailable') this.projected = JSON.stringify(usage);
    return failure;
  }

  private usage(now: number): Usage {
    return readMeter(this.sql, now).usage;
  }
}
