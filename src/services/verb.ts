import type * as z from 'zod';
import type { RouteDeclaration } from '../contract/route.ts';
import type { PolicyChange } from '../domain/policy/policy-records.ts';
import type { SignedBody } from '../kernel/signed-body.ts';
import type { RuleProbe } from '../organisation/api.ts';
import type { Admission, AdmissionWish, Admitted } from './admission.ts';
import type { AdmittedRequest, Caller } from './caller.ts';
import type { Deps } from './deps.ts';
import type { Download, StreamedBody } from './files.ts';

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What came with a request, read as its route declares it. */
export interface Input<R extends RouteDeclaration> {
  readonly params: R extends { params: infer S } ? Output<S> : undefined;
  readonly query: R extends { query: infer S } ? Output<S> : undefined;
  readonly body: R extends { body: { schema: infer S } } ? Output<S> : undefined;
  readonly signed: R extends { signed: object } ? SignedBody : undefined;
  readonly upload: R extends { upload: object } ? StreamedBody : undefined;
  /** `If-Match`, where the route is `versioned`. */
  readonly expected: PolicyChange['expected'];
}

export type Answer<R extends RouteDeclaration> = R['response'] extends { schema: infer S extends z.ZodType }
  ? z.output<S>
  : Download;

/** What a verb asks of the object when it is authorised. */
export interface Probe extends AdmissionWish {
  readonly rules?: RuleProbe | null;
}

/** An admitted request in the hands of its verb. Only the frame makes one: a verb can't run without it. */
export interface Context<A extends Admission = Admitted> extends AdmittedRequest<A> {
  readonly deps: Deps;
}

/** The verification family is served while the object is out of reach. All other verbs need the object's word on the key. */
type AdmissionOf<R extends RouteDeclaration> = R['meter'] extends null ? Admitted : Admission;

/**
 * A use case: what its request asks of the object, what may begin before it is admitted, and what it does once it is.
 * `parse` finds faults that the schemas can't. The frame refuses them after key and role, and charges nothing.
 * `begin` is I/O that needs no permission (DNS, caches). It runs beside the authorisation.
 */
export interface Verb<R extends RouteDeclaration, P, B> {
  readonly route: R;
  readonly parse?: (input: Input<R>, caller: Caller, deps: Deps) => P;
  readonly probe?: (parsed: P, caller: Caller, deps: Deps) => Probe;
  readonly begin?: (parsed: P, caller: Caller, deps: Deps) => Promise<B>;
  readonly run: (context: Context<AdmissionOf<R>>, parsed: P, begun: B) => Promise<Answer<R>>;
}

type Keyed = RouteDeclaration & { readonly access: Exclude<RouteDeclaration['access'], 'public' | 'bootstrap'> };
type Open = RouteDeclaration & { readonly access: 'public' | 'bootstrap' };

export const verb = <const R extends Keyed, P = Input<R>, B = undefined>(declared: Verb<R, P, B>): Verb<R, P, B> =>
  declared;

/** A use case without a key: health, a signed webhook, the first key. It reaches no organisation's data. */
export interface OpenVerb<R extends RouteDeclaration> {
  readonly route: R;
  readonly answer: (deps: Deps, input: Input<R> & { readonly token: string }) => Promise<Answer<R>>;
}

export const openVerb = <const R extends Open>(declared: OpenVerb<R>): OpenVerb<R> => declared;

/** A verb whose route is not known at compile time. */
export interface AnyVerb {
  readonly route: RouteDeclaration;
  readonly parse?: (input: never, caller: Caller, deps: Deps) => unknown;
  readonly probe?: (parsed: never, caller: Caller, deps: Deps) => Probe;
  readonly begin?: (parsed: never, caller: Caller, deps: Deps) => Promise<unknown>;
  readonly run: (context: Context<never>, parsed: never, begun: never) => Promise<unknown>;
}

export interface AnyOpenVerb {
  readonly route: RouteDeclaration;
  readonly answer: (deps: Deps, input: never) => Promise<unknown>;
}
