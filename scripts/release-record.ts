import { writeFileSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };
import { execute, ROOT } from './check/step.ts';
import { commandLine } from './command-line.ts';
import { DeploymentError, runScript } from './deployment/deployment-error.ts';
import { RECORD, type ReleaseRecord, readRecord } from './releases/record.ts';
import { recorded, stepsOf } from './releases/schema-steps.ts';

/**
 * `npm run release:record`: records this commit as the last release, in `release.json`. From then on the schema may only
 * change in ways that this release tolerates, and the long suite runs its Worker beside the newest.
 */
async function git(...args: readonly string[]): Promise<string> {
  const { ok, output } = await execute('git', ...args);
  if (!ok) throw new DeploymentError(`git ${args.join(' ')} failed:\n${output}`);
  return output.trim();
}

commandLine('release:record', 'Puts this commit down as the last release, in release.json.').parse();

await runScript(async () => {
  if ((await git('status', '--porcelain')) !== '') throw new DeploymentError('Commit first: a release is a commit.');
  const record: ReleaseRecord = {
    release: (readRecord()?.release ?? 0) + 1,
    version: packageJson.version,
    commit: await git('rev-parse', 'HEAD'),
    steps: recorded(stepsOf(ROOT)),
  };
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`);
  console.log(
    `Release ${record.release} (${record.version}) is recorded in release.json: commit it, and keep the commit it names.`,
  );
});
