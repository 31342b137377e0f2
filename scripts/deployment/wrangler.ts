import { execFile } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { DeploymentError } from './deployment-error.ts';
import type { Target } from './names.ts';

/** The result of a wrangler call: its output, with and without errors. */
export interface Called {
  readonly ok: boolean;
  readonly stdout: string;
  readonly output: string;
}

export interface Call {
  readonly args: readonly string[];
  /** Passed on the standard input and never shown, whatever wrangler makes of it. */
  readonly secret?: string;
}

/** The environment without what only our own scripts use: the database and the keys of the service. */
export function toolEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const {
    DATABASE_URL: _database,
    SERVICE_SECRET: _service,
    HASH_SECRET: _hash,
    AUTH_SECRET: _auth,
    EMAIL_VERIFICATION_API_KEY: _key,
    EMAIL_VERIFICATION_OPERATOR_KEY: _operatorKey,
    ...others
  } = environment;
  return { ...others, WRANGLER_SEND_METRICS: 'false' };
}

/** Empty for production; without it wrangler prompts. */
export const targetArguments = ({ configFile, environment }: Target): readonly string[] => [
  '--config',
  configFile,
  `--env=${environment ?? ''}`,
];

/** Runs wrangler as found on the path (`npm run` puts the installed one first), never through a shell. */
export const callWrangler =
  (target: Target) =>
  ({ args, secret }: Call): Promise<Called> =>
    new Promise((resolve) => {
      const env = {
        ...toolEnvironment(process.env),
        NO_COLOR: '1',
        WRANGLER_HIDE_BANNER: 'true',
      };
      const child = execFile(
        'wrangler',
        [...args, ...targetArguments(target)],
        { env, maxBuffer: 2 ** 26 },
        (error, stdout, stderr) => {
          // Its errors are coloured regardless of settings.
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

/**
 * The list in a call's JSON output, each entry with the required fields. Throws on other output, so that an unreadable
 * list never passes for an empty one.
 */
export function printedList<Field extends string>(
  call: Call,
  stdout: string,
  fields: readonly Field[],
): Record<Field, string>[] {
  try {
    const list: unknown = JSON.parse(stdout.slice(stdout.search(/^\[/m), stdout.lastIndexOf(']') + 1));
    const isEntry = (entry: unknown): entry is Record<Field, string> =>
      fields.every((field) => typeof (entry as Partial<Record<Field, unknown>> | null)?.[field] === 'string');
    if (Array.isArray(list) && list.every(isEntry)) return list;
  } catch {
    // Not JSON.
  }
  throw new DeploymentError(`${commandLine(call)} printed no list of ${fields.join(' and ')}:\n${stdout.trim()}`);
}

/** The call's output. Throws wrangler's own words if it failed. */
export async function required(call: Call, run: (call: Call) => Promise<Called>): Promise<string> {
  const { ok, stdout, output } = await run(call);
  if (!ok) throw new DeploymentError(`${commandLine(call)} failed:\n${output}`);
  return stdout;
}
