import { setTimeout as sleep } from 'node:timers/promises';
import { DeploymentError } from './deployment-error.ts';

/** A new Worker, and an account's first subdomain, take some seconds to be known everywhere. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;
const CALL_MS = 10_000;

export interface Deployed {
  readonly url: string;
  /** The version that `/health` must report; null for any. */
  readonly version: string | null;
  /** A key for one check; null means the Worker must refuse it for the lack of one. */
  readonly key: string | null;
  /** Shorter in tests. */
  readonly patienceMs?: number;
}

/** One call's status and body as text, or how it failed. */
async function ask(url: string, init: RequestInit = {}): Promise<string> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(CALL_MS) });
    return `${response.status} ${await response.text()}`;
  } catch (error) {
    return `nothing: ${(error as Error).message}`;
  }
}

function isHealthy(answer: string, version: string | null): boolean {
  if (!answer.startsWith('200 {')) return false;
  const health = JSON.parse(answer.slice('200 '.length)) as { status?: unknown; version?: unknown };
  return health.status === 'ok' && (version === null || health.version === version);
}

/** Waits for `/health` to answer ok, with the version if given. Throws its answer otherwise. */
async function askHealth(url: string, version: string | null, patienceMs: number): Promise<void> {
  const until = Date.now() + patienceMs;
  let health = await ask(`${url}/health`);
  while (!isHealthy(health, version) && Date.now() < until) {
    await sleep(Math.min(PAUSE_MS, patienceMs));
    health = await ask(`${url}/health`);
  }
  if (!isHealthy(health, version)) throw new DeploymentError(`GET ${url}/health answers ${health}`);
}

/** Checks the deployed Worker. Throws its answer if it does not work. */
export async function askDeployed({ url, version, key, patienceMs = PATIENCE_MS }: Deployed): Promise<void> {
  await askHealth(url, version, patienceMs);
  const check = await ask(`${url}/v1/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ email: 'someone@example.com' }),
  });
  const expected = key === null ? 401 : 200;
  if (!check.startsWith(`${expected} `))
    throw new DeploymentError(`POST ${url}/v1/check answers ${check}\nExpected is ${expected}.`);
}

/** Checks the deployed dashboard. */
export const askDashboard = (url: string, patienceMs = PATIENCE_MS): Promise<void> => askHealth(url, null, patienceMs);

/** The Worker's URL in the output file of `wrangler deploy`, or null. */
export function addressIn(outputFile: string): string | null {
  const entries = outputFile.split('\n').filter((line) => line !== '');
  const targets = entries.flatMap((line) => (JSON.parse(line) as { targets?: readonly string[] }).targets ?? []);
  return targets.find((target) => /^https?:/.test(target)) ?? null;
}
