import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Usage } from '../../src/contract/account.ts';
import { type Trace, TraceResponse } from '../../src/contract/traces.ts';
import { Verification, type VerificationContext } from '../../src/contract/verification.ts';
import { micros } from '../../src/domain/metering/usage.ts';
import { PROVIDER_IDS, type ProviderId } from '../../src/domain/belief/provider.ts';
import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { fails, type Script, STEPS_ASIDE, says, startVendorStage, type VendorStage } from '../support/vendor-stage.ts';
import type { FaultName } from '../support/vendors/faults.ts';
import { warmingUp } from '../support/vendors/warm-up.ts';

let stack: TestStack;
let vendors: VendorStage;
beforeAll(async () => {
  vendors = await startVendorStage();
  stack = await startTestStack({ env: vendors.settings, databaseDelayMs: 0 });
  await warmUp();
});
afterAll(async () => {
  await stack.remove();
  await vendors.stop();
});

/** A word that occurs only in addresses. */
const CANARY = 'leak-canary';
let addresses = 0;
let spentMicros = 0;
/** An address that is new to the service, at a domain that is new to it. */
function newAddress(): string {
  addresses += 1;
  return `${CANARY}-${addresses}@d${addresses}.google-workspace.test`;
}

/** Every vendor may be asked about one address. */
const AMPLE: VerificationContext = { purpose: 'signup', max_cost_usd: 0.01, max_latency_ms: 10_000 };

type Failure = NonNullable<Trace['provider_failures']>[number];

interface Verified {
  readonly email: string;
  readonly answer: Verification;
  /** As its trace has them. */
  readonly failures: readonly Failure[];
  /** What the answer says it cost, and what its failed calls may cost. */
  readonly ownedMicros: number;
}

async function verify(script: Script, context: VerificationContext = AMPLE): Promise<Verified> {
  vendors.play(script);
  const email = newAddress();
  const response = await stack.request('/v1/verify', stack.keys.member, { email, context });
  expect(response.status).toBe(200);
  const answer = Verification.strict().parse(await response.json());
  const failures = await failuresOf(answer);
  const ownedMicros = failures.reduce((sum, { may_cost_usd }) => sum + micros(may_cost_usd), micros(answer.cost_usd));
  spentMicros += ownedMicros;
  return { email, answer, failures, ownedMicros };
}

async function failuresOf(answer: Verification): Promise<readonly Failure[]> {
  const response = await stack.request(`/v1/traces/${answer.trace_id}`, stack.keys.viewer);
  expect(response.status).toBe(200);
  return TraceResponse.parse(await response.json()).trace.provider_failures ?? [];
}

async function warmUp(): Promise<void> {
  const { behaviourOf, requests } = warmingUp();
  for (let i = 0; i < requests; i += 1) await verify((provider, email) => behaviourOf(provider, email, 0));
}

const callsFor = (email: string): ProviderId[] =>
  vendors.simulator.ledger.filter((entry) => entry.email === email).map(({ provider }) => provider);

describe.each(PROVIDER_IDS)('an answer of %s in its wire form', (target) => {
  const only =
    (behaviour: (email: string) => ReturnType<Script>): Script =>
    (provider, email) =>
      provider === target ? behaviour(email) : STEPS_ASIDE;
  const rows = VERDICTS.flatMap((verdict) => [false, true].map((role) => ({ verdict, role })));

  it.each(rows)('is read as it is meant, and charged as the vendor charges it: $verdict, role $role', async (row) => {
    const acceptsAll = row.verdict === 'catch_all';
    const { email, answer } = await verify(only((about) => says(about, { ...row, acceptsAll })));
    expect(Object.keys(answer.providers)).toEqual([target]);
    const billed = vendors.simulator.ledger.find((entry) => entry.email === email && entry.provider === target);
    expect(answer.providers[target]).toMatchObject({ verdict: row.verdict, cost: (billed?.billedMicros ?? -1) / 1e6 });
    expect(answer.cost_usd).toBe(answer.providers[target]?.cost);
    expect(answer.signals.catch_all).toBe(acceptsAll);
    // An unknown adds no evidence, and the others have given no answer.
    expect(answer.degraded === true).toBe(row.verdict === 'unknown');
  });
});

/** Failure kinds of a fault that never ends: abandoned, or timed out. */
const STILL_OUT = ['timeout', 'abandoned'];
/** Faults that end at once, with their failure kind in the trace. */
const PASSING: readonly (readonly [FaultName, readonly string[]])[] = [
  ['reset', ['unreachable']],
  ['hang', STILL_OUT],
  ['slow drip', STILL_OUT],
  ['10 MB body', ['too_large']],
  ['server error', ['server_error']],
  ['rate limit', ['rate_limited']],
  ['refusal', ['refused']],
  ['garbage', ['malformed']],
  ['truncated JSON', ['malformed']],
  ['wrong schema', ['malformed']],
  ['redirect loop', ['unreachable']],
];

const CEILING_MS = 1_000;
const TIGHT: VerificationContext = { ...AMPLE, max_latency_ms: CEILING_MS };
/** The ceiling is the service's promise; what a busy machine adds to it is not. */
const MARGIN_MS = 250;

/** The vendors' charges for an address match the answer and its trace, and stay within the ceiling. */
function expectAccountedFor({ email, answer, ownedMicros }: Verified): void {
  const billed = vendors.simulator.billedFor(email);
  expect(billed).toBeGreaterThanOrEqual(micros(answer.cost_usd));
  expect(billed).toBeLessThanOrEqual(ownedMicros);
  expect(ownedMicros).toBeLessThanOrEqual(micros(TIGHT.max_cost_usd ?? 0));
}

/** Expects the prior and each vendor's failure in the trace, since no vendor answered. */
function expectAllFailed(verified: Verified, kinds: readonly string[]): void {
  expect(verified.answer).toMatchObject({
    verdict: 'unknown',
    calibration: 'prior',
    degraded: true,
    providers: {},
    cost_usd: 0,
    disagreement: 0,
  });
  expect(verified.answer.latency_ms).toBeLessThanOrEqual(CEILING_MS + MARGIN_MS);
  const { failures } = verified;
  expect(failures.map(({ provider }) => provider).toSorted()).toEqual(PROVIDER_IDS.toSorted());
  for (const { kind } of failures) expect(kinds).toContain(kind);
  expectAccountedFor(verified);
}

/** Expects this vendor's `deliverable`, since the others decline or fail. */
function expectAnswerOf({ answer }: Verified, ceilingMs = CEILING_MS): void {
  expect(answer.degraded).toBeUndefined();
  expect(answer).toMatchObject({ recommendation: 'send', signals: { mx: true, catch_all: false } });
  expect(answer.bounce_probability).toBeLessThan(0.1);
  expect(answer.latency_ms).toBeLessThanOrEqual(ceilingMs + MARGIN_MS);
}

/** Several failures in a row stop calls to a vendor for half a minute; one answer in between resets that. */
async function heal(target: ProviderId): Promise<void> {
  const { answer } = await verify((provider, email) => (provider === target ? says(email) : STEPS_ASIDE));
  expect(Object.keys(answer.providers)).toEqual([target]);
}

describe.each(PASSING)('a fault, %s', (fault, kinds) => {
  it('of all vendors at once: the prior, degraded, and each failure in the trace', async () => {
    const verified = await verify(() => fails(fault), TIGHT);
    expectAllFailed(verified, kinds);
    // One call: no retry, no redirect.
    expect(callsFor(verified.email).toSorted()).toEqual(PROVIDER_IDS.toSorted());
  });

  /** Time for another vendor after one that hangs, on a busy machine too. */
  const roomyMs = 3 * CEILING_MS;
  let routedAround = 0;
  it.each(PROVIDER_IDS)('of %s alone: routed around, or degraded where no provider is left', async (target) => {
    await heal(target);
    let met = false;
    const verified = await verify(
      (provider, email) => {
        if (provider !== target) return met ? says(email) : STEPS_ASIDE;
        met = true;
        return fails(fault);
      },
      { ...AMPLE, max_latency_ms: roomyMs },
    );
    if (Object.keys(verified.answer.providers).length === 0) {
      expect(verified.answer).toMatchObject({ verdict: 'unknown', degraded: true, cost_usd: 0 });
    } else {
      routedAround += 1;
      expect(verified.answer.providers).not.toHaveProperty(target);
      expectAnswerOf(verified, roomyMs);
    }
    const own = verified.failures.filter(({ provider }) => provider === target);
    expect(own).toHaveLength(1);
    expect(kinds).toContain(own[0]?.kind);
    expect(callsFor(verified.email).filter((provider) => provider === target)).toHaveLength(1);
    expectAccountedFor(verified);
  });

  it('is routed around unless the last vendor has it', () => {
    expect(routedAround).toBeGreaterThanOrEqual(PROVIDER_IDS.length - 2);
  });
});

describe('connections refused', () => {
  async function whileRefusing(targets: readonly ProviderId[]): Promise<Verified> {
    await Promise.all(targets.map((target) => vendors.refuse(target)));
    try {
      return await verify((_, email) => says(email), TIGHT);
    } finally {
      await Promise.all(targets.map((target) => vendors.accept(target)));
    }
  }
  beforeEach(async () => {
    for (const target of PROVIDER_IDS) await heal(target);
  });

  it('by all vendors at once: the prior, degraded, and each failure in the trace', async () => {
    const verified = await whileRefusing(PROVIDER_IDS);
    expectAllFailed(verified, ['unreachable']);
    expect(callsFor(verified.email)).toEqual([]);
  });

  it.each(PROVIDER_IDS)('by all but %s: its answer, and the failures of those asked before it', async (target) => {
    const verified = await whileRefusing(PROVIDER_IDS.filter((provider) => provider !== target));
    expectAnswerOf(verified);
    expect(Object.keys(verified.answer.providers)).toEqual([target]);
    // On a busy machine a refused connection may be abandoned before it is reported.
    for (const { kind } of verified.failures) expect(['unreachable', 'abandoned']).toContain(kind);
    expect(callsFor(verified.email)).toEqual([target]);
  });
});

it('without credit anywhere the answer is degraded, and no provider is asked again for a while', async () => {
  expectAllFailed(await verify(() => fails('no credit'), TIGHT), ['no_credit']);
  const { email, answer } = await verify((_, about) => says(about), TIGHT);
  expect(answer).toMatchObject({ verdict: 'unknown', degraded: true, providers: {}, cost_usd: 0 });
  expect(callsFor(email)).toEqual([]);
});

describe('what is stored of all that', () => {
  /** The files of the state directory that hold the text. */
  const filesWith = (text: string): string[] =>
    readdirSync(stack.stateDir, { recursive: true, encoding: 'utf8' }).filter((file) => {
      const path = join(stack.stateDir, file);
      return statSync(path).isFile() && readFileSync(path).includes(text);
    });

  /** The tables of Postgres with a row that holds the text: its files are compressed in part. */
  async function tablesWith(text: string): Promise<string[]> {
    const sql = async (query: string, params: readonly string[] = []): Promise<Record<string, string>[]> => {
      const response = await stack.database.query(query, params);
      expect(response.status).toBe(200);
      const { rows }: { rows: Record<string, string>[] } = await response.json();
      return rows;
    };
    const tables = await sql(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const found: string[] = [];
    for (const { name = '' } of tables) {
      const rows = await sql(`select 1 as one from ${name} as r where r::text like $1 limit 1`, [`%${text}%`]);
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  it('are the domains, in Postgres and in the object, and no address anywhere', async () => {
    const domain = `d${addresses}.google-workspace.test`;
    while ((await tablesWith(domain)).length === 0) await sleep(100);
    expect(filesWith(domain)).not.toEqual([]);
    expect(filesWith('verify')).toContain('worker.log');
    expect(filesWith(CANARY)).toEqual([]);
    expect(stack.output()).not.toContain(CANARY);
    expect(await tablesWith(CANARY)).toEqual([]);
  });

  it('and the spend: to the micro-dollar what the answers say, and what failed calls may cost', async () => {
    const response = await stack.request('/v1/usage', stack.keys.viewer);
    const usage = (await response.json()) as Usage;
    expect(micros(usage.provider_spend_usd)).toBe(spentMicros);
    expect(usage.calls.verify).toBe(addresses);
  });
});
