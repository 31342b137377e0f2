import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DeploymentError } from '../../../scripts/deployment/deployment-error.ts';
import { printPlan, provision } from '../../../scripts/deployment/provision.ts';
import type { Call } from '../../../scripts/deployment/wrangler.ts';
import { openDeployment } from '../../support/deployment.ts';
import { type Account, answer, answerOfDashboard, emptyAccount } from '../../support/fake-account.ts';

const DATABASE_URL = 'postgresql://owner:hunter2@db.example/main';
const BUCKET = 'email-verification-bulk';
const QUEUES = ['wake', 'bulk', 'nightly'].map((name) => `email-verification-${name}`);
const LOOKS =
  /^(kv namespace list|r2 bucket list|r2 bucket lifecycle list .*|queues info .*|(dashboard: )?secret list)$/;
const changes = ({ calls }: Account): string[] => calls.filter((call) => !LOOKS.test(call));

/** Provisioning against an account in memory; `run` says what was printed, and how it failed. */
function open(change: Partial<Account> = {}) {
  const account = emptyAccount(change);
  const deployment = openDeployment();
  let migrations = 0;
  return {
    ...deployment,
    account,
    migrations: () => migrations,
    async run(env: Record<string, string> = { DATABASE_URL }) {
      const lines: string[] = [];
      const failure = await provision({
        target: deployment.target,
        env,
        say: (line) => void lines.push(line),
        async run({ args, secret }: Call) {
          const [ok, output] = answer(account, args, secret ?? '');
          return { ok, stdout: ok ? output : '', output };
        },
        async runDashboard({ args, secret }: Call) {
          const [ok, output] = answerOfDashboard(account, args, secret ?? '');
          return { ok, stdout: ok ? output : '', output };
        },
        async migrate() {
          migrations += 1;
        },
      }).then(
        () => null,
        (error: unknown) => {
          if (!(error instanceof DeploymentError)) throw error;
          return error.message;
        },
      );
      return { lines, failure };
    },
  };
}

describe('a dry run', () => {
  it('prints every call that a real one makes, and the migrations', async () => {
    const { account, run, target } = open();
    const lines: string[] = [];
    printPlan({ target, say: (line) => void lines.push(line) });
    await run();
    expect(changes(account)).not.toEqual([]);
    for (const call of account.calls) expect(lines.join('\n')).toContain(`wrangler ${call.replace('dashboard: ', '')}`);
    expect(lines.join('\n')).toContain('the migrations in drizzle/');
  });
});

describe('provisioning', () => {
  it('makes all that wrangler.toml binds', async () => {
    const { account, run, config, migrations } = open();
    expect(await run()).toMatchObject({ failure: null });
    expect(migrations()).toBe(1);
    const { namespaces, buckets, queues, secrets, calls } = account;
    expect(namespaces).toEqual([{ id: expect.any(String), title: 'email-verification-facts' }]);
    expect(config()).toContain(`binding = "FACTS"\nid = "${namespaces[0]?.id}"`);
    expect(buckets).toEqual({ [BUCKET]: ['delete-bulk-files', 'abort-uploads'] });
    expect(queues.toSorted()).toEqual([...QUEUES, ...QUEUES.map((name) => `${name}-dead`)].toSorted());
    expect(Object.keys(secrets ?? {})).toEqual(['SERVICE_SECRET', 'HASH_SECRET', 'DATABASE_URL']);
    expect(Object.keys(account.dashboardSecrets ?? {})).toEqual(['AUTH_SECRET', 'DATABASE_URL']);
    expect(calls).toContain(`r2 bucket create ${BUCKET} --location enam`);
    expect(calls).toContain(`r2 bucket lifecycle add ${BUCKET} delete-bulk-files orgs/ --expire-days 9 --force`);
  });

  it('changes of the configuration nothing but the id', async () => {
    const { run, config } = open();
    const withoutId = (text: string): string => text.replace(/^id = ".*"$/m, '');
    const before = config();
    await run();
    expect(config()).not.toBe(before);
    expect(withoutId(config())).toBe(withoutId(before));
  });

  it('makes nothing twice: a repeat only looks', async () => {
    const { account, run, config } = open();
    await run();
    const [first, written] = [structuredClone(account), config()];
    account.calls = [];
    const { lines } = await run({ DATABASE_URL: 'postgresql://other:x@db.example/main', HASH_SECRET: 'another' });
    expect(account.calls).not.toEqual([]);
    expect(changes(account)).toEqual([]);
    expect({ ...account, calls: first.calls }).toEqual(first);
    expect(config()).toBe(written);
    expect(lines.filter((line) => line.startsWith('+'))).toEqual([]);
  });

  it.each([
    'kv namespace list',
    'kv namespace create',
    'r2 bucket list',
    'r2 bucket create',
    'r2 bucket lifecycle list',
    'r2 bucket lifecycle add email-verification-bulk abort-uploads',
    'queues info email-verification-bulk-dead',
    'queues create email-verification-nightly',
    'secret list',
    'secret put HASH_SECRET',
    'secret put DATABASE_URL',
  ])('says what failed where `%s` did, and the next run goes on', async (fail) => {
    const { account, run, migrations } = open({ fail });
    const { failure } = await run();
    expect(failure).toContain(`wrangler ${fail}`);
    expect(failure).toContain('[code: 10001]');
    expect(migrations()).toBe(0);
    const before = account.secrets;
    expect(await run()).toMatchObject({ failure: null });
    const whole = open();
    await whole.run();
    for (const kind of ['namespaces', 'buckets', 'queues'] as const) expect(account[kind]).toEqual(whole.account[kind]);
    expect(account.secrets).toMatchObject(before ?? {});
    expect(Object.keys(account.secrets ?? {})).toHaveLength(3);
  });

  it('finds a bucket that wrangler’s one page of buckets leaves out', async () => {
    const names = [...Array.from({ length: 20 }, (_, at) => `bucket-${at}`), BUCKET];
    const { account, run } = open({ buckets: Object.fromEntries(names.map((name): [string, string[]] => [name, []])) });
    const { lines, failure } = await run();
    expect(failure).toBeNull();
    expect(lines).toContain(`· R2 bucket ${BUCKET} is there`);
    expect(account.buckets[BUCKET]).toEqual(['delete-bulk-files', 'abort-uploads']);
  });

  it('reads a list between other output', async () => {
    const there = [{ id: 'b'.repeat(32), title: 'email-verification-facts' }];
    const list = `▲ [WARNING] Update available [1.2.3]\n${JSON.stringify(there, null, 2)}\n\nBye.`;
    const { account, run, config } = open({ prints: { 'kv namespace list': list } });
    expect(await run()).toMatchObject({ failure: null });
    expect(changes(account).filter((call) => call.startsWith('kv'))).toEqual([]);
    expect(config()).toContain(`id = "${'b'.repeat(32)}"`);
  });

  it.each([
    ['kv namespace list', 'No namespaces.'],
    ['kv namespace list', '[{"uuid":"1","name":"email-verification-facts"}]'],
    ['kv namespace list', '[null]'],
    ['kv namespace list', ''],
    ['secret list', '[ERROR] none'],
    ['secret list', '{"result":[]}'],
  ])('creates nothing when `%s` prints %j', async (call, printed) => {
    const { account, run, migrations } = open({ prints: { [call]: printed } });
    const { failure } = await run();
    expect(failure).toContain(`wrangler ${call} printed no list`);
    expect(changes(account).filter((made) => made.startsWith(call.split(' ')[0] ?? ''))).toEqual([]);
    expect(migrations()).toBe(0);
  });

  it('stops where the configuration names another account’s namespace', async () => {
    const { account, run, configFile, config } = open();
    writeFileSync(configFile, config().replace(/^id = ".*"$/m, `id = "${'c'.repeat(32)}"`));
    expect((await run()).failure).toContain('is it the right account?');
    expect(account.buckets).toEqual({});
  });

  it('places the bucket where there is a place of the region’s name', async () => {
    const { account, run, configFile, config } = open();
    writeFileSync(configFile, config().replace('PRIMARY_REGION = "enam"', 'PRIMARY_REGION = "sam"'));
    await run();
    expect(account.calls).toContain(`r2 bucket create ${BUCKET}`);
  });
});

describe('a secret', () => {
  it('has 32 random bytes when generated, is stored only for its owner, and reaches the Worker unchanged', async () => {
    const { account, run, secretsFile } = open();
    await run();
    const { SERVICE_SECRET = '', HASH_SECRET = '', DATABASE_URL: url } = account.secrets ?? {};
    const { AUTH_SECRET = '' } = account.dashboardSecrets ?? {};
    const made = [SERVICE_SECRET, HASH_SECRET, AUTH_SECRET];
    expect(made.map((text) => Buffer.from(text, 'base64').length)).toEqual([32, 32, 32]);
    expect(new Set(made).size).toBe(3);
    expect(url).toBe(DATABASE_URL);
    const kept = readFileSync(secretsFile, 'utf8');
    expect(kept).toBe(
      `SERVICE_SECRET="${SERVICE_SECRET}"\nHASH_SECRET="${HASH_SECRET}"\nAUTH_SECRET="${AUTH_SECRET}"\n`,
    );
    expect(statSync(secretsFile).mode & 0o077).toBe(0);
  });

  it('is never written again once the Worker has it', async () => {
    const there = { SERVICE_SECRET: 'one', HASH_SECRET: 'two', DATABASE_URL: 'three' };
    const dashboardSecrets = { AUTH_SECRET: 'four', DATABASE_URL: 'five' };
    const { account, run, secretsFile } = open({ secrets: there, dashboardSecrets });
    await run({ DATABASE_URL, SERVICE_SECRET: 'x', HASH_SECRET: 'y' });
    expect(account.secrets).toEqual(there);
    expect(account.dashboardSecrets).toEqual(dashboardSecrets);
    expect(existsSync(secretsFile)).toBe(false);
  });

  it('is taken from the environment in place of a new one, and not stored', async () => {
    const { account, run, secretsFile } = open();
    const given = Buffer.alloc(32, 7).toString('base64');
    await run({ DATABASE_URL, HASH_SECRET: given });
    expect(account.secrets?.HASH_SECRET).toBe(given);
    expect(readFileSync(secretsFile, 'utf8')).not.toContain('HASH_SECRET');
  });

  it('is asked for when it can’t be generated', async () => {
    const { account, run } = open();
    expect((await run({})).failure).toContain('Set DATABASE_URL');
    expect(Object.keys(account.secrets ?? {})).toEqual(['SERVICE_SECRET', 'HASH_SECRET']);
  });
});
