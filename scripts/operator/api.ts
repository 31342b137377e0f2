import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the operator API is and what opens it. */
export interface Connection {
  readonly baseUrl: string;
  readonly key: string;
}

/** A failure told in one line: what the service answered, or that it could not be reached. */
export class OperatorError extends Error {}

const REQUEST_TIMEOUT_MS = 120_000;

/**
 * Address and key from the options and the environment; without either, both from the local stack's own `stack.json`, never
 * one from each. Throws an `OperatorError` that says what is missing.
 */
export function findConnection(options: { url?: string; key?: string; state: string }): Connection {
  const baseUrl = options.url ?? process.env.EMAIL_VERIFICATION_BASE_URL;
  const key = options.key ?? process.env.EMAIL_VERIFICATION_OPERATOR_KEY;
  if (baseUrl !== undefined && key !== undefined) return { baseUrl, key };
  if (baseUrl !== undefined) throw new OperatorError('Set EMAIL_VERIFICATION_OPERATOR_KEY, or give --key.');
  if (key !== undefined) throw new OperatorError('Set EMAIL_VERIFICATION_BASE_URL, or give --url.');
  const stack = readStack(options.state);
  if (stack === null) {
    throw new OperatorError(
      'No service to talk to: start the local stack with `npm start`, or set EMAIL_VERIFICATION_BASE_URL and EMAIL_VERIFICATION_OPERATOR_KEY.',
    );
  }
  return { baseUrl: stack.base_url, key: stack.keys.operator };
}

function readStack(state: string): { base_url: string; keys: { operator: string } } | null {
  try {
    return JSON.parse(readFileSync(join(state, 'stack.json'), 'utf8'));
  } catch {
    return null;
  }
}

/** One call of the operator API. Throws an `OperatorError` with the service's own message and trace id. */
export async function callOperator(
  connection: Connection,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(connection.baseUrl.replace(/\/$/, '') + path, {
      method,
      headers: {
        authorization: `Bearer ${connection.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
  } catch {
    throw new OperatorError(`${connection.baseUrl} can't be reached. Is it running?`);
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer;
  const error = (answer as { error?: { code: string; message: string; trace_id: string } } | null)?.error;
  throw new OperatorError(
    error ? `${error.message} (${error.code}, ${error.trace_id})` : `The service answered ${response.status}.`,
  );
}
