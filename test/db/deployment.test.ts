import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, it } from 'vitest';
import { openScripts } from '../support/deployment.ts';
import { onPort } from '../support/on-port.ts';

const { TEST_DATABASE_URL = '' } = process.env;

it(
  'an empty account is provisioned and deployed to, and again, with the same database',
  {
    timeout: 180_000,
  },
  async () => {
    const name = `deployment_${randomBytes(6).toString('hex')}`;
    const server = new pg.Client(TEST_DATABASE_URL);
    await server.connect();
    await server.query(`create database ${name}`);
    const DATABASE_URL = Object.assign(new URL(TEST_DATABASE_URL), { pathname: `/${name}` }).href;
    const url = await onPort(async (path) =>
      path === '/health'
        ? Response.json({ status: 'ok', version: `r${deployed}` })
        : new Response(null, { status: 401 }),
    );
    let deployed = 0;
    const { account, run } = openScripts({ url });
    try {
      for (const round of [1, 2]) {
        expect(await run('provision', ['--apply'], { DATABASE_URL })).toMatchObject({ code: 0, stderr: '' });
        deployed = round;
        expect(await run('deploy', ['--version', `r${round}`], { DATABASE_URL })).toMatchObject({
          code: 0,
          stderr: '',
        });
      }
      expect(account().calls.slice(-2)).toEqual(['run --silent check', 'deploy --var SERVICE_VERSION:r2']);
      const database = new pg.Client(DATABASE_URL);
      await database.connect();
      const { rows } = await database.query('select count(*)::int as traces from trace');
      await database.end();
      expect(rows).toEqual([{ traces: 0 }]);
    } finally {
      await server.query(`drop database ${name} with (force)`);
      await server.end();
    }
  },
);
