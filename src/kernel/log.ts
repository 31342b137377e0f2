import { failedDependency, withCauses } from './errors.ts';

/** `info`: the caller's fault; `warn`: a dependency's; `error`: ours. */
export type LogLevel = 'info' | 'warn' | 'error';

/** One structured line. Fields are ids, counts and codes; never an address, a key or a request's text. Never throws. */
export function log(level: LogLevel, event: string, fields: Readonly<Record<string, unknown>> = {}): void {
  try {
    console[level](JSON.stringify({ level, event, ...fields }));
  } catch {
    // A failed log line must not stop its caller.
  }
}

/** Logs a failure on our side: `bug` needs a fix, `dependency_failed` a working dependency. */
export function logFailure(error: unknown, fields: Readonly<Record<string, unknown>>): void {
  const dependency = failedDependency(error);
  if (dependency === null) log('error', 'bug', { ...fields, ...describeError(error) });
  else log('warn', 'dependency_failed', { dependency, ...fields, ...describeError(error) });
}

/** The level of failed background work that logs under its own event. */
export const failureLevel = (error: unknown): LogLevel => (failedDependency(error) === null ? 'error' : 'warn');

const MESSAGE_MAX = 300;

/**
 * What a log may contain of an unexpected error. Messages may quote input, and a database error's message ends with the
 * parameters: both those and every word with an `@` (escaped too) are removed before the text is cut. Never throws.
 */
export function describeError(error: unknown): Readonly<Record<string, unknown>> {
  try {
    return error instanceof Error ? described(error) : { error: typeof error };
  } catch {
    // A library's error may have a message that is not a string.
    return { error: 'unreadable' };
  }
}

function described(error: Error): Readonly<Record<string, unknown>> {
  const cause = withCauses(error).at(-1);
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  return {
    error: error.name,
    message: messageOf(error),
    ...(cause === error ? {} : { cause: cause instanceof Error ? messageOf(cause) || cause.name : typeof cause }),
    // Only the outermost stack: it shows the path through our code.
    stack: frames.slice(0, 8).join('\n'),
  };
}

const messageOf = ({ message }: Error): string =>
  withoutAddresses(message.split('params:', 1)[0] ?? '')
    .trim()
    .slice(0, MESSAGE_MAX);

/** An `@` in any width, and as URLs, HTML, JSON and scripts escape it, also twice. */
const AT = /[@\uff20\ufe6b]|%(?:25)*40|&(?:amp;)*(?:commat|#0*64|#x0*40)|[\\%]u0040|\\u\{0*40\}|\\x40/i;

const withoutAddresses = (text: string): string =>
  text
    .split(' ')
    .map((word) => (AT.test(word) ? '[redacted]' : word))
    .join(' ');

/** Counters of the service's health. None throws. Labels are closed sets (codes, ids), never a customer's id. */
export interface Counters {
  add(name: CounterName, value: number, label?: string): void;
}

export interface WrittenCounters extends Counters {
  write(): void;
}

export type CounterName =
  | 'request_failed'
  | 'object_ms'
  | 'object_failed'
  | 'outbox_rows'
  | 'outbox_age_ms'
  | 'dns_ms'
  | 'provider_ms'
  | 'provider_failed'
  | 'provider_spend_micros'
  | 'provider_owed_micros'
  | 'model_ms'
  | 'model_failed'
  | 'model_spend_micros'
  | 'enrichment_ms'
  | 'enrichment_failed'
  | 'enrichment_spend_micros'
  | 'bounce_overruled'
  | 'cron_step_ms';
