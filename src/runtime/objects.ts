import * as organisation from '../organisation/object.ts';
import * as operators from '../organisation/operators-object.ts';
import { serviceClock } from './clock.ts';
import { configOf } from './isolate.ts';
import { openObjectServices } from './object-services.ts';

/** The classes that the runtime instantiates: the objects with their services. */
export class OrganisationObject extends organisation.OrganisationObject {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, openObjectServices(env));
  }
}

export class OperatorsObject extends operators.OperatorsObject {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, serviceClock(configOf(env).clockOffsetMs));
  }
}
