import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpUrlOf } from '../../scripts/stack/neon-protocol.ts';
import { type NeonEndpoint, startNeonEndpoint } from '../support/neon-endpoint.ts';

/** The real driver before the embedded Postgres. */
let endpoint: NeonEndpoint;
let sql: NeonQueryFunction<false, true>;

function connect(): void {
  neonConfig.fetchEndpoint = `${httpUrlOf(endpoint.url)}/sql`;
  sql = neon(endpoint.url, { fullResults: true });
}

beforeAll(async () => {
  endpoint = await startNeonEndpoint();
  connect();
  await sql.query('create table item (id int primary key, name text)');
});
afterAll(() => endpoint.remove());

describe('a value', () => {
  it.each([
    { type: 'int4', value: 42, comes: 42 },
    { type: 'int8', value: '9007199254740993', comes: '9007199254740993' },
    { type: 'bool', value: true, comes: true },
    { type: 'text', value: `it's "quoted" \\ ü`, comes: `it's "quoted" \\ ü` },
    { type: 'text', value: null, comes: null },
    { type: 'float8', value: 0.1, comes: 0.1 },
    { type: 'jsonb', value: { a: [1, null] }, comes: { a: [1, null] } },
    { type: 'text[]', value: ['a', 'b,c', null], comes: ['a', 'b,c', null] },
    { type: 'int4[]', value: [1, 2], comes: [1, 2] },
    { type: 'bytea', value: Buffer.from([0, 255]), comes: Buffer.from([0, 255]) },
    { type: 'timestamptz', value: '2026-01-02T03:04:05Z', comes: new Date('2026-01-02T03:04:05Z') },
  ])('of type $type survives the way there and back: $value', async ({ type, value, comes }) => {
    const { rows } = await sql.query(`select $1::${type} as value`, [value]);
    expect(rows[0]?.value).toEqual(comes);
  });
});

describe('a statement', () => {
  it('reports its command and how many rows it touched', async () => {
    const inserted = await sql.query('insert into item values (1, $1), (2, $2)', ['one', 'two']);
    expect(inserted).toMatchObject({ command: 'INSERT', rowCount: 2 });
  });

  it("fails with Postgres's code and constraint", async () => {
    await expect(sql.query("insert into item values (1, 'again')")).rejects.toMatchObject({
      code: '23505',
      constraint: 'item_pkey',
    });
  });

  it('is one statement', async () => {
    await expect(sql.query('select 1; select 2')).rejects.toMatchObject({ code: '42601' });
  });
});

describe('a batch', () => {
  it('happens as a whole or not at all', async () => {
    const batch = sql.transaction([
      sql`insert into item values (10, 'ten')`,
      sql`insert into item values (1, 'again')`,
    ]);
    await expect(batch).rejects.toMatchObject({ code: '23505' });
    expect((await sql.query('select 1 from item where id = 10')).rows).toEqual([]);
  });

  it('keeps to its isolation level and to read-only', async () => {
    const [level] = await sql.transaction([sql`show transaction_isolation`], { isolationLevel: 'Serializable' });
    expect(level?.rows).toEqual([{ transaction_isolation: 'serializable' }]);
    const write = sql.transaction([sql`insert into item values (11, 'x')`], { readOnly: true });
    await expect(write).rejects.toMatchObject({ code: '25006' });
  });

  it('never mixes with another, however many come at once', async () => {
    await sql.query('create table counter (n int)');
    await sql.query('insert into counter values (0)');
    const increments = Array.from({ length: 20 }, () =>
      sql.transaction([sql`update counter set n = n + 1`, sql`update counter set n = n + 1`]),
    );
    await Promise.all(increments);
    expect((await sql.query('select n from counter')).rows).toEqual([{ n: 40 }]);
  });
});

describe('a caller', () => {
  const stranger = 'postgresql://local:local@127.0.0.1/postgres';
  const send = (path: string, headers: Record<string, string>) =>
    fetch(`${httpUrlOf(endpoint.url)}${path}`, { method: 'POST', headers, body: '{"query":"select 1","down":true}' });

  it.each(['/sql', '/control'])('without the password of its connection string is refused at %s', async (path) => {
    for (const headers of [{}, { 'neon-connection-string': stranger }, { 'neon-connection-string': 'no address' }]) {
      expect((await send(path, headers)).status).toBe(401);
    }
    expect((await sql.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it.each(['/sql', '/control'])('is refused at %s when it is a web page, whatever it knows', async (path) => {
    for (const header of ['origin', 'sec-fetch-site']) {
      const response = await send(path, { 'neon-connection-string': endpoint.url, [header]: 'http://localhost' });
      expect(response.status).toBe(403);
      expect(response.headers.get('access-control-allow-origin')).toBe(null);
    }
  });
});

describe('the switches', () => {
  it('cut every connection while it is down, and it is back with everything', async () => {
    await endpoint.control({ down: true });
    await expect(sql.query('select 1')).rejects.toThrow('Error connecting to database');
    await endpoint.control({ down: false });
    expect((await sql.query('select count(*)::int as n from item')).rows).toEqual([{ n: 2 }]);
  });

  it('hold every request back', async () => {
    await endpoint.control({ delay_ms: 60 });
    const startedMs = performance.now();
    await sql.query('select 1');
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(59);
    await endpoint.control({ delay_ms: 0 });
  });
});

describe('its process', () => {
  it('killed amid writes, loses nothing that was answered', async () => {
    let answered = 0;
    const killAt = 100;
    const writeUntilCut = async () => {
      for (let n = 1; n <= 10_000; n += 1) {
        await sql.query('insert into item values ($1, $2)', [1_000 + n, 'x'.repeat(500)]);
        answered = n;
        // Not awaited: writes go on while the signal is on its way.
        if (n === killAt) void endpoint.kill('SIGKILL');
      }
    };
    await expect(writeUntilCut()).rejects.toThrow('Error connecting to database');
    endpoint = await startNeonEndpoint(endpoint.dataDir);
    connect();
    const { rows } = await sql.query('select count(*)::int as n from item where id between 1001 and $1', [
      1_000 + answered,
    ]);
    expect(rows).toEqual([{ n: answered }]);
  });

  it('killed while its data directory was being made, makes it again', async () => {
    await endpoint.kill('SIGTERM');
    rmSync(join(endpoint.dataDir, 'complete'));
    rmSync(join(endpoint.dataDir, 'global'), { recursive: true });
    endpoint = await startNeonEndpoint(endpoint.dataDir);
    connect();
    expect((await sql.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(existsSync(join(endpoint.dataDir, 'complete'))).toBe(true);
  });
});
