import type { Id } from '../kernel/ids.ts';
import { drainBackoffMs } from './outbox.ts';
import type { OutboxDrain } from './outbox-drain.ts';
import type { ObjectServices } from './services.ts';
import * as store from './sql/organisation.ts';
import type { Sql } from './sql/sql.ts';

const ERASED_AT_ONCE = 100;

/**
 * Cuts forgotten addresses off from their rows in Postgres. It has a timer of its own: in a large organisation a
 * statement may time out, and the outbox must not wait for that.
 */
export class Erasures {
  private readonly sql: Sql;
  private readonly services: ObjectServices;
  private readonly outbox: Pick<OutboxDrain, 'drain'>;
  private readonly organisationId: () => Id<'org'>;
  private running: Promise<boolean> | null = null;
  private stopped = false;
  private failures = 0;

  constructor(sql: Sql, services: ObjectServices, outbox: Pick<OutboxDrain, 'drain'>, organisationId: () => Id<'org'>) {
    this.sql = sql;
    this.services = services;
    this.outbox = outbox;
    this.organisationId = organisationId;
  }

  /** The erasure timer: after a failure it waits longer each time. */
  async work(): Promise<() => number | null> {
    this.running = this.erase();
    this.failures = (await this.running) ? 0 : this.failures + 1;
    return () => (store.countErasures(this.sql) === 0 ? null : this.services.now() + drainBackoffMs(this.failures));
  }

  /** The timer waits after a failure. */
  get isFailing(): boolean {
    return this.failures > 0;
  }

  /** Like `OutboxDrain.stop`. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  /** False: addresses are left. After a failure each address is tried by itself, and one that fails moves to the end. */
  private async erase(): Promise<boolean> {
    for (;;) {
      const erasures = store.listErasures(this.sql, this.failures === 0 ? ERASED_AT_ONCE : 1);
      const hashes = erasures.map(({ addressHash }) => addressHash);
      if (hashes.length === 0) return true;
      // Rows in the outbox may be about the same addresses.
      if (!(await this.outbox.drain()) || this.stopped) return false;
      if (!(await this.services.erase(this.organisationId(), erasures))) {
        store.postponeErasures(this.sql, hashes, this.services.now());
        return false;
      }
      // Their rows that Postgres has rejected since.
      for (const hash of hashes) store.forgetSetAside(this.sql, hash);
      store.deleteErasures(this.sql, hashes);
    }
  }
}
