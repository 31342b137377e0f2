import type { AddressFacts } from '../domain/belief/facts.ts';
import { rowName } from '../domain/belief/names.ts';
import type { RuleRecord } from '../domain/rules/rules.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import { erasedMark } from './sql/bulk.ts';
import type { ObjectCore } from './core.ts';
import { drainBackoffMs } from './outbox.ts';
import type { OutboxDrain } from './outbox-drain.ts';
import { findRules, forgetAddress } from './rules.ts';
import { forgetOperations, listAnswers } from './sql/operations.ts';
import * as store from './sql/organisation.ts';
import { forgetRehash } from './sql/rehash.ts';

/** What the object stores about an address. */
export interface AddressKept {
  readonly rule: RuleRecord | null;
  /** Answers stored for a repeat, as JSON without the address. */
  readonly answers: readonly string[];
  readonly history: AddressFacts | null;
}

export interface Forgotten {
  readonly rules: number;
  /** Stored answers, history rows, and reports in them. */
  readonly answers: number;
  readonly histories: number;
  readonly reports: number;
  /** Whether the whole outbox is in Postgres. */
  readonly drained: boolean;
  readonly isGone?: true;
}

/** By then a caller has erased an address's rows in Postgres, or has died. */
const ERASE_AFTER_MS = MINUTE_MS;
const ERASED_AT_ONCE = 100;

/**
 * Unlinks forgotten addresses from their rows in Postgres. Has its own timer: in a large organisation a statement may
 * time out, and the outbox must not wait for that.
 */
export class Erasures {
  private readonly core: ObjectCore;
  private readonly outbox: OutboxDrain;
  private running: Promise<boolean> | null = null;
  private stopped = false;
  private failures = 0;

  constructor(core: ObjectCore, outbox: OutboxDrain) {
    this.core = core;
    this.outbox = outbox;
  }

  kept(addressHash: string): AddressKept {
    const { sql, history } = this.core;
    const [rule = null] = findRules(sql, 'address', 'key', [addressHash]);
    return { rule, answers: listAnswers(sql, addressHash), history: history.about(addressHash) };
  }

  /** Drops what the object stores about an address, and later the rows in Postgres if the caller dies first. */
  async forget(addressHash: string, keepsUsers: boolean): Promise<Forgotten> {
    const { core } = this;
    if (core.isDeleted) return { rules: 0, answers: 0, histories: 0, reports: 0, drained: true, isGone: true };
    const rules = core.live === null ? 0 : this.forgetRules(addressHash, keepsUsers);
    // The removal of a rule carries the address to Postgres.
    const drained = await this.outbox.drainBriefly();
    const held = core.transact(() => {
      store.forgetSetAside(core.sql, addressHash);
      forgetRehash(core.sql, addressHash);
      const answers = forgetOperations(core.sql, addressHash);
      return { answers, ...core.history.forget(addressHash, core.now()) };
    });
    return { rules, ...held, drained };
  }

  /** Unlinks the address in Postgres once everything now in the outbox is written. */
  later(addressHash: string, keepsUsers: boolean): void {
    const { core } = this;
    core.require();
    const now = core.now();
    store.putErasure(core.sql, { addressHash, keepsUsers }, now);
    if (this.failures > 0) core.timers.arm('erasure', now);
    // By the alarm, so that the caller does not wait.
    else core.timers.advance('erasure', now + 1);
  }

  /** The erasure timer: waits longer after each failure. */
  async work(): Promise<() => number | null> {
    this.running = this.erase();
    this.failures = (await this.running) ? 0 : this.failures + 1;
    return () =>
      store.countErasures(this.core.sql) === 0 ? null : this.core.services.now() + drainBackoffMs(this.failures);
  }

  /** Like `OutboxDrain.stop`. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private forgetRules(addressHash: string, keepsUsers: boolean): number {
    return this.core.change((deps) => {
      const commitAt = deps.now + ERASE_AFTER_MS;
      store.putErasure(deps.sql, { addressHash, keepsUsers }, commitAt);
      store.markErased(deps.sql, erasedMark(rowName(addressHash)), deps.now);
      this.core.timers.arm('erasure', commitAt);
      return forgetAddress(deps, addressHash);
    });
  }

  /** False: addresses are left. After a failure each is tried by itself, and a failing one moves to the end. */
  private async erase(): Promise<boolean> {
    for (;;) {
      const erasures = store.listErasures(this.core.sql, this.failures === 0 ? ERASED_AT_ONCE : 1);
      const hashes = erasures.map(({ addressHash }) => addressHash);
      if (hashes.length === 0) return true;
      // Rows in the outbox may be about the same addresses.
      if (!(await this.outbox.drain()) || this.stopped) return false;
      if (!(await this.core.services.erase(this.core.require().id, erasures))) {
        store.postponeErasures(this.core.sql, hashes, this.core.services.now());
        return false;
      }
      // Their rows that Postgres has rejected since.
      for (const hash of hashes) store.forgetSetAside(this.core.sql, hash);
      store.deleteErasures(this.core.sql, hashes);
    }
  }
}
