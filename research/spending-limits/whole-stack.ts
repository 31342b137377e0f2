import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/stack/free-port.ts';
import type { StackInfo } from '../../scripts/stack/state.ts';
import type { Verification, VerificationContext } from '../../src/contract/verification.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { micros } from '../../src/domain/metering/usage.ts';
import { startVendorServer, type VendorServer } from '../../test/support/vendors/server.ts';
import type { BehaviourOf, VendorAccounts } from '../../test/support/vendors/simulator.ts';
import { warmingUp } from '../../test/support/vendors/warm-up.ts';
import { addressAt } from '../population/addresses.ts';
import { emailOf } from '../population/email-addresses.ts';
import { behaviourIn, PASSING_FAULTS } from '../population/outages.ts';
import { drawPopulation, NEAR } from '../population/population.ts';
import { drawLimits } from './requests.ts';
import type { Run, ServedRequest } from './served-request.ts';

/** How much faster vendors and limits are than in reality: more requests per run, and overhead is more visible. */
const VENDOR_PACE = 0.05;
const LIMIT_PACE = 0.1;
const PERIOD_MS = 3_000;
const SILENCE_MS = 2_000;

/** Each of the warm-up's requests may ask every vendor. */
const AMPLE: VerificationContext = { purpose: 'signup', max_cost_usd: 1, max_latency_ms: 20_000 };

/** Requests to the whole local stack (workerd, object, database, DNS), `atOnce` of them at a time, before a population's vendors. */
export async function runOnStack(
  seed: number,
  requests: number,
  accounts: VendorAccounts,
  atOnce: number,
): Promise<Run> {
  const population = drawPopulation(MODEL, NEAR, seed);
  const warmUp = warmingUp();
  let behaviourOf: BehaviourOf = warmUp.behaviourOf;
  const vendors = await startVendorServer(accounts, (...call) => behaviourOf(...call), SILENCE_MS);
  const stack = await startLocalStack(vendors);
  const verify = (email: string, context: VerificationContext) => send(stack.info, email, context);
  try {
    for (let i = 0; i < warmUp.requests; i += 1) await verify(`warm-up@w${i}.google-workspace.test`, AMPLE);
    behaviourOf = behaviourIn(population, { periodMs: PERIOD_MS, pace: VENDOR_PACE, faults: PASSING_FAULTS });
    const before = vendors.simulator.ledger.length;
    const served: ServedRequest[] = [];
    const bareMs: number[] = [];
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < requests) {
        const index = next;
        next += 1;
        const { context, maxCostUsd, maxLatencyMs } = drawLimits(seed, index, accounts, LIMIT_PACE);
        const email = emailOf(addressAt(population, index));
        const { answer, wallMs } = await verify(email, context);
        served.push({
          maxCostUsd,
          maxLatencyMs,
          wallMs,
          latencyMs: answer.latency_ms,
          claimedMicros: micros(answer.cost_usd),
          owedMicros: null,
          billedMicros: vendors.simulator.billedFor(email),
          degraded: answer.degraded === true,
        });
        bareMs.push((await timed(() => fetch(`${stack.info.base_url}/health`))).ms);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    return { served, calls: vendors.simulator.ledger.length - before, bareMs };
  } finally {
    await stack.stop();
    await vendors.stop();
  }
}

/** An answer as text and the time it took, by the caller's clock. */
async function timed(request: () => Promise<Response>): Promise<{ status: number; text: string; ms: number }> {
  const startedMs = performance.now();
  const response = await request();
  const text = await response.text();
  return { status: response.status, text, ms: performance.now() - startedMs };
}

async function send({ base_url: baseUrl, keys }: StackInfo, email: string, context: VerificationContext) {
  const { status, text, ms } = await timed(() =>
    fetch(`${baseUrl}/v1/verify`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.member}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email, context }),
    }),
  );
  if (status !== 200) throw new Error(`a verification answered ${status}: ${text}`);
  return { answer: JSON.parse(text) as Verification, wallMs: ms };
}

/** The local stack as `npm start` runs it, in a state of its own, its organisation without limits. */
async function startLocalStack({ settings }: VendorServer): Promise<{ info: StackInfo; stop: () => Promise<void> }> {
  const stateDir = mkdtempSync(join(tmpdir(), 'spending-limits-'));
  const { DATABASE_URL: _, ...environment } = process.env;
  const args = ['--port', String(await freePort()), '--state', stateDir, '--no-cron'];
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../scripts/start.ts'), ...args], {
    env: { ...environment, ...settings },
    // It ends with this process: the channel closes.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'close');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    rmSync(stateDir, { recursive: true, force: true });
  };
  const file = join(stateDir, 'stack.json');
  while (!existsSync(file)) {
    if (child.exitCode !== null) throw new Error('the local stack did not start');
    await sleep(50);
  }
  const info = JSON.parse(readFileSync(file, 'utf8')) as StackInfo;
  await withoutLimits(info);
  return { info, stop };
}

async function withoutLimits({ base_url: baseUrl, org_id: id, keys }: StackInfo): Promise<void> {
  const response = await fetch(`${baseUrl}/operator/v1/organisations/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${keys.operator}`, 'content-type': 'application/json' },
    body: JSON.stringify({ verification_quota: 0, rate_per_minute: 1e6 }),
  });
  if (!response.ok) throw new Error(`the limits could not be lifted: ${await response.text()}`);
  await response.body?.cancel();
}
