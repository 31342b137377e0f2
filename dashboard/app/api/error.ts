/** A refused or failed call, in the API's words. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Trace id, for a report to the operator. */
  readonly traceId: string | null;

  constructor(status: number, code: string, message: string, traceId: string | null) {
    super(message);
    this.status = status;
    this.code = code;
    this.traceId = traceId;
  }
}

interface Envelope {
  readonly error?: { readonly code?: string; readonly message?: string; readonly trace_id?: string };
}

const OFFLINE = 'Can’t reach the service. Check your connection and try again.';

export const offline = (): ApiError => new ApiError(0, 'offline', OFFLINE, null);

/** What a person can do, in place of the API's advice for programs. */
const forPeople = (message: string): string =>
  message.replace(/: (?:repeat|wait) [^:]*`Retry-After`[^:]*$/, '. Try again in a minute.');

/** The body may come from a proxy, not from the service. */
export function errorOf(status: number, body: unknown): ApiError {
  const { error } = Object(body) as Envelope;
  return new ApiError(
    status,
    error?.code ?? 'unknown',
    forPeople(error?.message ?? `The service returned ${status}.`),
    error?.trace_id ?? null,
  );
}
