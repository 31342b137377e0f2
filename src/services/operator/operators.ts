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
  /** Newest first. */
  readonly ids: readonly Id<'org'>[];
  /** What the next page begins behind; null: this was the last. */
  readonly cursor: Id<'org'> | null;
  /** False: Postgres is away, and these are those that the operators' object has noted. */
  readonly fromDirectory: boolean;
}

export const ALL_ORGANISATIONS = { before: null, limit: Number.POSITIVE_INFINITY };

/** Both places have one order: a cursor stays good when Postgres goes or comes back. */
export async function knownOrganisations(
  db: Database,
  objects: OperationsDeps,
  { before, limit }: { readonly before: Id<'org'> | null; readonly limit: number },
): Promise<KnownOrganisations> {
  const page = (ids: readonly Id<'org'>[]) => ({
    ids: ids.slice(0, limit),
    cursor: ids.length > limit ? (ids[limit - 1] ?? null) : null,
  });
  try {
    const ids: Id<'org'>[] = [];
    for await (const listed of allOrganisations(db, before)) {
      ids.push(...listed.map(({ id }) => id));
      if (ids.length > limit) break;
    }
    return { ...page(ids), fromDirectory: true };
  } catch (error) {
    if (failedDependency(error) !== 'postgres') throw error;
    const noted = await askOperations(objects, 'listOrganisations', (stub) => stub.listOrganisations());
    return { ...page(noted.filter((id) => before === null || id < before)), fromDirectory: false };
  }
}
