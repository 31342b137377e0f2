/**
 * Builds the client library's npm package: `node client/build/build.ts [folder]`, `dist/client` when none is named.
 * `npm publish` or `npm pack` in that folder does the rest.
 */
import { join } from 'node:path';
import { commandLine } from '../../scripts/command-line.ts';
import { buildPackage } from './package.ts';

const [folder] = commandLine('client:build', 'Builds the npm package of the client library.')
  .argument('[folder]', 'where it goes', join(import.meta.dirname, '../../dist/client'))
  .parse().processedArgs as [string];
const { name, version } = await buildPackage(folder);
console.log(`${name} ${version} is in ${folder}`);
