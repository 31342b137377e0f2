import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * After `npm ci`: removes files of packages that we don't use. Everything works without it too. It is
 * JavaScript, because it may run on an older Node than the rest needs.
 */
const PACKAGES = fileURLToPath(new URL('../node_modules', import.meta.url));

const UNUSED = [
  {
    folder: 'node/node_modules',
    file: /^node-[^/]+\/include$/,
    why: 'C headers of Node: nothing is compiled against it',
  },
  {
    folder: '@img',
    file: /^sharp-[^/]+$/,
    why: 'sharp, which Miniflare loads for its Images binding: the Worker has none',
  },
  ...['@algolia', 'algoliasearch', '@docsearch/js', '@docsearch/react', 'preact'].map((folder) => ({
    folder,
    file: /^[^/]+$/,
    why: 'Algolia’s search, which VitePress loads only where a site is set to it: ours searches in the page',
  })),
  { folder: 'vue/dist', file: /\.(?:global|esm-browser)\./, why: 'builds of Vue for pages without a bundler' },
  { folder: 'mark.js', file: /^(?:docs|website|test)$/, why: 'its own site' },
  { folder: '.', file: /^(?!\.cache\/).*\.[cm]?[jt]s\.map$/, why: 'source maps of other people’s code' },
];

/** Every path below a folder, but not through links: `npm link` and workspaces lead into projects of their own. */
function* below(folder, under = '') {
  for (const entry of entriesOf(join(folder, under))) {
    const path = under + entry.name;
    yield path;
    if (entry.isDirectory()) yield* below(folder, `${path}/`);
  }
}

/** An install without development packages lacks whole folders; others are gone by the time they are reached. */
function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

for (const { folder, file } of UNUSED) {
  const path = join(PACKAGES, folder);
  for (const found of below(path)) if (file.test(found)) rmSync(join(path, found), { recursive: true, force: true });
}
