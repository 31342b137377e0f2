import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { commandLine, wholeNumber } from '../command-line.ts';
import { endWithParent, runChild, tellParent } from './child.ts';
import { type Database, MIGRATIONS } from './database.ts';
import { createNeonServer } from './neon-protocol.ts';

/**
 * A process of its own (embedded Postgres blocks while a query runs): migrated Postgres behind Neon's SQL-over-HTTP
 * endpoint. Uses DATABASE_URL's server, else an embedded one with its files in `--data`. It makes the endpoint's
 * password at every start, and tells only its parent (run by hand: prints it), as part of the connection string.
 */
const options = commandLine('neon-server', 'Postgres behind an endpoint that speaks Neon’s SQL over HTTP.')
  .option('--data <dir>', 'where an embedded Postgres keeps its files')
  .option('--migrations <dir>', 'what it is migrated with', MIGRATIONS)
  .option('--delay-ms <n>', 'how far away it is', wholeNumber(0), 0)
  .parse()
  .opts<{ data?: string; migrations: string; delayMs: number }>();

async function open(): Promise<Database> {
  const { DATABASE_URL: url } = process.env;
  if (url) return (await import('./postgres-database.ts')).openPostgres(url);
  if (!options.data) throw new Error('--data DIR says where the embedded Postgres keeps its files');
  return (await import('./embedded-database.ts')).openEmbedded(options.data, options.migrations);
}

/** Never the connection string, which contains a password. */
const reason = (error: unknown): string => {
  const { message, code, cause } = error as Error & { code?: string };
  return [message || code, cause instanceof Error ? cause.message : undefined].filter(Boolean).join(': ');
};

async function start(): Promise<void> {
  let close = async (): Promise<void> => {};
  endWithParent(() => close());
  const database = await open().catch((error: unknown) => {
    throw new Error(
      process.env.DATABASE_URL
        ? `The Postgres named by DATABASE_URL can't be reached: ${reason(error)}`
        : `The embedded Postgres did not start: ${reason(error)} (--fresh begins with an empty state)`,
    );
  });
  close = () => database.close();
  await database.migrate(options.migrations).catch((error: unknown) => {
    throw new Error(`The migrations in drizzle/ can't be applied: ${reason(error)}`);
  });
  const password = randomBytes(32).toString('base64url');
  const server = createNeonServer(database, { delayMs: options.delayMs, down: false }, password);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = async () => {
    server.closeAllConnections();
    server.close();
    await database.close();
  };
  const { port } = server.address() as AddressInfo;
  const url = `postgresql://local:${password}@127.0.0.1:${port}/postgres`;
  if (process.send) await tellParent({ ready: { url } });
  else console.log(url);
}

runChild(start);
