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
  // The call needs something that is away (Postgres, the organisation’s object, a required setting): an outage, not a
  // bug.
  'dependency_unavailable',
  // The sandbox shows what a bug of ours looks like.
  'simulated_bug',
] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** What an entrypoint may need beside code and message: whole seconds for `Retry-After`, methods for `Allow`. */
export interface RefusalDetails {
  readonly retryAfterS?: number;
  readonly allow?: readonly string[];
  /** What a bulk job would have taken: shown beside the error. */
  readonly estimate?: object;
}

/** A refusal: the caller's fault or limit, or an outage. The message is safe to show and never holds the caller's values. */
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

/** What a call may need beside the Worker itself. `mail_service`: what proves its webhook, or begins its subscription. */
export type Dependency = 'postgres' | 'dns' | 'object' | 'kv' | 'r2' | 'queue' | 'settings' | 'mail_service';

/** A dependency gives no usable answer: an outage, neither the caller's fault nor our bug. */
export class DependencyError extends Error {
  readonly dependency: Dependency;

  constructor(dependency: Dependency, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DependencyError';
    this.dependency = dependency;
  }
}

/** An error and its causes, the outermost first. An error may be a cause of itself. */
export function withCauses(error: unknown): readonly unknown[] {
  const chain = new Set([error]);
  for (const each of chain) if (each instanceof Error && each.cause !== undefined) chain.add(each.cause);
  return [...chain];
}

/** The dependency that failed, also when a library has wrapped the error; null means the error is a bug. */
export const failedDependency = (error: unknown): Dependency | null =>
  withCauses(error).find((each) => each instanceof DependencyError)?.dependency ?? null;

/** The answer of a call that is expected to fail now and then (DNS, providers, the organisation's object). */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });
