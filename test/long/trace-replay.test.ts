import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { type Id, idToUuid } from '../../src/kernel/ids.ts';
import { connectDatabase } from '../../src/storage/postgres/client.ts';
import { onPort } from '../support/on-port.ts';
import { runOperator } from '../support/operator-cli.ts';
import { startService } from '../support/service.ts';

/** A vendor that knows every address. */
const vendor = await onPort(async () => Response.json({ result: 'deliverable', reason: 'accepted_email' }));
const service = await startService({ KICKBOX_API_KEY: 'key', KICKBOX_BASE_URL: vendor });
// Hundreds of statements in sequence would take minutes with the simulated distance to Postgres.
service.faults.delayMs = 0;
const baseUrl = await onPort(service.request);
const { DATABASE_URL, DATABASE_HTTP_URL } = service.env;
const database = connectDatabase({ url: DATABASE_URL, httpUrl: DATABASE_HTTP_URL });
const mine = await service.createOrganisation();

const verify = async (email: string, { keys } = mine, key: 'member' | 'test' = 'member') =>
  (await service.call('POST', '/v1/verify', keys[key], { email })).body;
const replay = (id: string, { keys } = mine, env: Record<string, string> = {}, key: 'admin' | 'test' = 'admin') =>
  runOperator(['trace', 'replay', id], {
    EMAIL_VERIFICATION_BASE_URL: baseUrl,
    EMAIL_VERIFICATION_API_KEY: keys[key],
    ...env,
  });
const stored = (id: string) => sql`id = ${idToUuid(id as Id<'vr'>)}`;

describe('operator trace replay', () => {
  it.each([
    ['a provider’s word', 'ada@business.test', 'member', /^answer +kickbox deliverable/m],
    ['stored evidence', 'ada@business.test', 'member', /^known +kickbox deliverable, 0 min old/m],
    ['a finding', 'ada@null-mx.test', 'member', /^reasons +no_mx/m],
    ['broken syntax', 'broken', 'member', /^reasons +syntax_invalid/m],
    ['the sandbox', 'degraded@example.com', 'test', /^made again .* unknown /m],
  ] as const)('tells how the number came from %s, and makes it again', async (_, email, key, says) => {
    const { trace_id, bounce_probability } = await verify(email, mine, key);
    const { code, stdout, stderr } = await replay(trace_id, mine, {}, key === 'test' ? 'test' : 'admin');
    expect(stderr).toBe('');
    expect(stdout).toMatch(says);
    expect(stdout).toContain(`made again      ${bounce_probability} [`);
    expect(stdout).toMatch(/✓ equal\n$/);
    expect(stdout).not.toContain(email);
    expect(code).toBe(0);
  });

  it('makes the verification of a decision again', async () => {
    const { body } = await service.call('POST', '/v1/decide', mine.keys.member, { email: 'dee@business.test' });
    const { code, stdout } = await replay(body.trace_id);
    expect(stdout).toContain(`made again      ${body.verification.bounce_probability} [`);
    expect(code).toBe(0);
  });

  it('tells that a stored number does not follow from its trace', async () => {
    const { trace_id } = await verify('eve@business.test');
    await replay(trace_id);
    await database.execute(sql`update trace set bounce_probability = 0.5 where ${stored(trace_id)}`);
    const { code, stdout } = await replay(trace_id);
    expect(stdout).toMatch(/^stored +0\.5 \[/m);
    expect(stdout).toMatch(/✗ not equal\n$/);
    expect(code).toBe(1);
  });

  it('says what is missing: another’s trace, one whose detail is gone', async () => {
    const other = await service.createOrganisation();
    const { trace_id } = await verify('bob@business.test');
    expect(await replay(trace_id, other)).toMatchObject({ code: 1, stderr: expect.stringContaining('not_found') });
    await replay(trace_id);
    await database.execute(sql`delete from trace_detail where ${stored(trace_id)}`);
    expect(await replay(trace_id)).toMatchObject({ code: 1, stderr: expect.stringContaining('older than 90 days') });
  });
});
