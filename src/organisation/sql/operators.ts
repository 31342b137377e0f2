import { addTotals, type CounterTotals } from '../../domain/metering/counter-totals.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import type { DeadLetter, OperatorsRecord } from '../calls.ts';
import { type ColumnsOf, first, insertRecord, type RowOf, type Sql, selectList } from './sql.ts';

/** As long as a queue keeps its messages. */
const DEAD_LETTERS_KEPT_MS = 14 * DAY_MS;
/** Older messages are dropped: a queue that fails for everybody repeats the same message. */
const DEAD_LETTERS_MAX = 1_000;
const COUNTED_MS = DAY_MS;

const LETTER: ColumnsOf<DeadLetter> = { queue: 'queue', id: 'id', at: 'at', body: 'body' };

export function noteOrganisations(sql: Sql, ids: readonly Id<'org'>[]): void {
  sql.exec(
    'insert into known_organisation (id) select value from json_each(?) where true on conflict do nothing',
    JSON.stringify(ids),
  );
}

export function dropOrganisation(sql: Sql, id: Id<'org'>): void {
  sql.exec('delete from known_organisation where id = ?', id);
  sql.exec('delete from at_work where id = ?', id);
}

/** Newest first. */
export const listOrganisations = (sql: Sql): Id<'org'>[] =>
  sql
    .exec<{ id: Id<'org'> }>('select id from known_organisation order by id desc')
    .toArray()
    .map(({ id }) => id);

/** The organisation's object has work that is due soon. */
export function noteWork(sql: Sql, now: number, id: Id<'org'>): void {
  sql.exec(
    'insert into at_work (id, noted_at) values (?, ?) on conflict (id) do update set noted_at = excluded.noted_at',
    id,
    now,
  );
}

export const listAtWork = (sql: Sql): Id<'org'>[] =>
  sql
    .exec<{ id: Id<'org'> }>('select id from at_work order by id')
    .toArray()
    .map(({ id }) => id);

/** Takes an organisation off whose note is from that time or older. */
export function endWork(sql: Sql, id: Id<'org'>, notedUntil: number): void {
  sql.exec('delete from at_work where id = ? and noted_at <= ?', id, notedUntil);
}

/** One row an hour, however many counters there are. */
export function addCounters(sql: Sql, now: number, counters: CounterTotals): void {
  const hour = Math.floor(now / HOUR_MS);
  const row = first<{ counters: string }>(sql, 'select counters from fleet_hour where hour = ?', hour);
  const known = row === undefined ? {} : (JSON.parse(row.counters) as CounterTotals);
  sql.exec(
    'insert into fleet_hour (hour, counters) values (?, ?) on conflict (hour) do update set counters = excluded.counters',
    hour,
    JSON.stringify(addTotals(known, counters)),
  );
  sql.exec('delete from fleet_hour where hour < ?', Math.floor((now - COUNTED_MS) / HOUR_MS));
}

export function addDeadLetters(sql: Sql, now: number, letters: readonly DeadLetter[]): void {
  for (const letter of letters) insertRecord<DeadLetter>(sql, 'dead_letter', LETTER, letter, 'on conflict do nothing');
  sql.exec('delete from dead_letter where at < ?', now - DEAD_LETTERS_KEPT_MS);
  sql.exec(
    'delete from dead_letter where (queue, id) in (select queue, id from dead_letter order by at desc limit -1 offset ?)',
    DEAD_LETTERS_MAX,
  );
}

export function readOperations(sql: Sql, now: number): OperatorsRecord {
  const hours = sql
    .exec<{ counters: string }>(
      'select counters from fleet_hour where hour >= ?',
      Math.floor((now - COUNTED_MS) / HOUR_MS),
    )
    .toArray();
  const deadLetters = sql
    .exec<RowOf<DeadLetter>>(
      `select ${selectList(LETTER)} from dead_letter where at >= ? order by at desc`,
      now - DEAD_LETTERS_KEPT_MS,
    )
    .toArray();
  const counters = hours.map((row) => JSON.parse(row.counters) as CounterTotals).reduce(addTotals, {});
  return { counters, deadLetters };
}
