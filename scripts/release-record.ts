import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { execute, ROOT } from './check/step.ts';
import { commandLine } from './command-line.ts';
import { DeploymentError, runScript } from './deployment/deployment-error.ts';
import { LAST_RELEASE, type ReleaseRecord, readRecord } from './releases/record.ts';
import { objectSteps, postgresSteps, recorded } from './releases/schema-steps.ts';

/**
 * `npm run release:record`: records this commit as the last release, in `last-release/`. From then on the schema may only
 * change in ways that this release tolerates, and the long suite runs its Worker beside the newest.
 */
async function output(program: string, ...args: readonly string[]): Promise<string> {
  const { ok, output: said } = await execute(program, ...args);
  if (!ok) throw new DeploymentError(`${program} ${args.join(' ')} failed:\n${said}`);
  return said.trim();
}

/** The Worker as a deployment sends it. Its lists stay as they are: git has them already. */
async function keepWorker(folder: string): Promise<void> {
  const built = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    await output('wrangler', 'deploy', '--dry-run', '--outdir', built);
    for (const file of readdirSync(built)) {
      if (file.endsWith('.bin')) copyFileSync(join(built, file), join(folder, file));
      if (file.endsWith('.js'))
        writeFileSync(join(folder, `${file}.gz`), gzipSync(readFileSync(join(built, file)), { level: 9 }));
    }
  } finally {
    rmSync(built, { recursive: true });
  }
}

commandLine('release:record', 'Puts this commit down as the last release, in last-release/.').parse();

await runScript(async () => {
  if ((await output('git', 'status', '--porcelain')) !== '')
    throw new DeploymentError('Commit first: a release is a commit.');
  const isFirst = !existsSync(join(LAST_RELEASE, 'release.json'));
  const record: ReleaseRecord = {
    release: isFirst ? 1 : readRecord().release + 1,
    commit: await output('git', 'rev-parse', 'HEAD'),
    object: objectSteps().map(recorded),
    postgres: postgresSteps(join(ROOT, 'drizzle')).map(recorded),
  };
  rmSync(LAST_RELEASE, { recursive: true, force: true });
  const worker = join(LAST_RELEASE, 'worker');
  mkdirSync(worker, { recursive: true });
  await keepWorker(worker);
  copyFileSync(join(ROOT, 'wrangler.toml'), join(LAST_RELEASE, 'wrangler.toml'));
  copyFileSync(join(ROOT, 'public/openapi.json'), join(LAST_RELEASE, 'openapi.json'));
  writeFileSync(join(LAST_RELEASE, 'release.json'), `${JSON.stringify(record, null, 2)}\n`);
  console.log(`Release ${record.release} is recorded in last-release/: commit it.`);
});
