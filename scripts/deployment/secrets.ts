import { randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { DeploymentError } from './deployment-error.ts';
import type { Target } from './names.ts';
import { type Call, printedList } from './wrangler.ts';

/** The source of each secret that the Worker lacks. */
export const SECRETS = [
  { name: 'SERVICE_SECRET', isMade: true },
  { name: 'HASH_SECRET', isMade: true },
  { name: 'DATABASE_URL', isMade: false },
] as const satisfies readonly Secret[];

/** Those of the dashboard's Worker. */
export const DASHBOARD_SECRETS = [
  { name: 'AUTH_SECRET', isMade: true },
  { name: 'DATABASE_URL', isMade: false },
] as const satisfies readonly Secret[];

export interface Secret {
  readonly name: string;
  /** False: it must be given. */
  readonly isMade: boolean;
}

const SECRET_BYTES = 32;

/** Beside the configuration, readable only by its owner: Cloudflare never shows a secret, and `bootstrap` needs one. */
export const secretsFileOf = ({ configFile, environment }: Target): string =>
  join(dirname(configFile), '.provision', environment === null ? 'secrets.env' : `secrets.${environment}.env`);

function readKept(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/**
 * A secret's value: from the environment, else from an earlier run's file, else newly made and stored before use.
 * Throws for a secret that can't be generated.
 */
export function secretValue({ name, isMade }: Secret, env: NodeJS.Dict<string>, file: string): string {
  const given = env[name] || readKept(file)[name];
  if (given) return given;
  if (!isMade) throw new DeploymentError(`Set ${name} in the environment: the Worker has none yet.`);
  const made = randomBytes(SECRET_BYTES).toString('base64');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  appendFileSync(file, `${name}="${made}"\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return made;
}

export const LIST_SECRETS: Call = { args: ['secret', 'list'] };

/** Names as `secret list` prints them. */
export const secretsIn = (stdout: string): string[] =>
  printedList(LIST_SECRETS, stdout, ['name']).map(({ name }) => name);
