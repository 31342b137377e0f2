import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the service is and what opens it. */
export interface Connection {
  readonly baseUrl: string;
  readonly key: string;
}

/** A failure in one line: the service's answer, or that it is unreachable. */
export class OperatorError extends Error {
  /** Seconds after which the service takes the call again. */
  readonly retryAfterS: number | null;
  /** What the command ends with. */
  readonly exitCode: number = 1;

  constructor(message: string, retryAfterS: number | null = null) {
    super(message);
    this.retryAfterS = retryAfterS;
  }
}

/** Ctrl-C ended the command: 128 and the signal's number, as shells have it. */
export class Interrupted extends OperatorError {
  override readonly exitCode = 130;
}

const REQUEST_TIMEOUT_MS = 120_000;

/** Whose key a command needs, and where it is looked for. */
const KEYS = {
  operator: { option: '--key-file', variable: 'EMAIL_VERIFICATION_OPERATOR_KEY', ofStack: 'operator' },
  organisation: { option: '--api-key-file', variable: 'EMAIL_VERIFICATION_API_KEY', ofStack: 'member' },
} as const;

/**
 * URL and key from the options and the environment; without either, both from the local stack's own `stack.json`, never
 * one from each. Throws an `OperatorError` that names what is missing.
 */
export function findConnection(
  options: { url?: string; key?: string | undefined; state: string },
  whose: keyof typeof KEYS = 'operator',
): Connection {
  const { option, variable, ofStack } = KEYS[whose];
  const baseUrl = options.url ?? process.env.EMAIL_VERIFICATION_BASE_URL;
  const key = options.key ?? process.env[variable];
  if (baseUrl !== undefined && key !== undefined) return { baseUrl, key };
  if (baseUrl !== undefined) throw new OperatorError(`Set ${variable}, or give ${option}.`);
  const stack = readStack(options.state);
  // A key alone may be one of the local stack's own organisations.
  if (key !== undefined && whose === 'organisation' && stack !== null) return { baseUrl: stack.base_url, key };
  if (key !== undefined) throw new OperatorError('Set EMAIL_VERIFICATION_BASE_URL, or give --url.');
  if (stack === null) {
    throw new OperatorError(
      `No service to talk to: start the local stack with \`npm start\` (--state says where, if not in .local), or set EMAIL_VERIFICATION_BASE_URL and ${variable}.`,
    );
  }
  return { baseUrl: stack.base_url, key: stack.keys[ofStack] };
}

function readStack(state: string): { base_url: string; keys: { operator: string; member: string } } | null {
  try {
    return JSON.parse(readFileSync(join(state, 'stack.json'), 'utf8'));
  } catch {
    return null;
  }
}

/** One call, until `signal` ends it. Throws an `OperatorError` with the service's own message and trace id. */
export async function callService(
  connection: Connection,
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  let response: Response;
  try {
    response = await fetch(connection.baseUrl.replace(/\/$/, '') + path, {
      method,
      headers: {
        authorization: `Bearer ${connection.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
  } catch {
    if (signal?.aborted) throw new Interrupted('Interrupted.');
    throw new OperatorError(`${connection.baseUrl} can't be reached. Is it running?`);
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  if (signal?.aborted) throw new Interrupted('Interrupted.');
  if (response.ok) throw new OperatorError(`${connection.baseUrl} broke off.`);
  const error = (answer as { error?: { code: string; message: string; trace_id: string } } | null)?.error;
  const retryAfter = response.headers.get('retry-after');
  throw new OperatorError(
    error ? `${error.message} (${error.code}, ${error.trace_id})` : `The service answered ${response.status}.`,
    retryAfter === null ? null : Number(retryAfter),
  );
}
