import type { RouteDeclaration } from '../../src/contract/route.ts';
import { type Admission, admittedBy } from '../../src/services/admission.ts';
import type { Caller } from '../../src/services/caller.ts';
import type { Deps } from '../../src/services/deps.ts';
import { authorizeAndRun, parse } from '../../src/services/frame.ts';
import type { ObjectExchange } from '../../src/services/object-exchange.ts';
import type { Answer, Input, Verb } from '../../src/services/verb.ts';

/** The part of a request's exchange with its organisation's object that a verb uses. */
export type Exchange = Caller & Pick<ObjectExchange, 'authorize' | 'reserveEnrichment' | 'commit'>;

/** Runs a verb beside an exchange of the test's own; `deps`: what this verb takes of them. */
export const runVerb = async <R extends RouteDeclaration, P, B, D extends Partial<Deps>>(
  deps: D,
  verb: Verb<R, P, B>,
  exchange: Exchange,
  input: Partial<Input<R>>,
): Promise<Answer<R>> => {
  const all = deps as Partial<Deps> as Deps;
  return (await authorizeAndRun(all, verb, exchange, parse(all, verb, exchange, input))) as Answer<R>;
};

type Granted = Parameters<typeof admittedBy>[0];

/** The fields of the admission; null: the object did not answer. */
export const admission = (granted: Granted): Admission => admittedBy(granted);
