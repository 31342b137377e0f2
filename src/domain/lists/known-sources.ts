/** A public list of disposable domains. */
export interface KnownSource {
  /** `owner/name` of its repository: how a URL of it is told, wherever the file is served from. */
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
