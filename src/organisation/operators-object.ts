import { DurableObject } from 'cloudflare:workers';
import { addTotals, type CounterTotals } from '../domain/metering/counter-totals.ts';
import { type Clock, DAY_MS, HOUR_MS } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { bringUpToDate, OPERATORS_MIGRATIONS } from './schema.ts';
import { type ColumnsOf, insertRecord, selectList, Sql } from './sql/sql.ts';
import { NOTE_ENDS_MS } from './timers.ts';

/** A message that a queue gave up on. It contains only ids. */
export interface DeadLetter {
  readonly queue: string;
  readonly id: string;
  readonly at: number;
  /** JSON. */
  readonly body: string;
}

export interface OperatorsRecord {
  /** Counters of all isolates over the last 24 hours and the current hour. */
  readonly counters: CounterTotals;
  readonly deadLetters: readonly DeadLetter[];
}

/** A queue's own retention. */
const DEAD_LETTERS_KEPT_MS = 14 * DAY_MS;
/** Older messages are dropped: a queue that fails for everybody repeats the same message. */
const DEAD_LETTERS_MAX = 1_000;
const COUNTED_MS = DAY_MS;

interface Known {
  readonly id: Id<'org'>;
}
const LETTER: ColumnsOf<DeadLetter> = { queue: 'queue', id: 'id', at: 'at', body: 'body' };

/**
 * The operators' object: what must be known of the whole service while Postgres is away. Every call is idempotent
 * except `addCounters`, whose figures are only read by people.
 */
export class OperatorsObject extends DurableObject<Env> {
  private readonly sql: Sql;
  private readonly now: Clock;

  constructor(ctx: DurableObjectState, env: Env, now: Clock) {
    super(ctx, env);
    this.now = now;
    this.sql = new Sql(ctx.storage.sql);
    bringUpToDate(this.sql, (work) => ctx.storage.transactionSync(work), OPERATORS_MIGRATIONS);
  }

  async noteOrganisations(ids: readonly Id<'org'>[]): Promise<void> {
    this.sql.run`
      insert or ignore into known_organisation (id) select value from json_each(${JSON.stringify(ids)})`;
  }

  async dropOrganisation(id: Id<'org'>): Promise<void> {
    this.sql.run`delete from known_organisation where id = ${id}`;
    this.sql.run`delete from at_work where id = ${id}`;
  }

  async listOrganisations(): Promise<readonly Id<'org'>[]> {
    return this.sql.all<Known>`select id from known_organisation order by id desc`.map(({ id }) => id);
  }

  /** The organisation's object has work due soon. */
  async noteWork(id: Id<'org'>): Promise<void> {
    this.sql.run`
      insert into at_work (id, noted_at) values (${id}, ${this.now()})
      on conflict (id) do update set noted_at = excluded.noted_at`;
  }

  async listAtWork(): Promise<readonly Id<'org'>[]> {
    return this.sql.all<Known>`select id from at_work order by id`.map(({ id }) => id);
  }

  /** The sweep has run the organisation's timers: it is removed unless it has reported further work meanwhile. */
  async endWork(id: Id<'org'>): Promise<void> {
    this.sql.run`delete from at_work where id = ${id} and noted_at <= ${this.now() - NOTE_ENDS_MS}`;
  }

  /** One row an hour, however many counters there are. */
  async addCounters(counters: CounterTotals): Promise<void> {
    const now = this.now();
    this.ctx.storage.transactionSync(() => {
      const hour = Math.floor(now / HOUR_MS);
      const row = this.sql.first<{ counters: string }>`select counters from fleet_hour where hour = ${hour}`;
      const known = row === undefined ? {} : (JSON.parse(row.counters) as CounterTotals);
      this.sql.run`
        insert into fleet_hour (hour, counters) values (${hour}, ${JSON.stringify(addTotals(known, counters))})
        on conflict (hour) do update set counters = excluded.counters`;
      this.sql.run`delete from fleet_hour where hour < ${Math.floor((now - COUNTED_MS) / HOUR_MS)}`;
    });
  }

  async addDeadLetters(letters: readonly DeadLetter[]): Promise<void> {
    this.ctx.storage.transactionSync(() => {
      for (const letter of letters)
        insertRecord<DeadLetter>(this.sql, 'dead_letter', LETTER, letter, 'on conflict do nothing');
      this.sql.run`delete from dead_letter where at < ${this.now() - DEAD_LETTERS_KEPT_MS}`;
      this.sql.run`
        delete from dead_letter where (queue, id) in (
          select queue, id from dead_letter order by at desc limit -1 offset ${DEAD_LETTERS_MAX})`;
    });
  }

  async readOperations(): Promise<OperatorsRecord> {
    const from = Math.floor((this.now() - COUNTED_MS) / HOUR_MS);
    const hours = this.sql.all<{ counters: string }>`select counters from fleet_hour where hour >= ${from}`;
    const deadLetters = this.sql.all<DeadLetter>`
      select ${selectList(LETTER)} from dead_letter where at >= ${this.now() - DEAD_LETTERS_KEPT_MS} order by at desc`;
    const counters = hours.map((row) => JSON.parse(row.counters) as CounterTotals);
    return { counters: counters.reduce(addTotals, {}), deadLetters };
  }
}
