import type * as z from 'zod';
import type { Role } from './vocabulary.ts';

/** A route's only declaration. Mounting, validation, roles, metering, limits and documentation follow from it. */
export interface RouteDeclaration {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: `/${string}`;
  readonly summary: string;
  /** `public`: no key. `bootstrap`: proof of the service secret. `operator`: an operator's key. Else a role. */
  readonly access: 'public' | 'bootstrap' | 'operator' | Role;
  /** The meter the call counts against; null means it is not counted. */
  readonly meter: 'verify' | 'check' | 'screen' | 'decide' | null;
  /** Its one-minute window. `analysis`: reads many traces, and runs alone in its organisation. */
  readonly rate: 'verify' | 'check' | 'screen' | 'read' | 'analysis' | 'outcome' | 'events';
  /** Changes the account itself: test keys are refused (403). */
  readonly live?: true;
  /** Only for a person who just signed in to the dashboard: every key is refused (403). */
  readonly fresh?: true;
  /** Answers with `ETag`, the version; a change takes `If-Match`. */
  readonly versioned?: true;
  readonly idempotent?: true;
  /** Refusals that don't follow from the other fields. */
  readonly refuses?: readonly (400 | 402 | 403 | 404 | 409 | 410)[];
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: { readonly schema: z.ZodType; readonly limitBytes: number; readonly example: unknown };
  /** A signed body in place of a key: passed on byte for byte, with the headers that prove its sender. */
  readonly signed?: { readonly headers: readonly string[]; readonly limitBytes: number };
  /** A streamed body in place of `body`; reading starts once the key is authorized. */
  readonly upload?: { readonly contentType: 'text/csv'; readonly limitBytes: number };
  readonly response:
    | { readonly status: 200 | 201 | 202; readonly schema: z.ZodType }
    | { readonly status: 200; readonly contentType: 'text/csv' };
}

type Method = RouteDeclaration['method'];
export type Path = RouteDeclaration['path'];

/** Common cases: not metered, in the window of reads. */
const unmetered =
  <const A extends RouteDeclaration['access']>(access: A) =>
  <const M extends Method, const P extends Path>(method: M, path: P) =>
    ({ access, meter: null, rate: 'read', method, path }) as const;
export const open = unmetered('public');
export const viewer = unmetered('viewer');
export const member = unmetered('member');
export const operator = unmetered('operator');
/** For admins with a live key: the account itself. */
export const admin = <const M extends Method, const P extends Path>(method: M, path: P) =>
  ({ ...unmetered('admin')(method, path), live: true }) as const;

/** Whether an empty body counts as `{}`: every field of the POST is optional. */
export const takesNoBody = ({ method, body }: RouteDeclaration): boolean =>
  method === 'post' && body?.schema.safeParse({}).success === true;
