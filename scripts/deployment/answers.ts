import { setTimeout as sleep } from 'node:timers/promises';
import { DeploymentError } from './deployment-error.ts';

/** A new Worker, and the first address of an account, take some seconds to be known everywhere. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;
const CALL_MS = 10_000;

export interface Deployed {
  readonly url: string;
  /** What `/health` has to name; null means whatever it names. */
  readonly version: string | null;
  /** A key for one check; null means it has to be refused for want of one. */
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

/** Waits for `/health` to say yes, and names the version where one is given. Throws with its answer where it does not. */
async function askHealth(url: string, version: string | null, patienceMs: number): Promise<void> {
  const until = Date.now() + patienceMs;
  let health = await ask(`${url}/health`);
  while (!isHealthy(health, version) && Date.now() < until) {
    await sleep(Math.min(PAUSE_MS, patienceMs));
    health = await ask(`${url}/health`);
  }
  if (!isHealthy(health, version)) throw new DeploymentError(`GET ${url}/health answers ${health}`);
}

/** Asks the Worker that was put up whether it works. Throws with its answer where it does not. */
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

/** Asks the dashboard that was put up whether it is set up. */
export const askDashboard = (url: string, patienceMs = PATIENCE_MS): Promise<void> => askHealth(url, null, patienceMs);

/** Where the Worker answers, of what `wrangler deploy` wrote to its output file; null where it names no address. */
export function addressIn(outputFile: string): string | null {
  const entries = outputFile.split('\n').filter((line) => line !== '');
  const targets = entries.flatMap((line) => (JSON.parse(line) as { targets?: readonly string[] }).targets ?? []);
  return targets.find((target) => /^https?:/.test(target)) ?? null;
}
