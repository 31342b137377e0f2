import { DurableObject } from 'cloudflare:workers';
import type { CounterTotals } from '../domain/metering/counter-totals.ts';
import type { Id } from '../kernel/ids.ts';
import { NOTE_ENDS_MS } from './at-work.ts';
import type { DeadLetter, OperatorsRecord } from './calls.ts';
import type { OperatorsPort } from './ports.ts';
import * as store from './sql/operators.ts';

/** The calls of the operators' own object, beside those of every organisation's object. */
export abstract class OperatorsObject extends DurableObject<Env> implements OperatorsPort {
  protected abstract now(): number;

  async noteOrganisations(ids: readonly Id<'org'>[]): Promise<void> {
    store.noteOrganisations(this.ctx.storage.sql, ids);
  }

  async dropOrganisation(id: Id<'org'>): Promise<void> {
    store.dropOrganisation(this.ctx.storage.sql, id);
  }

  async listOrganisations(): Promise<readonly Id<'org'>[]> {
    return store.listOrganisations(this.ctx.storage.sql);
  }

  async noteWork(id: Id<'org'>): Promise<void> {
    store.noteWork(this.ctx.storage.sql, this.now(), id);
  }

  async listAtWork(): Promise<readonly Id<'org'>[]> {
    return store.listAtWork(this.ctx.storage.sql);
  }

  async endWork(id: Id<'org'>): Promise<void> {
    store.endWork(this.ctx.storage.sql, id, this.now() - NOTE_ENDS_MS);
  }

  async addCounters(counters: CounterTotals): Promise<void> {
    this.ctx.storage.transactionSync(() => store.addCounters(this.ctx.storage.sql, this.now(), counters));
  }

  async addDeadLetters(letters: readonly DeadLetter[]): Promise<void> {
    this.ctx.storage.transactionSync(() => store.addDeadLetters(this.ctx.storage.sql, this.now(), letters));
  }

  async readOperations(): Promise<OperatorsRecord> {
    return store.readOperations(this.ctx.storage.sql, this.now());
  }
}
