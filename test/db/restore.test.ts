import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../client/src/client.ts';
import { grantsTo } from '../../scripts/deployment/migrate.ts';
import type { StatusResponse } from '../../src/contract/operator.ts';
import { newStateDir, startTestStack, type TestStack } from '../support/stack.ts';

const ROOT = join(import.meta.dirname, '../..');
const { TEST_DATABASE_URL = '' } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'restore-'));

/** The commands on the page. */
const page = readFileSync(join(ROOT, 'docs/guides/back-up-and-restore.md'), 'utf8');
const [DUMP = '', RESTORE = '', REBUILD = ''] = [...page.matchAll(/^ *```bash\n([\s\S]*?)^ *```$/gm)].map(
  ([, text]) => text,
);

const server = new pg.Client(TEST_DATABASE_URL);
const databases = ['before', 'after'].map((when) => `restore_${when}_${randomBytes(6).toString('hex')}`);
const [before = '', after = ''] = databases.map(
  (name) => Object.assign(new URL(TEST_DATABASE_URL), { pathname: `/${name}` }).href,
);

const ROLE = `restore_worker_${randomBytes(6).toString('hex')}`;
/** A session in the database that is lost. */
const rights = new pg.Client(before);

/** A command of the page. The dump stands in a folder of the test's own, where the command line has no scripts. */
const type = (command: string, env: Record<string, string>, cwd = folder) =>
  promisify(execFile)('bash', ['-euc', command], { cwd, env: { ...process.env, ...env } });

/** What an account sees of itself. */
const seen = async (client: Client, trace: string) => ({
  identity: await client.getIdentity(),
  calls: (await client.getUsage()).calls,
  keys: (await client.listKeys()).keys.map(({ id, role, revoked_at }) => ({ id, role, revoked_at })),
  policies: await client.listPolicies(),
  blocked: await client.listBlockedDomains(),
  blockedAddresses: await client.listBlockedAddresses(),
  retention: await client.getRetention(),
  losses: await client.getLosses().catch(({ code }) => code),
  traces: await client.listTraces(),
  trace: await client.getTrace(trace),
});

const clientOf = ({ base_url: baseUrl }: TestStack, apiKey: string) =>
  createClient({ baseUrl, apiKey, failOpen: false });

async function untilWritten(stack: TestStack): Promise<void> {
  for (;;) {
    const { totals } = (await (
      await stack.request('/operator/v1/status', stack.keys.operator)
    ).json()) as StatusResponse;
    if (totals.outbox_rows === 0) return;
    await sleep(200);
  }
}

const GONE = 'gone.for.good@business.test';

describe('everything but a dump and the secrets is lost', { timeout: 300_000 }, () => {
  const stacks: TestStack[] = [];
  beforeAll(async () => {
    await server.connect();
    for (const name of databases) await server.query(`create database ${name}`);
  });
  afterAll(async () => {
    for (const stack of stacks) await stack.remove();
    for (const name of databases) await server.query(`drop database if exists ${name} with (force)`);
    await server.end();
    rmSync(folder, { recursive: true, force: true });
  });

  it('and what the page says brings back what an account sees, its keys, rules and the history of addresses', async () => {
    const lost = await startTestStack({ env: { DATABASE_URL: before } });
    stacks.push(lost);
    await rights.connect();
    const client = clientOf(lost, lost.keys.admin);
    await client.blockDomains(['blocked.example'], 'spam');
    await client.blockAddresses(['mallory@business.test']);
    await client.savePolicy('signup', { name: 'Signup', rules: [], default: 'review' });
    await client.savePolicy('signup', { name: 'Signup', rules: [], default: 'challenge' });
    const revoked = await client.createKey({ name: 'leaked', role: 'member' });
    await client.revokeKey(revoked.key.id);
    const { trace_id: trace } = await client.verifyEmail(GONE, { purpose: 'outbound' });
    await client.reportOutcome({ trace_id: trace, outcome: 'hard_bounce', smtp_code: '550 5.1.1' });
    const { jobId } = await client.verifyList('email\nada@business.test\n');
    await client.waitForList(jobId, { pollMs: 200 });
    // A report reaches its address's history once the trace is in Postgres.
    await untilWritten(lost);
    const known = await client.verifyEmail(GONE, { purpose: 'outbound' });
    await untilWritten(lost);
    const expected = await seen(client, trace);

    // The Workers' role of the lost server, which the new one has not.
    await server.query(`create role ${ROLE}`);
    await rights.query(grantsTo(ROLE, before).join(';'));
    await type(DUMP, { DATABASE_OWNER_URL: before });
    await rights.query(`drop owned by ${ROLE}`);
    await server.query(`drop role ${ROLE}`);
    await client.blockDomains(['after-the-dump.example']);
    const stateDir = newStateDir();
    const secrets = JSON.parse(readFileSync(join(lost.stateDir, 'secrets.json'), 'utf8'));
    // The keys that it was seeded with are customers': the new service is seeded with its own.
    writeFileSync(join(stateDir, 'secrets.json'), JSON.stringify({ ...secrets, seeded: undefined }), { mode: 0o600 });
    await rights.end();
    await lost.stop();
    // The bucket is not lost: its files come back, and nothing refers to them.
    cpSync(join(lost.stateDir, 'worker/r2'), join(stateDir, 'worker/r2'), { recursive: true });

    await type(RESTORE, { DATABASE_OWNER_URL: after });
    const restored = await startTestStack({ stateDir, env: { DATABASE_URL: after } });
    stacks.push(restored);
    const again = clientOf(restored, lost.keys.admin);
    // A key that isn't used below: for some seconds the isolate keeps refusing it from memory.
    await expect(clientOf(restored, lost.keys.viewer).getIdentity()).rejects.toMatchObject({ code: 'unauthorized' });
    const env = {
      EMAIL_VERIFICATION_BASE_URL: restored.base_url,
      EMAIL_VERIFICATION_OPERATOR_KEY: restored.keys.operator,
    };
    const { stdout } = await type(REBUILD, env, ROOT);
    expect(stdout).toContain(`✓ ${lost.org_id}\n`);

    expect(await seen(again, trace)).toEqual(expected);
    expect((await again.checkDomain('blocked.example')).status).toBe('blocked');
    expect((await again.checkAddress('mallory@business.test')).effective).toBe('block');
    await expect(clientOf(restored, revoked.key.secret).getIdentity()).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(again.downloadList(jobId)).rejects.toMatchObject({ status: 410 });
    const number = await again.verifyEmail(GONE, { purpose: 'outbound' });
    expect(number.recommendation).toBe('drop');
    expect(number.bounce_probability).toBeCloseTo(known.bounce_probability, 2);
    const list = await again.verifyList('email\nada@business.test\n');
    expect((await again.waitForList(list.jobId, { pollMs: 200 })).state).toBe('done');
  });
});
