import type { Organisation, StatusResponse } from '../../contract/operator.ts';
import { failedDependency } from '../../kernel/errors.ts';
import { listOrganisations } from '../../storage/postgres/organisations.ts';
import type { Deps } from '../deps.ts';
import { organisationBody } from './organisations.ts';
import { readServiceStatus } from './service-status.ts';

/** What the dashboard shows operators. */
export interface Operations {
  readonly status: Omit<StatusResponse, 'last_24h'>;
  /** Newest first; null while Postgres is away. */
  readonly directory: readonly Organisation[] | null;
}

/** Organisations that it shows, the newest: the command line reads all. */
const SHOWN = 1_000;

/** The service's status, and the organisations by name. It changes nothing. */
export async function readOperations(deps: Deps): Promise<Operations> {
  const [{ last_24h: _, ...status }, directory] = await Promise.all([
    readServiceStatus(deps, { before: null, limit: SHOWN }),
    readDirectory(deps),
  ]);
  const older = status.cursor === null ? [] : [`organisations older than the newest ${SHOWN}: \`operator status\``];
  return { status: { ...status, unread: [...status.unread, ...older] }, directory };
}

async function readDirectory({ db }: Pick<Deps, 'db'>): Promise<Organisation[] | null> {
  try {
    return (await listOrganisations(db, SHOWN, null)).map(organisationBody);
  } catch (error) {
    if (failedDependency(error) !== 'postgres') throw error;
    return null;
  }
}
