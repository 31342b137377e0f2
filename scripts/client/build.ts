/**
 * Builds the client library's npm package: `node scripts/client/build.ts [folder]`, `dist/client` when none is named.
 * `npm publish` or `npm pack` in that folder does the rest.
 */
import { join } from 'node:path';
import { buildPackage } from './package.ts';

const folder = process.argv[2] ?? join(import.meta.dirname, '../../dist/client');
const { name, version } = await buildPackage(folder);
console.log(`${name} ${version} is in ${folder}`);
