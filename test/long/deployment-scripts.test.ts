import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readNames, writeNamespaceId } from '../../scripts/deployment/names.ts';
import { openScripts } from '../support/deployment.ts';

const ROOT = join(import.meta.dirname, '../..');
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');

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

describe('staging', TIMES, () => {
  it('is provisioned and deployed beside production: names, id and secrets of its own, and nothing of production’s', async () => {
    const { account, run, config, secretsFile, target } = openScripts();
    const staging = { ...target, environment: 'staging' };
    const made = await run('provision', ['--env', 'staging', '--apply'], { DATABASE_URL });
    // All but the migrations: the port is closed.
    expect(made.stderr).toContain('The Postgres of DATABASE_URL can’t be reached');
    expect(readNames(staging).namespace).toMatchObject({
      title: 'email-verification-staging-facts',
      id: expect.any(String),
    });
    expect(readNames(target).namespace.id).toBeNull();
    expect(config()).toContain('[[env.staging.kv_namespaces]]');
    expect([existsSync(secretsFile), existsSync(secretsFile.replace('.env', '.staging.env'))]).toEqual([false, true]);
    await run('deploy', ['--env', 'staging'], { DATABASE_URL });
    const { calls } = account();
    const makes = calls.filter((call) => /create|put|add/.test(call));
    expect(makes.length).toBeGreaterThan(0);
    expect(makes.filter((call) => !/^(?:dashboard: )?staging: |^staging: dashboard: /.test(call))).toEqual([]);
    expect(makes.filter((call) => /email-verification-(?!staging)/.test(call))).toEqual([]);
  });

  it.each(['provision', 'deploy'] as const)(
    '%s refuses an environment that the configuration does not have',
    async (script) => {
      const { account, run } = openScripts();
      const { code, stderr } = await run(script, ['--env', 'stagign'], { DATABASE_URL });
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('No environment found in configuration with name "stagign"'),
      ]);
      expect(account().calls).toEqual([]);
    },
  );
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
    const { account, run, target } = openScripts({ fail, secrets });
    if (hasNamespace) writeNamespaceId(target, 'a'.repeat(32));
    const { code, stderr } = await run('deploy', [], env);
    expect(code).toBe(1);
    expect(stderr).toContain(says);
    expect(account().calls).toEqual(calls);
  });
});

/** What the pages tell people to type that no test can do for them, by script: each option that is used. */
const TYPED = globSync('docs/{deploying.md,guides/*.md}', { cwd: ROOT }).flatMap((page) => {
  const commands = readFileSync(join(ROOT, page), 'utf8').matchAll(
    /\b(?:npm run (?:--silent )?(provision|deploy)\b(?: -- )?|npx wrangler (rollback) )([^`#\n]*)/g,
  );
  return [...commands].flatMap(([, script, command, rest = '']) =>
    (rest.match(/--[a-z]+/g) ?? []).map((option) => ({ page, of: script ?? command ?? '', option })),
  );
});

describe('the pages', TIMES, () => {
  it('name options that the scripts and wrangler have', async () => {
    const help = new Map<string, string>();
    for (const of of new Set(TYPED.map((typed) => typed.of))) {
      const program = of === 'rollback' ? [WRANGLER, of] : [join(ROOT, `scripts/${of}.ts`)];
      help.set(of, (await promisify(execFile)(process.execPath, [...program, '--help'])).stdout);
    }
    expect([...help.keys()].toSorted()).toEqual(['deploy', 'provision', 'rollback']);
    expect(TYPED.filter(({ of, option }) => !new RegExp(`${option}\\b`).test(help.get(of) ?? ''))).toEqual([]);
  });
});
