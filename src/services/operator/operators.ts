import { failedDependency } from '../../kernel/errors.ts';
import { type Id, idFromBytes } from '../../kernel/ids.ts';
import { askObject, type ObjectDeps, type OperationsPort, type OrganisationStub } from '../../organisation/api.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { allOrganisations } from '../traces/pages.ts';

/** The organisation that operator keys belong to: one fixed id, so that bootstrapping twice finds it again. */
export const OPERATORS_ID: Id<'org'> = idFromBytes('org', new Uint8Array(16));

export type OperationsDeps = ObjectDeps<OrganisationStub & OperationsPort>;

/** Asks the operators' own object, which keeps what is to be known of the whole service without Postgres. */
export const askOperations = <T>(
  objects: OperationsDeps,
  name: string,
  call: (stub: OperationsPort) => Promise<T>,
): Promise<T> => askObject(objects, OPERATORS_ID, name, call);

export interface KnownOrganisations {
  readonly ids: readonly Id<'org'>[];
  /** False: Postgres is away, and these are those that the operators' object has noted. */
  readonly fromDirectory: boolean;
}

export async function knownOrganisations(db: Database, objects: OperationsDeps): Promise<KnownOrganisations> {
  try {
    const ids: Id<'org'>[] = [];
    for await (const page of allOrganisations(db)) ids.push(...page.map(({ id }) => id));
    return { ids, fromDirectory: true };
  } catch (error) {
    if (failedDependency(error) !== 'postgres') throw error;
    const ids = await askOperations(objects, 'listOrganisations', (stub) => stub.listOrganisations());
    return { ids, fromDirectory: false };
  }
}
