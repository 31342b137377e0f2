import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writeNamespaceId } from '../../scripts/deployment/names.ts';
import { openScripts } from '../support/deployment.ts';

/** Each run starts a program for every call. */
const TIMES = { timeout: 90_000 };

/** The port is closed: all but the migrations is done. */
const DATABASE_URL = 'postgresql://owner:hunter2@127.0.0.1:1/main';

describe('npm run provision', TIMES, () => {
  it('changes nothing without --apply', async () => {
    const { account, run, config, secretsFile } = openScripts();
    const before = config();
    expect(await run('provision', [], { DATABASE_URL })).toMatchObject({ code: 0, stderr: '' });
    expect(account().calls).toEqual([]);
    expect(config()).toBe(before);
    expect(existsSync(secretsFile)).toBe(false);
  });

  it.each([
    ['a configuration that is not TOML', 'name = [', 'can’t be read: Invalid TOML'],
    ['a configuration without bindings', 'name = "other"', 'names no Worker, FACTS'],
  ])('says what is wrong with %s, without a stack', async (_, toml, says) => {
    const { configFile, run } = openScripts();
    writeFileSync(configFile, toml);
    const { code, stderr } = await run('provision', [], {});
    expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  it('runs wrangler with its secrets on the standard input, and never prints one, whatever wrangler says', async () => {
    const { account, run, secretsFile } = openScripts({ echo: true, fail: 'secret put DATABASE_URL' });
    const broken = await run('provision', ['--apply'], { DATABASE_URL });
    expect(broken.stderr).toContain('wrangler secret put DATABASE_URL failed');
    const rest = await run('provision', ['--apply'], { DATABASE_URL });
    expect(rest.code).toBe(1);
    expect(rest.stderr).toContain('The Postgres of DATABASE_URL can’t be reached');
    const { secrets, calls } = account();
    expect(secrets?.DATABASE_URL).toBe(DATABASE_URL);
    const kept = [...readFileSync(secretsFile, 'utf8').matchAll(/"(.+)"/g)].map(([, secret]) => secret ?? '');
    expect(kept).toHaveLength(3);
    const said = [broken, rest].flatMap(({ stdout, stderr }) => [stdout, stderr]).join() + calls.join();
    for (const secret of [...kept, DATABASE_URL, 'hunter2']) expect(said).not.toContain(secret);
  });
});

describe('npm run deploy', TIMES, () => {
  const SECRETS = { SERVICE_SECRET: 'x', HASH_SECRET: 'x', DATABASE_URL };
  const LOOKED = ['secret list'];
  const CHECKED = [...LOOKED, 'run --silent check'];

  it.each([
    ['the namespace is still missing', SECRETS, false, { DATABASE_URL }, null, 'npm run provision', []],
    ['the database is not named', SECRETS, true, {}, null, 'Set DATABASE_URL', []],
    ['a secret is missing', { SERVICE_SECRET: 'x' }, true, { DATABASE_URL }, null, 'HASH_SECRET is not set', LOOKED],
    ['the checks fail', SECRETS, true, { DATABASE_URL }, 'run', 'npm run --silent check failed', CHECKED],
    ['the database is away', SECRETS, true, { DATABASE_URL }, null, 'can’t be reached', CHECKED],
  ])('puts up no Worker when %s', async (_, secrets, hasNamespace, env, fail, says, calls) => {
    const { account, run, configFile } = openScripts({ fail, secrets });
    if (hasNamespace) writeNamespaceId(configFile, 'a'.repeat(32));
    const { code, stderr } = await run('deploy', [], env);
    expect(code).toBe(1);
    expect(stderr).toContain(says);
    expect(account().calls).toEqual(calls);
  });
});
