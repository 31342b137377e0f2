import type { CalibrationInForce } from '../calls.ts';
import { type ColumnsOf, insertRecord, lookUp, orReplace, type Sql } from './sql.ts';

/** A table of one row. */
type CalibrationRow = CalibrationInForce & { readonly id: 1 };
const COLUMNS: ColumnsOf<CalibrationRow> = { id: 'id', version: 'version', computedAt: 'computed_at' };

/** The version of the fitted model in force; null: the seeded tables. */
export const findCalibrationVersion = (sql: Sql): string | null =>
  lookUp<{ version: string | null }>(sql, 'calibration', 'select version from calibration')?.version ?? null;

/** Puts a model in force, unless a later run's model is in force. */
export function adoptCalibration(sql: Sql, calibration: CalibrationInForce): void {
  const unlessOlder = `${orReplace('id', COLUMNS, [])} where excluded.computed_at >= computed_at`;
  insertRecord<CalibrationRow>(sql, 'calibration', COLUMNS, { ...calibration, id: 1 }, unlessOlder);
}
