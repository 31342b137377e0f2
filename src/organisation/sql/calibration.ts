import type { CalibrationInForce } from '../api.ts';
import { first, type Sql } from './sql.ts';

/** The version of the fitted model in force; null: the seeded tables. */
export const findCalibrationVersion = (sql: Sql): string | null =>
  first<{ version: string | null }>(sql, 'select version from calibration')?.version ?? null;

/** Puts a model in force, unless a later run's model is in force. */
export function adoptCalibration(sql: Sql, { version, computedAt }: CalibrationInForce): void {
  sql.exec(
    `insert into calibration (id, version, computed_at) values (1, ?, ?)
     on conflict (id) do update set version = excluded.version, computed_at = excluded.computed_at
     where excluded.computed_at >= computed_at`,
    version,
    computedAt,
  );
}
