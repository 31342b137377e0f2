import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { execute, ROOT } from '../check/step.ts';

/** A package whose code is part of the Worker. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Its licence and notice files, by name. */
  readonly texts: ReadonlyMap<string, string>;
}

interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

const FOLDER = 'node_modules/';

/** `node_modules/a/node_modules/@b/c/x.js` is of `node_modules/a/node_modules/@b/c`; null means a file of ours. */
function packageFolder(file: string): string | null {
  const at = file.lastIndexOf(FOLDER);
  if (at === -1) return null;
  const [first = '', second = ''] = file.slice(at + FOLDER.length).split('/');
  return `${file.slice(0, at)}${FOLDER}${first.startsWith('@') ? `${first}/${second}` : first}`;
}

function readPackage(folder: string): ShippedPackage {
  const root = join(ROOT, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license: string;
  };
  const files = readdirSync(root).filter((file) => /^(?:licen[cs]e|notice)[^/]*$/i.test(file));
  return {
    name,
    version,
    licence: license,
    texts: new Map(files.sort().map((file) => [file, readFileSync(join(root, file), 'utf8')])),
  };
}

const foldersOf = (files: Iterable<string>): string[] =>
  [...new Set(Array.from(files, packageFolder).filter((each) => each !== null))].sort();

/** The packages that a deployment's build of a Worker takes code from, by its metafile. */
export async function readShippedCode(configFile: string): Promise<ShippedPackage[]> {
  const folder = mkdtempSync(join(tmpdir(), 'notices-'));
  try {
    const metafile = join(folder, 'meta.json');
    const args = ['--outdir', folder, '--metafile', metafile, '--config', configFile];
    const built = await execute('wrangler', 'deploy', '--dry-run', ...args);
    if (!built.ok || !existsSync(metafile)) throw new Error(built.output);
    const { outputs } = JSON.parse(readFileSync(metafile, 'utf8')) as Metafile;
    const files = Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    );
    // Named from the configuration's folder.
    const below = join(ROOT, dirname(configFile));
    return foldersOf(files.map((file) => relative(ROOT, join(below, file)))).map(readPackage);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The packages in the documentation's pages, as their build has named their files. */
export const readDocsCode = (): ShippedPackage[] =>
  foldersOf(JSON.parse(readFileSync(join(ROOT, 'public/docs/packages.json'), 'utf8')) as string[]).map(readPackage);

/** The packages in the dashboard's pages. */
export async function readPagesCode(): Promise<ShippedPackage[]> {
  const { build } = await import('vite');
  const built = await build({
    root: join(ROOT, 'dashboard/app'),
    configFile: join(ROOT, 'dashboard/vite.config.ts'),
    build: { write: false },
    logLevel: 'error',
  });
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const files = outputs.flatMap((each) =>
    each.type === 'chunk'
      ? Object.entries(each.modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : []))
      : [],
  );
  return foldersOf(files.map((file) => relative(ROOT, file.replace(/^\0/, '').split('?', 1)[0] ?? ''))).map(
    readPackage,
  );
}
