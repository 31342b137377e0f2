import { getDomain } from 'tldts';
import { parseDomain } from '../address/parse.ts';
import { SUFFIX_OPTIONS } from './lists.ts';

/** A public list of disposable domains. */
export interface KnownSource {
  /** `owner/name` of its repository: recognises its URLs wherever the file is served from. */
  readonly project: string;
  readonly url: string;
  readonly licence: string;
  /** The projects it takes entries over from. Beside one of them its word about a domain does not count as a second. */
  readonly copies: readonly string[];
  readonly reason: string;
}

const CURATED = 'disposable-email-domains/disposable-email-domains';
const CRAWLED = '7c/fakefilter';
const COMMUNITY = 'FGRibreau/mailchecker';
const IVOLO = 'ivolo/disposable-email-domains';
const BURNERS = 'wesbos/burner-email-providers';

/** The sources that are read by default: two kept with care, then two wide ones. `wrangler.toml` names their URLs. */
export const DEFAULT_SOURCES: readonly KnownSource[] = [
  {
    project: CURATED,
    url: 'https://raw.githubusercontent.com/disposable-email-domains/disposable-email-domains/main/disposable_email_blocklist.conf',
    licence: 'CC0-1.0',
    copies: [],
    reason: 'Curated: an entry is a reviewed pull request with a picture of the service offering the domain',
  },
  {
    project: CRAWLED,
    url: 'https://raw.githubusercontent.com/7c/fakefilter/main/txt/data.txt',
    licence: 'BSD-3-Clause',
    copies: [],
    reason: 'Crawls the throwaway services themselves each day, so it takes nothing over from a list',
  },
  {
    project: COMMUNITY,
    url: 'https://raw.githubusercontent.com/FGRibreau/mailchecker/master/list.txt',
    licence: 'MIT',
    copies: [CURATED, IVOLO],
    reason: 'Wide, from unreviewed reports; its own history names the curated list among what was added',
  },
  {
    project: 'disposable/disposable-email-domains',
    url: 'https://raw.githubusercontent.com/disposable/disposable-email-domains/master/domains.txt',
    licence: 'MIT',
    copies: [CURATED, CRAWLED, COMMUNITY, IVOLO, BURNERS],
    reason: 'The widest: joins other lists each day, as its maintainer says in disposable/disposable #81',
  },
];

/** Whose URL it is, wherever the file is served from: raw.githubusercontent.com, owner.github.io/name, a mirror of either. */
function knownAt(url: string): KnownSource | undefined {
  const { hostname, pathname } = new URL(url);
  const owner = /^(.+)\.github\.io$/.exec(hostname)?.[1];
  const path = `${owner === undefined ? '' : `/${owner}`}${pathname}/`.toLowerCase();
  const ends = ['/', '@'];
  return DEFAULT_SOURCES.find(({ project }) => ends.some((end) => path.includes(`/${project.toLowerCase()}${end}`)));
}

/** The pairs of URLs of which the first takes entries over from the second, or is a second file of the same project. */
export function copiesAmong(urls: readonly string[]): [copy: number, of: number][] {
  const known = urls.map(knownAt);
  return urls.flatMap((_, copy) =>
    urls.flatMap((__, of): [number, number][] => {
      const [one, other] = [known[copy], known[of]];
      if (one === undefined || other === undefined || copy === of) return [];
      return one.copies.includes(other.project) || (one === other && copy > of) ? [[copy, of]] : [];
    }),
  );
}

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
