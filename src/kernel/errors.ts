/**
 * Why a request is refused. Entrypoints map these to their own protocol (an HTTP status, an MCP error) with an exhaustive
 * switch.
 */
export const REFUSAL_CODES = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'too_large',
  'conflict',
  'request_in_progress',
  'gone',
  'version_conflict',
  'no_email_column',
  'rate_limited',
  'quota_exceeded',
  'screening_quota_exceeded',
  // An outage of something the call needs: Postgres, the organisation's object, a required setting.
  'dependency_unavailable',
  // The sandbox's simulated internal error.
  'simulated_bug',
] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** Details for an entrypoint: whole seconds for `Retry-After`, methods for `Allow`. */
export interface RefusalDetails {
  readonly retryAfterS?: number;
  readonly allow?: readonly string[];
  /** The estimate of a refused bulk job. */
  readonly estimate?: object;
}

/** A refusal for the caller's fault or limit, or an outage. The message is safe: it contains no caller's values. */
export class DomainError extends Error {
  readonly code: RefusalCode;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, message: string, details: RefusalDetails = {}) {
    super(message);
    this.name = 'DomainError';
    this.code = code;
    this.details = details;
  }
}

/** What a call may need outside the Worker. `mail_service`: a webhook's proof, or a subscription's confirmation. */
export type Dependency = 'postgres' | 'dns' | 'object' | 'kv' | 'r2' | 'queue' | 'settings' | 'mail_service';

/** A dependency gives no usable answer: an outage, neither the caller's fault nor a bug. */
export class DependencyError extends Error {
  readonly dependency: Dependency;

  constructor(dependency: Dependency, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DependencyError';
    this.dependency = dependency;
  }
}

/** An error and its causes, outermost first. Handles cycles. */
export function withCauses(error: unknown): readonly unknown[] {
  const chain = new Set([error]);
  for (const each of chain) if (each instanceof Error && each.cause !== undefined) chain.add(each.cause);
  return [...chain];
}

/** The dependency that failed, also inside a library's wrapper; null for a bug. */
export const failedDependency = (error: unknown): Dependency | null =>
  withCauses(error).find((each) => each instanceof DependencyError)?.dependency ?? null;

/** For calls that are expected to fail sometimes: DNS, providers, the organisation's object. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });
