import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** An import in a source file; `file` is its path in the repository, `from` the text between the quotes. */
export interface Import {
  readonly file: string;
  readonly from: string;
  readonly typeOnly: boolean;
}

/** An import that a rule forbids, and the rule. */
export interface BrokenRule {
  readonly file: string;
  readonly from: string;
  readonly rule: string;
}

/** What a folder of the repository may import besides itself: folders, and single files. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  src: [],
  'client/src': [],
  'client/build': ['client/src', 'scripts'],
  'client/test': ['client/src', 'client/build', 'src', 'scripts', 'test'],
  // The service is reached only over HTTP and a binding. What a rule can read is built into the pages.
  dashboard: ['src/domain/policy/paths.ts', 'src/domain/policy/document.ts'],
  // The reference shows calls by the client library: those that it has.
  scripts: ['src', 'package.json', 'client/src'],
  drizzle: [],
  docs: [],
  test: ['src', 'scripts', 'drizzle', 'dashboard', 'docs', 'client/src', 'client/test'],
  // Nothing imports research/: what others need of it belongs in test/support/ or scripts/.
  research: ['src', 'scripts', 'test'],
  // Like tests, it may import all of the product.
  proof: ['src', 'scripts', 'test', 'dashboard'],
};

export const FOLDER_NAMES = Object.keys(FOLDERS);

/** What a shelf of `src/` may import besides itself: imports go one way. CONTRIBUTING.md draws it. */
const SHELVES: Readonly<Record<string, readonly string[]>> = {
  'index.ts': ['entrypoints', 'runtime'],
  entrypoints: ['runtime', 'services', 'domain', 'contract', 'kernel'],
  runtime: ['services', 'organisation', 'storage', 'integrations', 'domain', 'contract', 'kernel'],
  services: ['organisation', 'storage', 'integrations', 'domain', 'contract', 'kernel'],
  organisation: ['storage', 'domain', 'contract', 'kernel'],
  storage: ['domain', 'contract', 'kernel'],
  integrations: ['domain', 'contract', 'kernel'],
  domain: ['contract', 'kernel'],
  kernel: [],
  contract: [],
};

/**
 * The parts of a shelf, low to high: a part imports only parts before it. For services/ these are its folders; a
 * resource in one file is outside the order, and `circles` checks it.
 */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  domain: [
    'address',
    'lists',
    'dns',
    'mailbox-provider',
    'access',
    'metering',
    'rules',
    'traces',
    'belief',
    'router',
    'answer',
    'screening',
    'policy',
    'bulk',
    'feedback',
    'insights',
    'privacy',
  ],
  services: ['verification', 'screening', 'policy', 'bulk', 'nightly'],
};

/** Where a package may be imported, and the alternative elsewhere. The first matching prefix decides. */
const PACKAGES = [
  { name: /^zod$/, within: /^(?!kernel\/)/, rule: 'kernel/ imports no package' },
  {
    name: /^drizzle-orm(?:\/|$)/,
    within: /^storage\/postgres\//,
    rule: "SQL of Postgres is written in storage/postgres/: call its function, or import `Database` from 'storage/postgres/client.ts' as a type",
  },
  {
    name: /^@neondatabase\//,
    within: /^storage\/postgres\//,
    rule: "connect through `connectDatabase` of 'storage/postgres/client.ts'",
  },
  {
    name: /^(?:hono|@hono\/[^/]+)(?:\/|$)/,
    within: /^entrypoints\//,
    rule: 'no Hono below entrypoints/: take plain values, answer plain values, refuse with `DomainError`',
  },
  {
    name: /^@modelcontextprotocol\//,
    within: /^entrypoints\/mcp\//,
    rule: 'MCP is spoken in entrypoints/mcp/ alone: call the use case',
  },
  {
    name: /^cloudflare:/,
    within: /^(?:organisation|entrypoints\/internal)\//,
    rule: "only the object's class and the dashboard's entrypoint need the Workers runtime: take what it gives as a parameter",
  },
  { name: /^node:/, within: /^kernel\//, rule: "Node's modules are wrapped in kernel/: import the wrapper" },
  {
    name: /^(?:papaparse|postal-mime|punycode|tldts)(?:\/|$)/,
    within: /^(?!(?:kernel|contract)\/)/,
    rule: 'contract/ imports only zod; kernel/ nothing',
  },
  {
    name: /./,
    within: /^(?:entrypoints|runtime|services|organisation|storage|integrations)\//,
    rule: 'domain/ imports packages that only compute: list one that does; contract/ imports only zod; kernel/ nothing',
  },
] as const;

const folderOf = (path: string): string => path.split('/', path.startsWith('client/') ? 2 : 1).join('/');
const belowSrc = (path: string): string => path.slice('src/'.length);
const shelfOf = (path: string): string => path.split('/', 1)[0] ?? '';
const partOf = (path: string): string => path.split('/')[1] ?? '';
/** A file in services/ itself belongs to no part. */
const hasPart = (path: string): boolean => shelfOf(path) !== 'services' || path.split('/').length > 2;
const targetOf = ({ file, from }: Import): string => posix.join(posix.dirname(file), from);

function brokenBetweenFolders(file: string, target: string): string | null {
  const [from, to] = [folderOf(file), folderOf(target)];
  const reads = FOLDERS[from];
  if (reads === undefined) return `${from}/ is missing in the table of folders`;
  if (from === to || reads.includes(to) || reads.includes(target)) return null;
  if (to === 'research') return 'nothing imports research/: move what you need to test/support/ or scripts/';
  return reads.length === 0 ? `${from}/ imports nothing outside it` : `${from}/ reads only ${reads.join(', ')}`;
}

function brokenBetweenShelves(file: string, target: string): string | null {
  const [from, to] = [shelfOf(file), shelfOf(target)];
  const reads = SHELVES[from];
  if (reads === undefined) return `${from} is not a shelf of src/`;
  if (from === to || reads.includes(to)) return null;
  return reads.length === 0 ? `${from} imports nothing of ours` : `${from} reads only ${reads.join(', ')}`;
}

/** What other shelves may import of the tenant's object. */
const OBJECT_ENTRYPOINTS: Readonly<Record<string, readonly string[]>> = {
  services: ['organisation/api.ts'],
  runtime: ['organisation/api.ts', 'organisation/object.ts', 'organisation/operators-object.ts'],
};

function brokenAtObject(file: string, target: string): string | null {
  if (shelfOf(target) !== 'organisation') return null;
  const entrypoints = OBJECT_ENTRYPOINTS[shelfOf(file)];
  if (entrypoints === undefined || entrypoints.includes(target)) return null;
  return `${shelfOf(file)} imports of the organisation's object only ${entrypoints.join(', ')}`;
}

function brokenBetweenParts(file: string, target: string): string | null {
  const shelf = shelfOf(file);
  const parts = PARTS[shelf];
  if (parts === undefined || shelfOf(target) !== shelf || !hasPart(file) || !hasPart(target)) return null;
  const [from, to] = [parts.indexOf(partOf(file)), parts.indexOf(partOf(target))];
  if (from === -1 || to === -1)
    return `${shelf}/${partOf(from === -1 ? file : target)} is missing in the order of the parts`;
  return to > from
    ? `${shelf}/${partOf(file)} comes before ${partOf(target)}: a part reads only parts before it`
    : null;
}

function brokenPackage({ file, from }: Import): string | null {
  if (file.startsWith('client/src/'))
    return 'client/src/ imports no package: it is published as one file without dependencies';
  if (!file.startsWith('src/')) return null;
  const row = PACKAGES.find(({ name }) => name.test(from));
  return row === undefined || row.within.test(belowSrc(file)) ? null : row.rule;
}

/** The one file of contract/ without a schema. */
const WORDS = 'contract/words.ts';

function brokenInSource(file: string, target: string, typeOnly: boolean): string | null {
  if (shelfOf(file) === 'domain' && shelfOf(target) === 'contract' && !typeOnly && target !== WORDS)
    return 'domain/ imports only types from contract/, and values only from contract/words.ts';
  return (
    brokenBetweenShelves(file, target) ??
    brokenAtObject(file, target) ??
    brokenBetweenParts(file, target) ??
    brokenAtEntrypoint(file, target, typeOnly)
  );
}

function ruleBrokenBy(found: Import): string | null {
  const { file, from, typeOnly } = found;
  if (!from.startsWith('.')) return brokenPackage(found);
  const target = targetOf(found);
  const broken = brokenBetweenFolders(file, target);
  if (broken !== null || !file.startsWith('src/')) return broken;
  return brokenInSource(belowSrc(file), belowSrc(target), typeOnly);
}

/** Files below `src/` that make brands, and the files that may import them for more than types. */
const KEPT_FOR: Readonly<Record<string, { readonly importers: readonly string[]; readonly rule: string }>> = {
  'services/authorization.ts': {
    importers: ['services/object-exchange.ts', 'services/bulk/claim-chunk.ts'],
    rule: "an authorization is made of the object's answer alone, in services/object-exchange.ts, or of a chunk's claim: import its types",
  },
  'services/object-exchange.ts': {
    importers: ['services/frame.ts'],
    rule: 'services/frame.ts alone opens an exchange with the object, for a key that it has read: import its types',
  },
};

function brokenAtEntrypoint(file: string, target: string, typeOnly: boolean): string | null {
  const kept = KEPT_FOR[target];
  return kept === undefined || typeOnly || kept.importers.includes(file) ? null : kept.rule;
}

/** The imports that break a rule, in the given order. Pure. */
export function brokenRules(imports: readonly Import[]): BrokenRule[] {
  return imports.flatMap((found) => {
    const rule = ruleBrokenBy(found);
    return rule === null ? [] : [{ file: found.file, from: found.from, rule }];
  });
}

/**
 * Files that import each other in a circle, one list for each circle, in order. Imports of types count too, because a
 * reader follows them all the same.
 */
export function circles(imports: readonly Import[]): string[][] {
  const readBy = new Map<string, string[]>();
  for (const found of imports) {
    if (!found.from.startsWith('.')) continue;
    readBy.set(found.file, [...(readBy.get(found.file) ?? []), targetOf(found)]);
  }
  const found: string[][] = [];
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): void => {
    const begin = way.indexOf(file);
    if (begin !== -1) found.push([...way.slice(begin), file]);
    if (begin !== -1 || done.has(file)) return;
    for (const target of readBy.get(file) ?? []) walk(target, [...way, file]);
    done.add(file);
  };
  for (const file of readBy.keys()) walk(file, []);
  return found;
}

/** Intended `import()`s of computed paths. */
const COMPUTED: ReadonlySet<string> = new Set([
  // Every file of contract/, by its name in the folder.
  'scripts/openapi/schemas.ts',
]);

const literalIn = (expression: string): string | null => /^(['"`])([^'"`$]+)\1$/.exec(expression)?.[2] ?? null;

/** Every import and re-export of a source text: statements, `import()` and types of `import('…')`. */
export function importsIn(file: string, text: string): Import[] {
  const { module, program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} can't be parsed`);
  const found: Import[] = [];
  const add = (from: string, typeOnly: boolean): void => void found.push({ file, from, typeOnly });
  // `import { type A }` still runs the file that it names.
  for (const { moduleRequest, start, end } of module.staticImports)
    add(moduleRequest.value, /^import\s+type\s/.test(text.slice(start, end)));
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries) if (moduleRequest !== null) add(moduleRequest.value, isType);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const from = literalIn(text.slice(moduleRequest.start, moduleRequest.end));
    if (from !== null) add(from, false);
    else if (!COMPUTED.has(file)) throw new Error(`${file}: write the path of import() as a literal`);
  }
  new Visitor({ TSImportType: ({ source }) => add(source.value, true) }).visit(program);
  return found;
}

/** Every import of every TypeScript file below these folders of the repository. */
export const importsBelow = (root: string, folders: readonly string[] = FOLDER_NAMES): Import[] =>
  folders.flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
      .flatMap((path) => importsIn(`${folder}/${path}`, readFileSync(`${root}/${folder}/${path}`, 'utf8'))),
  );

/** One line a broken rule, as shown to the person who wrote the import. */
export const describeBroken = ({ file, from, rule }: BrokenRule): string => `${file} imports '${from}': ${rule}`;
