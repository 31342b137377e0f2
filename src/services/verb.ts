import type * as z from 'zod';
import type { RouteDeclaration } from '../contract/route.ts';
import type { Meter } from '../domain/metering/usage.ts';
import type { PolicyChange } from '../domain/policy/document.ts';
import type { SignedBody } from '../kernel/crypto.ts';
import type { RuleLookup } from '../organisation/api.ts';
import type { Authorization, AuthorizationOptions, Authorized } from './authorization.ts';
import type { AuthorizedRequest, Caller } from './caller.ts';
import type { Deps, InputDeps, Reach, ServiceDeps } from './deps.ts';
import type { Download, StreamedBody } from './files.ts';
import type { ObjectExchange } from './object-exchange.ts';
import { withoutVendors } from './switched-off.ts';

/** A request's input, before or after its route's schemas have read it. */
export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A request's input, as its route's schemas have read it. */
export interface ReadInput extends RawInput {
  readonly signed: SignedBody | undefined;
  readonly upload: StreamedBody | undefined;
  /** `If-Match`, for a `versioned` route. */
  readonly expected: PolicyChange['expected'];
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

export interface Input<R extends RouteDeclaration> {
  readonly params: R extends { params: infer S } ? Output<S> : undefined;
  readonly query: R extends { query: infer S } ? Output<S> : undefined;
  readonly body: R extends { body: { schema: infer S } } ? Output<S> : undefined;
  readonly signed: R extends { signed: object } ? SignedBody : undefined;
  readonly upload: R extends { upload: object } ? StreamedBody : undefined;
  /** `If-Match`, for a `versioned` route. */
  readonly expected: PolicyChange['expected'];
}

export type RouteAnswer<R extends RouteDeclaration> = R['response'] extends { schema: infer S extends z.ZodType }
  ? z.output<S>
  : Download;

/** What a verb asks of the object along with authorization. */
export interface Lookup extends AuthorizationOptions {
  readonly rules?: RuleLookup | null;
}

/** Brand: only this file can create one. */
declare class MadeHere<Kind> {
  protected readonly kind: Kind;
}

/** An authorized request in the hands of its verb. */
export interface Context<A extends Authorization = Authorized, D extends Deps = Deps>
  extends AuthorizedRequest<A>, MadeHere<'context'> {
  readonly deps: D;
}

type NameOf<R extends RouteDeclaration> = `${R['method']} ${R['path']}`;
type Reached<R extends RouteDeclaration> = NameOf<R> extends keyof Reach ? Reach[NameOf<R>] : never;

/**
 * A use case: what it asks the object for, and what it does once authorized. `parse` finds faults that the schemas
 * can't. They are refused after key and role, and charge nothing.
 */
interface UseCase<R extends RouteDeclaration, P> {
  readonly route: R;
  readonly parse?: (input: Input<R>, caller: Caller, deps: InputDeps) => P;
  readonly lookup?: (parsed: P, caller: Caller, deps: InputDeps) => Lookup;
  readonly run: (
    context: Context<Authorized, Deps & Pick<ServiceDeps, Reached<R>>>,
    parsed: P,
  ) => Promise<RouteAnswer<R>>;
}

/** The part of a request's exchange with its organisation's object that serves a verb. */
export type Exchange = Caller &
  Pick<
    ObjectExchange,
    'verify' | 'decide' | 'authorize' | 'reserveEnrichment' | 'reserveProviders' | 'commit' | 'endAnalysis'
  >;

/** A verb whose route is not known at compile time. */
export interface AnyVerb extends MadeHere<'verb'> {
  readonly route: RouteDeclaration;
  /** Throws for invalid input. Only the returned function authorizes the request and runs the verb. */
  prepare(input: ReadInput, exchange: Exchange, deps: ServiceDeps): () => Promise<unknown>;
}

export interface Verb<R extends RouteDeclaration> extends AnyVerb {
  readonly route: R;
  prepare(input: ReadInput, exchange: Exchange, deps: ServiceDeps): () => Promise<RouteAnswer<R>>;
}

type Keyed = RouteDeclaration & { readonly access: Exclude<RouteDeclaration['access'], 'public' | 'bootstrap'> };
type Unmetered = Keyed & { readonly meter: null };
type Metered = Keyed & { readonly meter: Meter };
type Open = RouteDeclaration & { readonly access: 'public' | 'bootstrap' };

export function verb<const R extends Unmetered, P = Input<R>>({ route, parse, lookup, run }: UseCase<R, P>): Verb<R> {
  const prepare: Verb<R>['prepare'] = (read, exchange, deps) => {
    // The route's own schemas have read it, and a verb without `parse` takes it as it is.
    const input = read as Input<R>;
    const parsed = parse === undefined ? (input as P) : parse(input, exchange, deps);
    const serve = async () => {
      const { rules = null, ...options } = lookup?.(parsed, exchange, deps) ?? {};
      const authorized = await exchange.authorize(rules, options);
      if (!authorized.reached) throw new Error('this is not served without the organisation');
      const context = { ...exchange, deps: withoutVendors(deps, authorized.off), authorized };
      return run(context as typeof context & MadeHere<'context'>, parsed);
    };
    // Also where the object's answer was lost: it may have let the request in.
    return () => (route.rate === 'analysis' ? serve().finally(exchange.endAnalysis) : serve());
  };
  return { route, prepare } as Verb<R>;
}

/** A use case of the verification family: it observes before it is authorized, also while the object is unreachable. */
interface MeteredUseCase<R extends RouteDeclaration, P> {
  readonly route: R;
  readonly parse: (input: Input<R>) => P;
  readonly serve: (request: Exchange, parsed: P, deps: ServiceDeps) => Promise<RouteAnswer<R>>;
}

export function meteredVerb<const R extends Metered, P>({ route, parse, serve }: MeteredUseCase<R, P>): Verb<R> {
  const prepare: Verb<R>['prepare'] = (read, exchange, deps) => {
    const parsed = parse(read as Input<R>);
    return () => serve(exchange, parsed, deps);
  };
  return { route, prepare } as Verb<R>;
}

/** A use case without a key: health, a signed webhook, the first key. */
interface OpenUseCase<R extends RouteDeclaration> {
  readonly route: R;
  readonly answer: (
    deps: Pick<ServiceDeps, Reached<R>>,
    input: Input<R> & { readonly token: string },
  ) => Promise<RouteAnswer<R>>;
}

export interface AnyOpenVerb extends MadeHere<'open verb'> {
  readonly route: RouteDeclaration;
  /** `token`: what the caller sent as its key. */
  answer(deps: ServiceDeps, input: ReadInput & { readonly token: string }): Promise<unknown>;
}

export interface OpenVerb<R extends RouteDeclaration> extends AnyOpenVerb {
  readonly route: R;
  answer(deps: ServiceDeps, input: ReadInput & { readonly token: string }): Promise<RouteAnswer<R>>;
}

export function openVerb<const R extends Open>({ route, answer }: OpenUseCase<R>): OpenVerb<R> {
  const answerRead: OpenVerb<R>['answer'] = (deps, input) =>
    answer(deps, input as ReadInput & Input<R> & { readonly token: string });
  return { route, answer: answerRead } as OpenVerb<R>;
}
