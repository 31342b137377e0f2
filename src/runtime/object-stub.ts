import type { Id } from '../kernel/ids.ts';
import type { AccessPort, BulkPort, OperatorsPort, OrganisationStub } from '../organisation/api.ts';

export type ObjectStub = OrganisationStub & AccessPort & BulkPort & OperatorsPort;

/** The organisation's object, placed near the database. The hint counts only when this call creates the object. */
export function organisationStub(env: Env, region: string | null, id: Id<'org'>): ObjectStub {
  const hint = region === null ? {} : { locationHint: region as DurableObjectLocationHint };
  // The runtime's own type of a stub can't say what a generic method answers.
  return env.ORGANISATION.getByName(id, hint) as OrganisationStub as ObjectStub;
}
