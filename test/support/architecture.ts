import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** An import as it stands in a source file; `file` is its path below `src/`, `from` the text between the quotes. */
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

/** What a shelf may read beside itself. Imports go one way: index → entrypoints → app → domain → platform → kernel. */
const SHELVES: Readonly<Record<string, readonly string[]>> = {
  'index.ts': ['entrypoints', 'app'],
  entrypoints: ['app', 'domain', 'platform', 'kernel', 'contract'],
  app: ['domain', 'platform', 'kernel', 'contract'],
  domain: ['platform', 'kernel', 'contract'],
  platform: ['kernel'],
  kernel: [],
  contract: [],
  client: [],
};

/** Low to high: a part reads only parts before it. */
const DOMAIN_PARTS = [
  ...[
    'address',
    'lists',
    'dns',
    'mailbox-provider',
    'access',
    'metering',
    'rule-lists',
    'organisation',
    'operations',
    'traces',
  ],
  ...['verification', 'calibration', 'check', 'screening', 'policy', 'bulk', 'feedback', 'insights'],
];

/** Files of the domain that touch the world: everything else in it runs in a test without I/O. */
const WORLD = /^domain\/[^/]+\/(?:store\.ts|store\/|object-store\.ts|client\.ts|adapters\/|providers\/)/;
const OBJECT_STORE = /\/object-store\.ts$/;
const OBJECT = 'entrypoints/object/';

/** Of the platform, what an entrypoint needs before and after the use case; the object's own SQLite is the object's. */
const ENTRYPOINT_PLATFORM = /^platform\/(?:read-body|log)\.ts$/;
const OBJECT_PLATFORM = /^platform\/(?:sql|migrate-object|log)\.ts$/;

/** Where a package may be imported, and what to write elsewhere. The first row whose name begins the import decides. */
const PACKAGES = [
  { name: /^zod$/, within: /^(?!kernel\/|client\/)/, rule: 'kernel/ and client/ import no package' },
  {
    name: /^drizzle-orm(?:\/|$)/,
    within: /^platform\/db\/|^domain\/[^/]+\/store(?:\.ts$|\/)/,
    rule: "SQL is written in a store.ts (or, where there is much of it, in a folder store/): call its function, or import `Database` from 'platform/db/client.ts' as a type",
  },
  {
    name: /^@neondatabase\//,
    within: /^platform\/db\//,
    rule: "connect through `connectDatabase` of 'platform/db/client.ts'",
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
    within: /^entrypoints\/object\//,
    rule: "only the object's class needs the Workers runtime: take what it gives as a parameter",
  },
  {
    name: /^node:/,
    within: /^(?:kernel|platform)\//,
    rule: "Node's modules are wrapped in kernel/ or platform/: import the wrapper",
  },
  {
    name: /./,
    within: /^(?:entrypoints|app|domain|platform)\//,
    rule: 'contract/ imports only zod; kernel/ and client/ nothing',
  },
] as const;

const shelfOf = (path: string): string => path.split('/', 1)[0] ?? '';
const partOf = (path: string): string => path.split('/')[1] ?? '';

function brokenBetweenShelves(file: string, target: string): string | null {
  const [from, to] = [shelfOf(file), shelfOf(target)];
  const reads = SHELVES[from];
  if (reads === undefined) return `${from} is no shelf of src/`;
  if (from === to || reads.includes(to)) return null;
  return reads.length === 0 ? `${from} imports nothing of ours` : `${from} reads only ${reads.join(', ')}`;
}

function brokenInDomain(file: string, target: string): string | null {
  if (shelfOf(file) !== 'domain' || shelfOf(target) !== 'domain') return null;
  const [from, to] = [DOMAIN_PARTS.indexOf(partOf(file)), DOMAIN_PARTS.indexOf(partOf(target))];
  if (from === -1 || to === -1)
    return `domain/${partOf(from === -1 ? file : target)} has no place in the order of the parts`;
  return to > from ? `domain/${partOf(file)} comes before ${partOf(target)}: a part reads only parts before it` : null;
}

function brokenByWorld(file: string, target: string): string | null {
  if (WORLD.test(target)) {
    // A vendor's file reads its neighbour's, a store its own statements: still behind the one door.
    if (WORLD.test(file) && partOf(file) === partOf(target)) return null;
    if (!OBJECT_STORE.test(target))
      return shelfOf(file) === 'app' ? null : 'only app/ imports what touches the world: take it as a parameter';
    return file.startsWith(OBJECT) ? null : `only ${OBJECT} imports an object-store.ts`;
  }
  if (shelfOf(target) !== 'platform') return null;
  if (shelfOf(file) === 'domain' && !WORLD.test(file))
    return 'only files that touch the world use platform/: take it as a parameter';
  if (shelfOf(file) !== 'entrypoints') return null;
  const allowed = file.startsWith(OBJECT) ? OBJECT_PLATFORM : ENTRYPOINT_PLATFORM;
  return allowed.test(target) ? null : 'an entrypoint gets this from app/';
}

function ruleBrokenBy({ file, from, typeOnly }: Import): string | null {
  if (!from.startsWith('.')) {
    const row = PACKAGES.find(({ name }) => name.test(from));
    return row === undefined || row.within.test(file) ? null : row.rule;
  }
  const target = posix.join(posix.dirname(file), from);
  if (target.startsWith('..')) return 'src/ imports nothing outside it';
  if (shelfOf(file) === 'domain' && shelfOf(target) === 'contract' && !typeOnly)
    return 'domain/ reads contract/ for types: `import type`';
  return brokenBetweenShelves(file, target) ?? brokenInDomain(file, target) ?? brokenByWorld(file, target);
}

/** The imports that break a rule, in the order given. Pure. */
export const brokenRules = (imports: readonly Import[]): BrokenRule[] =>
  imports.flatMap((found) => {
    const rule = ruleBrokenBy(found);
    return rule === null ? [] : [{ file: found.file, from: found.from, rule }];
  });

const STATEMENT = /^(?:import|export(?=\s+(?:type\s+)?[{*]))\s+(type\s+)?(?:[^;]*?\bfrom\s+)?'([^']+)'/gm;
const CALL = /\bimport\('([^']+)'\)/g;

/** Every import and re-export in a formatted source text. */
export const importsIn = (file: string, text: string): Import[] => [
  ...Array.from(text.matchAll(STATEMENT), ([, type, from]) => ({
    file,
    from: from ?? '',
    typeOnly: type !== undefined,
  })),
  ...Array.from(text.matchAll(CALL), ([, from]) => ({ file, from: from ?? '', typeOnly: false })),
];

/** Every import of every TypeScript file below a folder. */
export const importsBelow = (folder: string): Import[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .flatMap((path) => importsIn(path, readFileSync(`${folder}/${path}`, 'utf8')));

/** One line a broken rule, as shown to whoever wrote the import. */
export const describeBroken = ({ file, from, rule }: BrokenRule): string => `src/${file} imports '${from}': ${rule}`;
