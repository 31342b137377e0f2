import { bytesOf } from './history.ts';
import { first, type Sql } from './sql.ts';

type Kind = 'domain' | 'list';

/** What levels have beside the parts of their addresses, encoded. `name`: 32 hex digits of a domain or a list. */
export const findRest = (sql: Sql, kind: Kind, name: string): ArrayBuffer | null =>
  first<{ state: ArrayBuffer }>(sql, 'select state from level_rest where kind = ? and name = ?', kind, bytesOf(name))
    ?.state ?? null;

export function putRest(sql: Sql, kind: Kind, name: string, state: ArrayBuffer): void {
  sql.exec(
    `insert into level_rest (kind, name, state) values (?, ?, ?)
     on conflict (kind, name) do update set state = excluded.state`,
    kind,
    bytesOf(name),
    state,
  );
}

export function deleteRest(sql: Sql, kind: Kind, name: string): void {
  sql.exec('delete from level_rest where kind = ? and name = ?', kind, bytesOf(name));
}
