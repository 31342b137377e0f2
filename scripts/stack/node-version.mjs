// Loaded before TypeScript is (node --import): from 22.18 on Node runs .ts files as they are.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Node ${process.versions.node} is too old: the local stack needs 22.18 or later. "npm ci" installs one for npm scripts.`,
  );
  process.exit(1);
}
