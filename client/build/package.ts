import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { execute, ROOT } from '../../scripts/check/step.ts';
import { singleFile } from './single-file.ts';

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
  // Tools that do not read `exports` take these three.
  main: './client.cjs',
  module: './client.js',
  types: './client.d.cts',
  exports: {
    '.': {
      import: { types: './client.d.ts', default: './client.js' },
      require: { types: './client.d.cts', default: './client.cjs' },
    },
    './package.json': './package.json',
  },
  files: ['client.js', 'client.d.ts', 'client.cjs', 'client.d.cts'],
};

/** Compiles with only the types that all runtimes share: web standards, without Node's or Workers' own. */
const COMPILER_OPTIONS = [
  '--ignoreConfig',
  '--target',
  'es2022',
  '--module',
  'esnext',
  '--moduleResolution',
  'bundler',
  '--lib',
  'es2022,dom,dom.iterable',
  '--strict',
  '--noUncheckedIndexedAccess',
  '--exactOptionalPropertyTypes',
  '--verbatimModuleSyntax',
  '--declaration',
];

/**
 * Writes the package's files to `folder`: one module in both forms, its types, a manifest, a README, and beside them the single source
 * file. Returns its name and version.
 */
export async function buildPackage(
  folder: string,
): Promise<{ readonly name: string; readonly version: string | undefined }> {
  mkdirSync(folder, { recursive: true });
  const source = join(folder, 'client.ts');
  writeFileSync(source, singleFile());
  const compiled = await execute('tsc', source, ...COMPILER_OPTIONS, '--outDir', folder);
  if (!compiled.ok) throw new Error(compiled.output);
  // The same for programs that `require` it: an older Node can't load a module so.
  const { code } = await transform(readFileSync(join(folder, 'client.js'), 'utf8'), {
    format: 'cjs',
    target: 'es2022',
  });
  writeFileSync(join(folder, 'client.cjs'), code);
  copyFileSync(join(folder, 'client.d.ts'), join(folder, 'client.d.cts'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(MANIFEST, null, 2)}\n`);
  copyFileSync(join(import.meta.dirname, '../README.md'), join(folder, 'README.md'));
  return { name: MANIFEST.name, version };
}
