import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** Stryker brings 177 packages that nothing else needs: it has a lock file of its own, and is installed when it is run. */
const STRYKER = join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js');

interface Position {
  readonly line: number;
  readonly column: number;
}

interface Report {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: string;
        readonly mutants: readonly {
          readonly status: string;
          readonly replacement?: string;
          readonly location: { readonly start: Position; readonly end: Position };
        }[];
      }
    >
  >;
}

/** A change of the code that no test has noticed. `isReached`: some test runs it. */
export interface Survivor {
  readonly line: number;
  readonly was: string;
  readonly becomes: string;
  readonly isReached: boolean;
}

/** How a file's mutants fared. `constants`: those left out, of what is made when the module loads; absent: they were tried. */
export interface Score {
  readonly constants?: number;
  readonly mutants: number;
  readonly killed: number;
  readonly survivors: readonly Survivor[];
}

const MAX_CHARS = 80;
const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line;
};

function textAt(source: string, start: Position, end: Position): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last]?.slice(0, end.column - 1) ?? '';
  lines[0] = lines[0]?.slice(start.column - 1) ?? '';
  return lines.join('\n');
}

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  // Not this run's own settings of vitest; npm needs those of the registry.
  const isKept = (name: string): boolean => /^(?:PATH$|HOME$|NODE_EXTRA_CA_CERTS$|SSL_CERT|npm_config_)/.test(name);
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => isKept(name)));
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: Object.assign(kept, env) as unknown as NodeJS.ProcessEnv,
  });
  if (status !== 0) throw new Error(`${command} ${args[0]}: ${stdout.slice(-2_000)}${stderr.slice(-2_000)}`);
}

/**
 * Changes files in every way that Stryker knows, one change at a time, and runs the unit tests of these folders on each. Together
 * they need one run without a change, which takes as long as some twenty changes.
 */
export function mutate(files: readonly string[], folders: readonly string[]): ReadonlyMap<string, Score> {
  if (!existsSync(STRYKER))
    run('npm', ['ci', '--prefix', import.meta.dirname, '--legacy-peer-deps', '--no-audit', '--no-fund']);
  const work = mkdtempSync(join(tmpdir(), 'mutation-'));
  try {
    const [settings, report] = [join(work, 'stryker.json'), join(work, 'report.json')];
    writeFileSync(
      settings,
      JSON.stringify({
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
        reporters: ['json'],
        jsonReporter: { fileName: report },
        tempDirName: join(work, 'sandbox'),
        ignorePatterns: ['docs', 'research', 'public', 'proof/mutation/node_modules', '.local'],
        // TypeScript 7 has no interface for programs, with which Stryker would rewrite it.
        tsconfigFile: 'none',
      }),
    );
    run(process.execPath, [STRYKER, 'run', settings], {
      MUTATION_TESTS: folders.join(','),
      MUTATION_FILES: files.join(','),
    });
    const found = JSON.parse(readFileSync(report, 'utf8')) as Report;
    return new Map(files.map((file) => [file, scoreOf(found, file)]));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Pure. */
function scoreOf({ files }: Report, file: string): Score {
  // The report leaves out a file in which nothing can be changed.
  const { source = '', mutants = [] } = files[file] ?? {};
  const counted = mutants.filter(({ status }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(status));
  const survivors = counted.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  return {
    constants: mutants.filter(({ status }) => status === 'Ignored').length,
    mutants: counted.length,
    killed: counted.length - survivors.length,
    survivors: survivors.map(({ status, replacement = '', location: { start, end } }) => ({
      line: start.line,
      was: short(textAt(source, start, end)),
      becomes: short(replacement),
      isReached: status === 'Survived',
    })),
  };
}
