import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HARMLESS, lockedHits, nameOf, SNAPSHOT } from '../scripts/advisories/advisories.ts';
import { type Table, writeFindings } from './document.ts';
import { ASVS, LEVEL_2 } from './security/asvs.ts';
import { type Item, type Shown, TESTS } from './security/item.ts';
import { titlesRun } from './security/named-test.ts';
import { OWASP } from './security/owasp.ts';

const ROOT = join(import.meta.dirname, '..');
const missing = new Set<string>();
const dependencies: (string | number)[][] = [];

/** `V6.2.1-3` is V6.2.1, V6.2.2 and V6.2.3. */
function numbersOf(id: string): string[] {
  const [, section = '', first = '', last = first] = /^(.*)\.(\d+)(?:-(\d+))?$/.exec(id) ?? [];
  const count = Number(last) - Number(first) + 1;
  return Array.from({ length: count }, (_, place) => `${section}.${Number(first) + place}`);
}

const LISTED = Object.entries(LEVEL_2).flatMap(([section, range]) => numbersOf(`${section}.${range}`));

describe('the lists', () => {
  it('have each requirement once', () => {
    expect(LISTED).toHaveLength(253);
    expect(ASVS.flatMap(({ id }) => numbersOf(id)).sort()).toEqual(LISTED.toSorted());
    expect(OWASP.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, place) => `API${place + 1}`));
  });

  it('show by a test what they say to hold, and name each test that is listed', () => {
    const items = [...OWASP, ...ASVS];
    const unproved = items.filter(
      ({ id, state, shownBy = [] }) => state === 'holds' && id !== 'V15.1.2' && shownBy.length === 0,
    );
    expect(unproved.map(({ id }) => id)).toEqual([]);
    const named = new Set(items.flatMap(({ shownBy = [] }) => shownBy));
    expect(Object.values<Shown>(TESTS).filter((test) => !named.has(test))).toEqual([]);
  });
});

describe('a test that is named', () => {
  it.each(Object.values<Shown>(TESTS))('is there, and runs in every run: %s › %s', (file, title) => {
    const path = join(ROOT, file);
    const isThere = existsSync(path) && titlesRun(path, readFileSync(path, 'utf8')).has(title);
    if (!isThere) missing.add(title);
    expect(isThere).toBe(true);
  });

  it.each([
    "it.skip('x')",
    "it.each([1]).skip('x')",
    "describe.skip('y', () => { it('x') })",
    "it.skipIf(a)('x')",
    "f('x')",
  ])('is none where it stands as %s', (text) => {
    expect(titlesRun('x.ts', text)).toEqual(new Set());
  });
});

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly unknown[];
}

/** What npm prints, as JSON. */
function npm(...args: string[]): unknown {
  const { stdout } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return JSON.parse(stdout === '' ? '{}' : stdout);
}

describe('what is shipped', () => {
  it('has a list of its components, in CycloneDX, with all that ships', () => {
    const {
      bomFormat,
      specVersion,
      components = [],
    } = npm('run', '-s', 'sbom') as {
      bomFormat: string;
      specVersion: string;
      components?: readonly Component[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const notices = readFileSync(join(ROOT, 'THIRD_PARTY.md'), 'utf8');
    const code = notices.slice(0, notices.indexOf('## Data in the packed files'));
    const shipped = Array.from(
      code.matchAll(/^### (\S+) (\d\S*) \(/gm),
      ([, name = '', version = '']) => `${name} ${version}`,
    );
    const listed = new Set(components.map(({ name, version }) => `${name} ${version}`));
    expect(shipped.length).toBeGreaterThan(30);
    expect(shipped.filter((each) => !listed.has(each))).toEqual([]);
    const unlicensed = components.filter(({ licenses = [] }) => licenses.length === 0);
    dependencies.push([
      'bill of materials',
      `\`npm run -s sbom\`: CycloneDX ${specVersion}, ${components.length} components from the lock file, ${unlicensed.length} without a named licence; ${shipped.length} packages ship code, and each stands in it`,
    ]);
  });

  it('has its licences and notices in THIRD_PARTY.md', () => {
    const notices = readFileSync(join(ROOT, 'THIRD_PARTY.md'), 'utf8');
    const entries = Array.from(notices.matchAll(/^### .+ \((.+)\)$/gm), ([, licence = '']) => licence);
    expect(notices).toContain('### Public Suffix List (in tldts) (MPL-2.0)');
    expect(entries.filter((licence) => /GPL|SSPL|UNLICENSED|undefined/.test(licence))).toEqual([]);
    const kinds = Map.groupBy(entries, (licence) => licence);
    const counted = [...kinds]
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([licence, all]) => `${licence} ${all.length}`);
    dependencies.push([
      'licences',
      `${entries.length} entries of code and data in \`THIRD_PARTY.md\`, the Public Suffix List’s among them; \`npm run check\` holds the file against what ships: ${counted.join(', ')}`,
    ]);
  });

  it('is held against what could be read of advisories', () => {
    const hits = lockedHits();
    const told = hits.map((hit) => `${nameOf(hit)} (${hit.version}, ${hit.advisory.title}): ${HARMLESS[nameOf(hit)]}`);
    dependencies.push([
      'audit',
      `the registry of this run answers no \`npm audit\`, so a snapshot of ${SNAPSHOT.read_at}: ${SNAPSHOT.advisories.length} advisories of ${SNAPSHOT.asked.length} packages that were asked for (\`scripts/advisories/advisories.json\`), from ${SNAPSHOT.from}. The lock file is held against it in every run of the unit tests. Affected: ${told.join('; ') || 'none'}`,
    ]);
    expect(hits.map(nameOf).sort()).toEqual(Object.keys(HARMLESS).sort());
  });
});

const shownText = ({ shownBy = [] }: Item): string =>
  shownBy.map(([file, title]) => `${missing.has(title) ? '**missing** ' : ''}\`${file}\`: ${title}`).join('; ');

const tableOf = (title: string, items: readonly Item[]): Table => ({
  title,
  columns: ['item', 'what it asks', 'state', 'how', 'shown by'],
  rows: items.map((item) => [item.id, item.asks, item.state, item.why, shownText(item)]),
});

afterAll(() => {
  const counted = Map.groupBy(
    ASVS.flatMap(({ id, state }) => numbersOf(id).map(() => state)),
    (state) => state,
  );
  const states = [...counted].map(([state, all]) => `${state} ${all.length}`).join(', ');
  writeFindings('security', {
    summary: `ASVS: ${LISTED.length} requirements: ${states}. Each of the ${Object.keys(TESTS).length} tests named is there, by file and title, and is not skipped${missing.size === 0 ? '' : `, but for ${missing.size}`}.`,
    tables: [
      { title: 'What is shipped', columns: ['', 'what came out'], rows: dependencies },
      tableOf('OWASP API Security Top 10, 2023', OWASP),
      tableOf('OWASP ASVS 5.0.0, levels 1 and 2', ASVS),
    ],
  });
});
