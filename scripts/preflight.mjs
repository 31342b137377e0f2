import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Loaded before every script (`node --import`): says in a line what the install lacks. JavaScript, for from 22.18 on Node runs
 * TypeScript as it is, and an older one comes only this far.
 */
const packages = fileURLToPath(new URL('../node_modules/', import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isTooOld = major < 22 || (major === 22 && minor < 18);

function problem() {
  if (!existsSync(packages)) return 'The packages are not installed: run "npm ci".';
  if (isTooOld && existsSync(`${packages}node`) && !existsSync(`${packages}node/bin`))
    return `Node ${process.versions.node} is too old, and the one that comes with the packages is not there: they were installed without their install scripts (--ignore-scripts). Run "npm rebuild node", or use Node 22.18 or later.`;
  if (isTooOld)
    return `Node ${process.versions.node} is too old: this needs 22.18 or later. "npm ci" brings one, which npm scripts use (npm start, npm run …).`;
  if (!readdirSync(`${packages}@cloudflare`).some((name) => name.startsWith('workerd-')))
    return 'The runtime (workerd) is not installed: the packages were installed without optional ones (--omit=optional). Run "npm ci --include=optional".';
  return null;
}

const found = problem();
if (found !== null) {
  console.error(found);
  process.exit(1);
}
