import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from '../../scripts/command-line.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Stryker brings 177 packages that nothing else needs: it has a lock file of its own, and is installed when it is run. */
const STRYKER = join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js');

/** The pure parts, and the folders of unit tests that should find their mutants. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  metering: ['metering', 'organisation'],
  rules: ['rules', 'organisation'],
  policy: ['policy'],
  calibration: ['calibration'],
  verification: ['verification'],
};

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${command} ${args[0]} ends with ${status}`);
}

/** Changes files of one part in every way that Stryker knows, one change at a time, and prints which its tests did not find. */
function mutate(files: readonly string[], folders: readonly string[]): void {
  const work = mkdtempSync(join(tmpdir(), 'mutation-'));
  try {
    const settings = {
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      vitest: { configFile: 'proof/mutation/vitest.config.ts', related: false },
      mutate: files,
      // A constant that is made when its module loads needs that again, and every test: seven seconds each, in place of two.
      ignoreStatic: true,
      concurrency: 2,
      // A test that is slow on a busy machine is not one that found a change.
      timeoutMS: 30_000,
      timeoutFactor: 4,
      reporters: ['clear-text'],
      clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
      tempDirName: join(work, 'sandbox'),
      ignorePatterns: ['docs', 'research', 'public', 'proof/mutation/node_modules', '.local'],
      // TypeScript 7 has no interface for programs, with which Stryker would rewrite it.
      tsconfigFile: 'none',
    };
    writeFileSync(join(work, 'stryker.json'), JSON.stringify(settings));
    run(process.execPath, [STRYKER, 'run', join(work, 'stryker.json')], {
      MUTATION_TESTS: folders.join(','),
      MUTATION_FILES: files.join(','),
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** `npm run proof -- mutation [--file FILE…]`: shows the score of each file, and each change that no unit test of its part finds. */
const { file } = commandLine('mutation', 'Changes the pure parts, and runs their unit tests on each change.')
  .option('--file <path...>', 'the files to change (default: all of the pure parts)')
  .parse()
  .opts<{ file?: string[] }>();
if (!existsSync(STRYKER))
  run('npm', ['ci', '--prefix', import.meta.dirname, '--legacy-peer-deps', '--no-audit', '--no-fund']);
for (const [part, folders] of Object.entries(TESTS)) {
  const all = globSync(`src/domain/${part}/**/*.ts`, { cwd: ROOT });
  const files = file === undefined ? all : all.filter((path) => file.includes(path));
  if (files.length > 0) mutate(files, folders);
}
