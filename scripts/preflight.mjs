import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Loaded before every script (`node --import`): reports a faulty install in one line, caches compiled code, and writes
 * the types that follow from the OpenAPI document. JavaScript, because Node runs TypeScript only from 22.18 on, and an
 * older one must get this far.
 */
const packages = fileURLToPath(new URL('../node_modules/', import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isTooOld = major < 22 || (major === 22 && minor < 18);
/** As the runtime's packages are named; on Windows the one for x64 runs on ARM as well. */
const platform =
  process.platform === 'win32' ? 'windows-64' : `${process.platform}-${process.arch === 'arm64' ? 'arm64' : '64'}`;

function problem() {
  if (!existsSync(packages)) return 'The packages are not installed: run "npm ci".';
  if (isTooOld && existsSync(`${packages}node`) && !existsSync(`${packages}node/bin`))
    return `Node ${process.versions.node} is too old, and the one that comes with the packages is not there: they were installed without their install scripts (--ignore-scripts). Run "npm rebuild node", or use Node 22.18 or later.`;
  if (isTooOld)
    return `Node ${process.versions.node} is too old: this needs 22.18 or later. "npm ci" brings one, which npm scripts use (npm start, npm run …).`;
  if (!existsSync(`${packages}@cloudflare/workerd-${platform}`))
    return `The runtime (workerd) for ${platform} is not installed: the packages were installed without optional or development ones, or on another machine. Run "npm ci --include=optional --include=dev".`;
  return null;
}

const found = problem();
if (found !== null) {
  console.error(found);
  process.exit(1);
}

// What was compiled once is read at the next start, by this process and its children: two seconds of CPU less for `npm start`.
process.env.NODE_COMPILE_CACHE ??= `${packages}.cache/compiled`;
module.enableCompileCache();

const { writeTypes } = await import('./openapi/types.ts');
try {
  writeTypes();
} catch (error) {
  // The script may be the one that fixes the document.
  console.error(`The types of the API's calls can't be made of public/openapi.json: ${error.message}`);
}
