import { OrganisationObjectBase } from '../organisation/object.ts';
import { openObjectServices } from './object-services.ts';

/** The class that the runtime instantiates: an organisation's object with its services. */
export class OrganisationObject extends OrganisationObjectBase {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, openObjectServices(env));
  }
}
