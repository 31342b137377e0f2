/** One JSON line. Never an address, a token or an exception's message. */
export function log(
  level: 'info' | 'warn' | 'error',
  event: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  console[level](JSON.stringify({ level, event, ...fields }));
}
