import { OrganisationObjectBase } from '../organisation/object.ts';
import { openObjectServices } from './object-services.ts';

/** The class that the runtime makes objects of: an organisation's object with what it needs of the world. */
export class OrganisationObject extends OrganisationObjectBase {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, openObjectServices(env));
  }
}
