import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * After `npm ci`: removes unused files of packages, and engines from the lock file. Everything works without it too.
 * JavaScript, because it may run on an older Node than the rest needs.
 */
const PACKAGES = fileURLToPath(new URL('../node_modules/', import.meta.url));

/** Languages of code in the documentation: where one is missing, its build fails and names it. */
const LANGUAGES =
  'bash|console|csv|javascript|js|json|mermaid|python|sh|shell|shellscript|shellsession|toml|ts|typescript|yaml';

/** Paths below node_modules. */
const UNUSED = [
  { path: /^node\/node_modules\/node-/, why: 'what node/bin/node was linked from, with the C headers' },
  { path: /^workerd\/bin\/workerd$/, why: 'a second name of the program in @cloudflare/workerd-*, for `npx workerd`' },
  { path: /^@img\/sharp-/, why: 'sharp, which Miniflare loads for its Images binding: the Worker has none' },
  {
    path: /^(?:@algolia|algoliasearch|@docsearch\/js|@docsearch\/react|preact)\/[^/]+$/,
    why: 'Algolia’s search, which VitePress loads only where a site is set to it: ours searches in the page',
  },
  {
    path: /^(?:vue|@vue\/[^/]+)\/dist\/.*\.(?:global|esm-browser)\./,
    why: 'builds of Vue for pages without a bundler',
  },
  {
    path: new RegExp(`^(?:@shikijs/langs/dist|shiki/dist/langs)/(?!(?:${LANGUAGES})\\.)`),
    why: 'grammars of languages that the documentation has no code in',
  },
  { path: /^playwright-core\/lib\/vite$/, why: 'pages of its recorder and trace viewer: only its browsers are driven' },
  { path: /^miniflare\/dist\/local-explorer-ui$/, why: 'pages that show the local stores' },
  { path: /^(?:recharts\/umd|@e965\/xlsx\/(?:dist|xlsx\.js))$/, why: 'builds for pages without a bundler' },
  { path: /^dayjs\/(?:esm|locale)$/, why: 'a second build, and languages of dates' },
  { path: /^es-toolkit\/(?:.*\.d\.m?ts|(?:dist\/)?(?:fp|server))$/, why: 'types and parts that charts don’t use' },
  {
    path: /^@fontsource-variable\/inter\/files\/.*(?:italic|cyrillic|greek|vietnamese)/,
    why: 'letters and slopes that no page has',
  },
  { path: /^@reduxjs\/toolkit\/(?:src|skills)$/, why: 'sources beside their builds' },
  { path: /^react-dom\/cjs\/.*profiling/, why: 'builds of React for its profiler' },
  {
    path: /^(?:@mantine\/[^/]+\/cjs|@tanstack\/[^/]+\/(?:dist\/cjs|build\/legacy)|hono\/dist\/cjs|fast-check\/lib\/cjs)$/,
    why: 'second builds, for require() or older targets, of packages that are only imported',
  },
  { path: /^@electric-sql\/pglite\/dist\/.*\.cjs$/, why: 'the same' },
  { path: /^@opentelemetry\/(?!api\/).+\/build\/(?:esm|esnext)$/, why: 'the same, for bundlers: only Node loads them' },
  { path: /^@electric-sql\/pglite\/dist\/(?:contrib|.*\.tar\.gz)$/, why: 'extensions of Postgres' },
  { path: /^drizzle-kit\/(?:api|utils)\./, why: 'what drizzle-kit offers to programs: its command line alone is used' },
  { path: /^(?:happy-dom|zod|@tanstack\/[^/]+)\/src$/, why: 'sources beside their builds' },
  { path: /\.[cm]?[jt]s\.(?:map|flow)$/, why: 'source maps and Flow types of other people’s code' },
  { path: /\.d\.cts$/, why: 'types for require(), which no module here calls' },
  { path: /\/(?:readme|changelog|history|changes)(?:[._-][^/]*)?\.md$/i, why: 'texts for readers of packages' },
  { path: /^(?:mark\.js\/(?:docs|website|test)|undici\/docs)$/, why: 'sites of packages' },
];

/** Programs of more than 100 MB that include debugger symbols: a quarter of workerd. */
const WITH_SYMBOLS = /^(?:@cloudflare\/workerd-[^/]+\/bin\/workerd|node\/bin\/node)$/;

function trim(under = '') {
  for (const entry of entriesOf(under)) {
    const path = under + entry.name;
    if (path === '.cache') continue;
    if (UNUSED.some((unused) => unused.path.test(path))) rmSync(join(PACKAGES, path), { recursive: true, force: true });
    // Not through links: `npm link` and workspaces lead into projects of their own.
    else if (entry.isDirectory()) trim(`${path}/`);
    else if (WITH_SYMBOLS.test(path)) dropSymbols(join(PACKAGES, path));
  }
}

function entriesOf(under) {
  try {
    return readdirSync(join(PACKAGES, under), { withFileTypes: true });
  } catch {
    return []; // Without development packages there may be none at all.
  }
}

/** Cuts a 64-bit ELF program after its last loaded byte: only debuggers read the rest. */
function dropSymbols(program) {
  const end = endOfSegments(program);
  if (end === null || end >= statSync(program).size) return;
  const copy = `${program}.short`;
  copyFileSync(program, copy);
  truncateSync(copy, end);
  const file = openSync(copy, 'r+');
  writeSync(file, Buffer.alloc(8), 0, 8, 40); // Where section headers begin,
  writeSync(file, Buffer.alloc(4), 0, 4, 60); // and how many there are.
  closeSync(file);
  // Not in place: it may be the Node that runs this.
  renameSync(copy, program);
}

function endOfSegments(program) {
  const file = openSync(program, 'r');
  try {
    const header = Buffer.alloc(64);
    readSync(file, header, 0, 64, 0);
    if (header.readUInt32BE(0) !== 0x7f454c46 || header[4] !== 2 || header[5] !== 1) return null;
    const [size, count] = [header.readUInt16LE(54), header.readUInt16LE(56)];
    const segments = Buffer.alloc(size * count);
    readSync(file, segments, 0, segments.length, Number(header.readBigUInt64LE(32)));
    const ends = Array.from({ length: count }, (_, n) =>
      Number(segments.readBigUInt64LE(n * size + 8) + segments.readBigUInt64LE(n * size + 32)),
    );
    return Math.max(...ends);
  } finally {
    closeSync(file);
  }
}

/**
 * npm warns about every package whose engine is not the installing Node, eight lines each, though the scripts run on
 * the Node among the packages. It reads them from the lock file, and writes them there with each new package.
 */
function dropEngines() {
  const path = fileURLToPath(new URL('../package-lock.json', import.meta.url));
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  const lock = JSON.parse(text);
  for (const [name, entry] of Object.entries(lock.packages)) if (name !== '') delete entry.engines;
  const without = `${JSON.stringify(lock, null, 2)}\n`;
  if (without !== text) writeFileSync(path, without);
}

trim();
dropEngines();
