import { execFile } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { DeploymentError } from './deployment-error.ts';

/** How a call of wrangler ended: what it printed, with and without what went wrong. */
export interface Called {
  readonly ok: boolean;
  readonly stdout: string;
  readonly output: string;
}

export interface Call {
  readonly args: readonly string[];
  /** Given on the standard input and never shown, whatever wrangler makes of it. */
  readonly secret?: string;
}

/** Runs wrangler as found on the path (`npm run` puts the installed one first), never through a shell. */
export const callWrangler =
  (configFile: string) =>
  ({ args, secret }: Call): Promise<Called> =>
    new Promise((resolve) => {
      const env = {
        ...process.env,
        NO_COLOR: '1',

        WRANGLER_SEND_METRICS: 'false',
        WRANGLER_HIDE_BANNER: 'true',
      };
      const child = execFile(
        'wrangler',
        [...args, '--config', configFile],
        { env, maxBuffer: 2 ** 26 },
        (error, stdout, stderr) => {
          // Its errors are coloured whatever it is told.
          const said = stripVTControlCharacters(`${stdout}${stderr}`).trim() || (error?.message ?? '');
          const output = secret === undefined ? said : said.replaceAll(secret, '•••');
          resolve({ ok: error === null, stdout, output });
        },
      );
      // It may have ended without reading.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(secret);
    });

/** As it would be typed. */
export const commandLine = ({ args, secret }: Call): string =>
  `${secret === undefined ? '' : '(secret) | '}wrangler ${args.join(' ')}`;

/** What the call printed. Throws with wrangler's own words where it failed. */
export async function required(call: Call, run: (call: Call) => Promise<Called>): Promise<string> {
  const { ok, stdout, output } = await run(call);
  if (!ok) throw new DeploymentError(`${commandLine(call)} failed:\n${output}`);
  return stdout;
}
