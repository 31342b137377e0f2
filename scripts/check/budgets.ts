import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { execute, ROOT, type StepResult } from './step.ts';

/** Code alone: the packed lists are modules of their own. */
const WORKER_KB = 1_500;

/** Builds the Worker like a deployment and weighs its code, compressed as the platform counts it. */
export async function bundleBudget(): Promise<StepResult> {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    const built = await execute('wrangler', 'deploy', '--dry-run', '--outdir', folder);
    if (!built.ok) return built;
    const code = readdirSync(folder).filter((file) => file.endsWith('.js'));
    const bytes = code.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
    const note = `${(bytes / 1000).toFixed(1)} KB gzip of ${WORKER_KB}`;
    return { ok: bytes <= WORKER_KB * 1000, note, output: `The Worker's code is over its budget: ${note}.` };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a browser loads before such a page is shown, compressed. */
const PAGE_KB = 300;
/** The pages that people open first. */
const FIRST = ['sign-in', 'overview'];

type Chunk = Rolldown.OutputChunk;

const isScreen = ({ facadeModuleId: id }: Chunk): boolean => id?.includes('/app/screens/') === true;

/** A chunk with everything it needs. */
function withImports(chunk: Chunk, chunks: ReadonlyMap<string, Chunk>, found = new Set<Chunk>()): Set<Chunk> {
  if (found.has(chunk)) return found;
  found.add(chunk);
  for (const name of chunk.imports) {
    const imported = chunks.get(name);
    if (imported !== undefined) withImports(imported, chunks, found);
  }
  return found;
}

/** Builds the dashboard's pages like a deployment, and weighs what the first of them need. */
export async function pageBudget(): Promise<StepResult> {
  const built = await build({
    root: join(ROOT, 'dashboard/app'),
    configFile: join(ROOT, 'dashboard/vite.config.ts'),
    build: { write: false },
    logLevel: 'silent',
  });
  const { output } = built as Rolldown.RolldownOutput;
  const chunks = new Map(output.flatMap((each) => (each.type === 'chunk' ? [[each.fileName, each] as const] : [])));
  const entry = [...chunks.values()].find(({ isEntry }) => isEntry);
  if (entry === undefined) return { ok: false, output: 'The build has no entry.' };
  const shell = withImports(entry, chunks);
  const early = [...shell].filter(isScreen).map(({ fileName }) => `${fileName} is loaded with every page.`);

  const texts = new Map(output.map((each) => [each.fileName, each.type === 'chunk' ? each.code : each.source]));
  const scheme = readFileSync(join(ROOT, 'dashboard/app/public/scheme.js'));
  const weigh = (name: string): number => gzipSync(texts.get(name) ?? '').length;
  const pages = FIRST.map((screen) => {
    const own = [...chunks.values()].find(({ facadeModuleId: id }) => id?.endsWith(`/screens/${screen}/index.tsx`));
    const loaded = own === undefined ? shell : withImports(own, chunks, new Set(shell));
    const files = new Set(['index.html']);
    for (const { fileName, viteMetadata } of loaded)
      for (const name of [fileName, ...(viteMetadata?.importedCss ?? [])]) files.add(name);
    const bytes = [...files].reduce((sum, name) => sum + weigh(name), gzipSync(scheme).length);
    return { screen, isSplit: own !== undefined, kb: bytes / 1000 };
  });
  const note = pages.map(({ screen, kb }) => `${screen} ${kb.toFixed(1)}`).join(', ');
  const faults = [
    ...early,
    ...pages.filter(({ isSplit }) => !isSplit).map(({ screen }) => `screens/${screen} has no chunk of its own.`),
    ...pages.filter(({ kb }) => kb > PAGE_KB).map(({ screen, kb }) => `${screen} loads ${kb.toFixed(1)} KB.`),
  ];
  return { ok: faults.length === 0, note: `${note} KB gzip of ${PAGE_KB}`, output: faults.join('\n') };
}
