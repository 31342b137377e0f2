import { readText } from '../../kernel/read-body.ts';

/** Longer than our statements need; a hanging database must not hold up a request or an alarm. */
const QUERY_TIMEOUT_MS = 10_000;
/** Our largest answer, 10,000 rules with a long note each, has 22 MB; Neon allows up to 64. */
const ANSWER_BYTES_MAX = 32 * 2 ** 20;

/** What the driver reads of a `Response`. */
interface NeonReply {
  readonly ok: boolean;
  readonly status: number;
  json(): Promise<unknown>;
  text(): Promise<string>;
}

/**
 * Sends a statement to Neon's HTTP endpoint behind an echo: a first statement that returns a random value, in one batch.
 * A 200 that does not begin with the echo answers another request, and does not tell what became of this statement.
 */
export async function fetchWithEcho(url: string, init: RequestInit & { readonly body: string }): Promise<NeonReply> {
  const late = new AbortController();
  // The timer is cleared with the answer; `AbortSignal.timeout` would keep an object awake for the rest of its time.
  const timer = setTimeout(() => late.abort(), QUERY_TIMEOUT_MS);
  const echo = crypto.randomUUID();
  try {
    const body = `{"queries":[{"query":"select $1::text","params":["${echo}"]},${init.body}]}`;
    const response = await fetch(url, { ...init, body, signal: late.signal });
    const read = await readText(response.body, ANSWER_BYTES_MAX);
    if (!read.ok) throw new Error(`the database’s answer is ${read.fault}`);
    const { ok, status } = response;
    // The driver reads JSON only for these statuses.
    const parsed = ok || status === 400 ? Object(JSON.parse(read.text)) : null;
    const json = ok ? confirmed(parsed, echo) : parsed;
    return { ok, status, json: async () => json, text: async () => read.text };
  } catch (error) {
    // Cancels the part that was not read.
    late.abort();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

interface StatementResult {
  readonly command: string;
  readonly fields: readonly unknown[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The result of the statement behind the echo. */
function confirmed({ results }: { readonly results?: unknown }, expected: string): StatementResult {
  const [echo, result, ...more] = Array.isArray(results) ? (results as unknown[]) : [];
  if (!isResult(echo) || echo.rows[0]?.[0] !== expected || !isResult(result) || more.length > 0)
    throw new Error('the database answered another statement');
  return result;
}

function isResult(value: unknown): value is StatementResult {
  const { command, fields, rows } = Object(value) as Partial<Record<keyof StatementResult, unknown>>;
  if (typeof command !== 'string' || !Array.isArray(fields) || !Array.isArray(rows)) return false;
  return rows.every((row) => Array.isArray(row) && row.length === fields.length);
}
