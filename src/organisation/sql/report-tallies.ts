import type { ReportTally } from '../../domain/verification/report-gate.ts';
import { type ColumnsOf, type RowOf, type Sql, selectList } from './sql.ts';

const COLUMNS: ColumnsOf<ReportTally> = {
  source: 'source',
  host: 'host',
  day: 'day',
  delivered: 'delivered',
  refused: 'refused',
};

export const listTallies = (sql: Sql): ReportTally[] =>
  sql.exec<RowOf<ReportTally>>(`select ${selectList(COLUMNS)} from report_tally`).toArray();

/** Adds to what is there of that source, host and day. */
export function addTally(sql: Sql, { source, host, day, delivered, refused }: ReportTally): void {
  sql.exec(
    `insert into report_tally (source, host, day, delivered, refused) values (?, ?, ?, ?, ?)
     on conflict (source, host, day) do update set
       delivered = delivered + excluded.delivered, refused = refused + excluded.refused`,
    source,
    host,
    day,
    delivered,
    refused,
  );
}

export function deleteTalliesBefore(sql: Sql, day: number): void {
  sql.exec('delete from report_tally where day < ?', day);
}
