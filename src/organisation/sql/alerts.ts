import type { Alert } from '../../domain/metering/alerts.ts';
import { type ColumnsOf, insertRecord, type RowOf, type Sql, selectList } from './sql.ts';

/** `mailTry`: which try of its mails is next; 0: none. */
export interface HeldAlert extends Alert {
  readonly mailTry: number;
}

const COLUMNS: ColumnsOf<HeldAlert> = { month: 'month', of: '"of"', share: 'share', mailTry: 'mail_try' };

/** False: the month has it already. */
export const insertAlert = (sql: Sql, alert: HeldAlert): boolean =>
  insertRecord<HeldAlert>(sql, 'alert', COLUMNS, alert, 'on conflict do nothing returning month').length === 1;

export const listUnmailedAlerts = (sql: Sql): HeldAlert[] =>
  sql.exec<RowOf<HeldAlert>>(`select ${selectList(COLUMNS)} from alert where mail_try > 0`).toArray();

export const setAlertTry = (sql: Sql, { month, of, share }: Alert, mailTry: number): void =>
  void sql.exec('update alert set mail_try = ? where month = ? and "of" = ? and share = ?', mailTry, month, of, share);

export function deleteAlertsBefore(sql: Sql, month: string): void {
  sql.exec('delete from alert where month < ?', month);
}
