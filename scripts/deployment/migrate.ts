import { MIGRATIONS } from '../stack/database.ts';
import { openPostgres } from '../stack/postgres-database.ts';
import { DeploymentError } from './deployment-error.ts';

/** Never the connection string: it holds a password. */
const reason = (error: unknown, url: string): string => {
  const { message, cause } = error as Error;
  const parts = [message, cause instanceof Error ? cause.message : ''];
  return parts.filter(Boolean).join(': ').replaceAll(url, '…');
};

/**
 * Applies the migrations that have not run yet, as the tables' owner (`DATABASE_OWNER_URL`), and lets the Worker's role
 * (`DATABASE_URL`) read and write rows. Without an owner of its own the one role does both.
 */
export async function migrate({ DATABASE_URL, DATABASE_OWNER_URL }: NodeJS.Dict<string>): Promise<void> {
  const url = DATABASE_OWNER_URL || DATABASE_URL;
  if (!DATABASE_URL || !url)
    throw new DeploymentError('Set DATABASE_URL to the connection string of the database (postgresql://…).');
  const name = DATABASE_OWNER_URL ? 'DATABASE_OWNER_URL' : 'DATABASE_URL';
  const fail = (what: string) => (error: unknown) => {
    throw new DeploymentError(`${what}: ${reason(error, url)}`);
  };
  const database = await openPostgres(url).catch(fail(`The Postgres of ${name} can’t be reached`));
  try {
    await database.migrate(MIGRATIONS).catch(fail('The migrations in drizzle/ can’t be applied'));
    for (const statement of grantsTo(decodeURIComponent(new URL(DATABASE_URL).username), url))
      await database.query(statement, []).catch(fail('The Worker’s role can’t be given its rights'));
  } finally {
    await database.close();
  }
}

/** What the Worker's role may do: rows of every table, those made later too, and the months of partitioned tables. */
export function grantsTo(role: string, ownerUrl: string): string[] {
  if (decodeURIComponent(new URL(ownerUrl).username) === role) return [];
  const to = `to "${role.replaceAll('"', '""')}"`;
  const rows = 'select, insert, update, delete on';
  return [
    `grant usage on schema public ${to}`,
    `grant ${rows} all tables in schema public ${to}`,
    `grant usage on all sequences in schema public ${to}`,
    `grant execute on all functions in schema public ${to}`,
    `alter default privileges in schema public grant ${rows} tables ${to}`,
  ];
}
