import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** The repository's root; every program runs there. */
export const ROOT = join(import.meta.dirname, '../..');

export interface StepResult {
  readonly ok: boolean;
  /** A figure for the step's line. */
  readonly note?: string;
  /** What explains a failure. */
  readonly output: string;
}

export interface Step {
  readonly name: string;
  readonly run: () => Promise<StepResult>;
}

const env = {
  ...process.env,
  PATH: [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
  WRANGLER_SEND_METRICS: 'false',
};

/** Runs a program of `node_modules/.bin` (or of the path) without input. Never rejects: what can't start has failed. */
export function execute(program: string, ...args: readonly string[]): Promise<StepResult> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { cwd: ROOT, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const said = stdout + stderr;
      resolve({ ok: error === null, output: said.trim() === '' && error !== null ? error.message : said });
    });
    child.stdin?.end();
  });
}

/** A step that is one program, passed when it exits with 0. */
export const program = (name: string, ...command: readonly [string, ...string[]]): Step => ({
  name,
  run: () => execute(...command),
});
