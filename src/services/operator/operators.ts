import { type Id, idFromBytes } from '../../kernel/ids.ts';
import { askObject, type ObjectDeps, type OperatorsPort, type OrganisationStub } from '../../organisation/api.ts';

/** The organisation that operator keys belong to. Its id is fixed, so that a second bootstrap finds it again. */
export const OPERATORS_ID: Id<'org'> = idFromBytes('org', new Uint8Array(16));

export type OperationsDeps = ObjectDeps<OrganisationStub & OperatorsPort>;

/** Asks the operators' own object, which keeps what has to be known of the whole service without Postgres. */
export const askOperations = <T>(
  objects: OperationsDeps,
  name: string,
  call: (stub: OperatorsPort) => Promise<T>,
): Promise<T> => askObject(objects, OPERATORS_ID, name, call);
