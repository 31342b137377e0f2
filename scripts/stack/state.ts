import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { logFiles } from './worker-log.ts';

/** What the stack stores in its state directory; `--fresh` removes only these. */
const OWNED = ['postgres', 'worker', 'wrangler', 'secrets.json', 'stack.json', ...logFiles('worker.log')];

export interface SeededKeys {
  readonly viewer: string;
  readonly member: string;
  readonly admin: string;
  readonly test: string;
  readonly operator: string;
}

export interface Seeded {
  readonly org_id: string;
  readonly keys: SeededKeys;
}

/** Made once, stored across restarts in `DIR/secrets.json` (mode 600). */
export interface Secrets {
  readonly service_secret: string;
  readonly hash_secret: string;
  /** Signs the dashboard's cookies. */
  readonly auth_secret: string;
  /** Digest of the HASH_SECRET it was made with, which may be the user's own. */
  readonly hash_digest: string;
  readonly seeded?: Seeded;
}

/** `DIR/stack.json` (mode 600): how to reach a running stack. Exists only while the stack is ready. */
export interface StackInfo extends Seeded {
  readonly base_url: string;
  readonly database_url: string;
  readonly dashboard_url: string;
  /** Signs the seeded person in, once: the newest requested link. */
  readonly sign_in_url: string;
  readonly pid: number;
}

/** Atomic, readable only by its owner. */
export function writePrivate(path: string, value: unknown): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function emptyState(dir: string): void {
  for (const name of OWNED) rmSync(join(dir, name), { recursive: true, force: true });
}

const digestOf = (secret: string): string => createHash('sha256').update(secret.trim()).digest('hex');

/** `hashSecret`: the user's own, which stays out of the file. */
export function loadSecrets(dir: string, hashSecret?: string): Secrets {
  const path = join(dir, 'secrets.json');
  const secret = () => randomBytes(32).toString('base64');
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Secrets;
  const made = { service_secret: secret(), hash_secret: secret(), auth_secret: secret() };
  const secrets = { ...made, hash_digest: digestOf(hashSecret ?? made.hash_secret) };
  saveSecrets(dir, secrets);
  return secrets;
}

/** Whether the state was hashed and sealed under this HASH_SECRET. */
export const isMadeWith = ({ hash_digest: digest }: Secrets, hashSecret: string): boolean =>
  digestOf(hashSecret) === digest;

export const saveSecrets = (dir: string, secrets: Secrets): void => writePrivate(join(dir, 'secrets.json'), secrets);

/** Only for its owner, also if it existed before; refuses a folder with other content. */
export function createState(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (readdirSync(dir).every((name) => OWNED.includes(name))) chmodSync(dir, 0o700);
}
