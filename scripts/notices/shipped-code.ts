import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** `node_modules/a/node_modules/@b/c/x.js` is of `node_modules/a/node_modules/@b/c`; null: a file of ours. */
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

/** The packages that a deployment's own build takes code from, told by its metafile. */
export async function readShippedCode(): Promise<ShippedPackage[]> {
  const folder = mkdtempSync(join(tmpdir(), 'notices-'));
  try {
    const metafile = join(folder, 'meta.json');
    const built = await execute('wrangler', 'deploy', '--dry-run', '--outdir', folder, '--metafile', metafile);
    if (!built.ok || !existsSync(metafile)) throw new Error(built.output);
    const { outputs } = JSON.parse(readFileSync(metafile, 'utf8')) as Metafile;
    const files = Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    );
    const folders = new Set(files.map(packageFolder).filter((each) => each !== null));
    return [...folders].sort().map(readPackage);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
