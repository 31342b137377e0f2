import { type Id, idFromBytes } from '../../kernel/ids.ts';
import type { ObjectDeps, OperatorsDeps } from '../../organisation/api.ts';

/** The organisation that operator keys belong to. Its id is fixed, so that a second bootstrap finds it again. */
export const OPERATORS_ID: Id<'org'> = idFromBytes('org', new Uint8Array(16));

export type OperationsDeps = ObjectDeps & OperatorsDeps;
