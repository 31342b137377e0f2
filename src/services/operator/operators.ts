import { type Id, idFromBytes } from '../../kernel/ids.ts';
import type { ObjectDeps, OperatorsPort, OrganisationStub } from '../../organisation/api.ts';

/**
 * The organisation that operator keys belong to. Its id is fixed, so that a second bootstrap finds it again. Its object keeps
 * what has to be known of the whole service without Postgres.
 */
export const OPERATORS_ID: Id<'org'> = idFromBytes('org', new Uint8Array(16));

export type OperationsDeps = ObjectDeps<OrganisationStub & OperatorsPort>;
