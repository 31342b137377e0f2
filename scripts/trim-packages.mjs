import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * After `npm ci`: removes what packages bring and nothing here uses, 123 of 754 MB. Without it everything works all the same.
 * JavaScript, for it may run on an older Node than the rest needs.
 */
const PACKAGES = join(import.meta.dirname, '../node_modules');

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
  { folder: '.', file: /^(?!\.cache\/).*\.[cm]?[jt]s\.map$/, why: 'source maps of other people’s code' },
];

for (const { folder, file } of UNUSED) {
  const path = join(PACKAGES, folder);
  if (!existsSync(path)) continue;
  for (const found of readdirSync(path, { recursive: true })) {
    if (file.test(found.replaceAll('\\', '/'))) rmSync(join(path, found), { recursive: true, force: true });
  }
}
