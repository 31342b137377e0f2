import type { Id } from '../kernel/ids.ts';
import type { OperatorsRpc, OrganisationRpc } from '../organisation/api.ts';

/** Placed near the database. The hint counts only when this call creates the object. */
const near = (region: string | null) => (region === null ? {} : { locationHint: region as DurableObjectLocationHint });

/** The organisation's object. RPC's own types make each optional field of an answer one that may be undefined. */
export const organisationStub = (env: Env, region: string | null, id: Id<'org'>): OrganisationRpc =>
  env.ORGANISATION.getByName(id, near(region)) as unknown as OrganisationRpc;

/** The one object of the whole service. */
export const operatorsStub = (env: Env, region: string | null): OperatorsRpc =>
  env.OPERATORS.getByName('operators', near(region));
