import { MIGRATIONS } from '../stack/database.ts';
import { openPostgres } from '../stack/postgres-database.ts';
import { DeploymentError } from './deployment-error.ts';

/** Never the connection string: it holds a password. */
const reason = (error: unknown, url: string): string => {
  const { message, cause } = error as Error;
  const parts = [message, cause instanceof Error ? cause.message : ''];
  return parts.filter(Boolean).join(': ').replaceAll(url, 'DATABASE_URL');
};

/** Applies the migrations that have not run yet to the Postgres of `DATABASE_URL`. */
export async function migrate({ DATABASE_URL: url }: NodeJS.Dict<string>): Promise<void> {
  if (!url) throw new DeploymentError('Set DATABASE_URL to the connection string of the database (postgresql://…).');
  const fail = (what: string) => (error: unknown) => {
    throw new DeploymentError(`${what}: ${reason(error, url)}`);
  };
  const database = await openPostgres(url).catch(fail('The Postgres of DATABASE_URL can’t be reached'));
  try {
    await database.migrate(MIGRATIONS).catch(fail('The migrations in drizzle/ can’t be applied'));
  } finally {
    await database.close();
  }
}
