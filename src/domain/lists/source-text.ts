import { getDomain } from 'tldts';
import { parseDomain } from '../address/parse.ts';
import { SUFFIX_OPTIONS } from './lists.ts';

export interface KnownSource {
  /** The repository's `owner/name`, which identifies its URLs wherever the file is served from. */
  readonly project: string;
  readonly url: string;
  readonly licence: string;
  /** Projects it copies entries from. Beside one of them its word is not independent. */
  readonly copies: readonly string[];
  readonly reason: string;
}

const CURATED = 'disposable-email-domains/disposable-email-domains';
const CRAWLED = '7c/fakefilter';
const COMMUNITY = 'FGRibreau/mailchecker';
const IVOLO = 'ivolo/disposable-email-domains';
const BURNERS = 'wesbos/burner-email-providers';

/** The default sources: two kept with care, then two wide ones. `wrangler.toml` has their URLs. */
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

/** The project of a URL: raw.githubusercontent.com, owner.github.io/name, or a mirror of either. */
function knownAt(url: string): KnownSource | undefined {
  const { hostname, pathname } = new URL(url);
  const owner = /^(.+)\.github\.io$/.exec(hostname)?.[1];
  const path = `${owner === undefined ? '' : `/${owner}`}${pathname}/`.toLowerCase();
  const ends = ['/', '@'];
  return DEFAULT_SOURCES.find(({ project }) => ends.some((end) => path.includes(`/${project.toLowerCase()}${end}`)));
}

/** Pairs of URLs where the first copies from the second, or both are files of one project. */
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

/** A source's list, read without trust. */
export interface SourceText {
  /** Lower-case A-labels, each once, in order. */
  readonly domains: readonly string[];
  /** Entries that are no domain, or a public suffix. */
  readonly malformed: number;
}

/** `spam.example` and nothing else: a URL, a wildcard or a table's row is another kind of list. */
function domainOf(entry: unknown): string | null {
  if (typeof entry !== 'string') return null;
  const parsed = parseDomain(entry);
  return parsed.ok && getDomain(parsed.domain, SUFFIX_OPTIONS) !== null ? parsed.domain : null;
}

/** Lines may be empty, or comments after `#` or `//`. */
const isEntry = (line: string): boolean => line !== '' && !line.startsWith('#') && !line.startsWith('//');

/** Line by line: a wide list has hundreds of thousands, which are not all held at once. */
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
