import type { Organisation, StatusResponse } from '../../contract/operator.ts';
import { failedDependency } from '../../kernel/errors.ts';
import type { Deps } from '../deps.ts';
import { allOrganisations } from './known-organisations.ts';
import { organisationBody } from './organisations.ts';
import { readServiceStatus } from './service-status.ts';

/** What the dashboard shows operators. */
export interface Operations {
  readonly status: Omit<StatusResponse, 'last_24h'>;
  /** Newest first; null while Postgres is away. */
  readonly directory: readonly Organisation[] | null;
}

/** The service's status, and every organisation by name. It changes nothing. */
export async function readOperations(deps: Deps): Promise<Operations> {
  const [{ last_24h: _, ...status }, directory] = await Promise.all([readServiceStatus(deps), readDirectory(deps)]);
  return { status, directory };
}

async function readDirectory({ db }: Pick<Deps, 'db'>): Promise<Organisation[] | null> {
  try {
    const organisations: Organisation[] = [];
    for await (const page of allOrganisations(db)) organisations.push(...page.map(organisationBody));
    return organisations;
  } catch (error) {
    if (failedDependency(error) !== 'postgres') throw error;
    return null;
  }
}
