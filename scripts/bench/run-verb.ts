import type { RouteDeclaration } from '../../src/contract/route.ts';
import { type Admission, admittedBy } from '../../src/services/admission.ts';
import type { ServiceDeps } from '../../src/services/deps.ts';
import type { ReadInput } from '../../src/services/input.ts';
import type { Exchange, Input, RouteAnswer, Verb } from '../../src/services/verb.ts';

const NOTHING_SENT: ReadInput = {
  params: undefined,
  query: undefined,
  body: undefined,
  signed: undefined,
  upload: undefined,
  expected: null,
};

/** Runs a verb beside an exchange of the test's own; `deps`: what this verb takes of them. */
export const runVerb = <R extends RouteDeclaration, D extends Partial<ServiceDeps>>(
  deps: D,
  verb: Verb<R>,
  exchange: Exchange,
  input: Partial<Input<R>>,
): Promise<RouteAnswer<R>> => {
  const read = { ...NOTHING_SENT, ...input };
  return verb.prepare(read, exchange, deps as Partial<ServiceDeps> as ServiceDeps)();
};

type Granted = Parameters<typeof admittedBy>[0];

/** The fields of the admission; null: the object did not answer. */
export const admission = (granted: Granted): Admission => admittedBy(granted);
