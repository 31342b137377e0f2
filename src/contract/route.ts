import type * as z from 'zod';
import type { Role } from './vocabulary.ts';

/**
 * One declaration a route: it drives mounting, validation, roles, metering, body limits, tests and documentation.
 */
export interface RouteDeclaration {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: `/${string}`;
  readonly summary: string;
  /** `public`: no key. `bootstrap`: proof of the service secret. `operator`: a key whose `operator` is true. Else a role. */
  readonly access: 'public' | 'bootstrap' | 'operator' | Role;
  /** What the call is counted as; null: not counted. */
  readonly meter: 'verify' | 'check' | 'screen' | 'decide' | null;
  readonly rate: 'verify' | 'read' | 'outcome' | 'events';
  /** Changes what the account is: refused (403) to test keys. */
  readonly live?: true;
  /** Answers with `ETag`, the version; a change takes `If-Match`. */
  readonly versioned?: true;
  /** Accepts `Idempotency-Key`. */
  readonly idempotent?: true;
  /** Refusals that nothing else here tells of. */
  readonly refuses?: readonly (400 | 402 | 404 | 409 | 410)[];
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: { readonly schema: z.ZodType; readonly limitBytes: number; readonly example: unknown };
  /** A body that its sender has signed, in place of a key: it is handed on as it came. */
  readonly signed?: { readonly header: string; readonly limitBytes: number };
  /** A body that is streamed, in place of `body`; it is not read before the key is let in. */
  readonly upload?: { readonly contentType: 'text/csv'; readonly limitBytes: number };
  readonly response:
    | { readonly status: 200 | 201 | 202; readonly schema: z.ZodType }
    /** A file, streamed. */
    | { readonly status: 200; readonly contentType: 'text/csv' };
}

/** Whether a call with an empty body is one with `{}`: where every field of a POST is optional. */
export const takesNoBody = ({ method, body }: RouteDeclaration): boolean =>
  method === 'post' && body?.schema.safeParse({}).success === true;
