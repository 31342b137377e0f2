import { asciiJson } from '../../kernel/ascii-json.ts';

/**
 * In JSON: an escaped backslash or surrogate pair, which stays, or a character that Postgres refuses even when escaped.
 */
const ESCAPES =
  /(\\\\|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})|\\u(?:0000|[dD][89a-fA-F][\da-fA-F]{2})/g;

/**
 * Drops characters that Postgres refuses. Inputs are checked for them; if one slips through, losing it is better than losing the record.
 */
export const storable = (record: string): string =>
  asciiJson(record.replace(ESCAPES, (_, kept?: string) => kept ?? '\ufffd'));
