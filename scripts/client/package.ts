import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, ROOT } from '../check/step.ts';

/** The package has the service's own version: both are built from one commit. */
const { version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, string>;

const MANIFEST = {
  name: 'email-verification-client',
  version,
  description: 'Client of the email verification service, for Node, Deno, Bun and Workers',
  license,
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  exports: { '.': { types: './client.d.ts', default: './client.js' } },
  files: ['client.js', 'client.d.ts'],
};

/** Writes the package's files to `folder`: one module, its types, a manifest, a README. Returns its name and version. */
export async function buildPackage(
  folder: string,
): Promise<{ readonly name: string; readonly version: string | undefined }> {
  mkdirSync(folder, { recursive: true });
  const compiled = await execute('tsc', '-p', 'scripts/client/tsconfig.json', '--outDir', folder);
  if (!compiled.ok) throw new Error(compiled.output);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(MANIFEST, null, 2)}\n`);
  copyFileSync(join(import.meta.dirname, 'README.md'), join(folder, 'README.md'));
  return { name: MANIFEST.name, version };
}
