import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const SCRIPT = join(import.meta.dirname, '../../scripts/operator.ts');

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the operators' command line; nothing of this process's own settings reaches it. */
export const runOperator = (
  args: readonly string[],
  env: Record<string, string> = {},
  input = '',
): Promise<CliResult> => startOperator(args, env, input).ended;

/** The same, with a way to press Ctrl-C meanwhile. */
export function startOperator(args: readonly string[], env: Record<string, string>, input = '') {
  const child = spawn(process.execPath, [SCRIPT, ...args], { env: env as NodeJS.ProcessEnv, stdio: 'pipe' });
  child.stdin.end(input);
  const result = async (): Promise<CliResult> => {
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code, stdout, stderr };
  };
  return { ended: result(), interrupt: () => void child.kill('SIGINT') };
}
