import { getDomain } from 'tldts';
import { parseDomain } from '../address/domain.ts';
import { SUFFIX_OPTIONS } from './suffix.ts';

/** A list of domains as a source gives it, read without trust. */
export interface SourceText {
  /** Lower-case A-labels, each once, in order. */
  readonly domains: readonly string[];
  /** Entries that are not a domain, or a public suffix, below which anyone may register a name. */
  readonly malformed: number;
}

/** `spam.example`, nothing else beside it: a URL, a wildcard or a row of a table is another kind of list. */
function domainOf(entry: unknown): string | null {
  if (typeof entry !== 'string') return null;
  const parsed = parseDomain(entry);
  return parsed.ok && getDomain(parsed.domain, SUFFIX_OPTIONS) !== null ? parsed.domain : null;
}

/** Lines may be empty, or comments after `#` or `//`, as the lists in use have them. */
const isEntry = (line: string): boolean => line !== '' && !line.startsWith('#') && !line.startsWith('//');

/** One line after the other: a wide list has hundreds of thousands, which are not all held at once. */
function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end === -1 ? text.length : end).trim();
    if (isEntry(line)) yield line;
    if (end === -1) return;
    start = end + 1;
  }
}

function entriesOf(text: string): Iterable<unknown> | null {
  if (!text.trimStart().startsWith('[')) return linesOf(text);
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** Reads a domain a line, or a JSON array of domains; null when it is neither. */
export function readSource(text: string): SourceText | null {
  const entries = entriesOf(text);
  if (entries === null) return null;
  const domains: string[] = [];
  let malformed = 0;
  for (const entry of entries) {
    const domain = domainOf(entry);
    if (domain === null) malformed += 1;
    else domains.push(domain);
  }
  domains.sort();
  return { domains: domains.filter((domain, i) => domain !== domains[i - 1]), malformed };
}
