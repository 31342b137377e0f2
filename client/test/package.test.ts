import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKED, EMAIL } from './functions.ts';
import { openClientProject, run } from './packed-project.ts';
import { bytes, deadUrl, json, scriptedServer, silence } from './scripted-server.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Described {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
}

const { folder: project, built, installed, remove } = await openClientProject();
afterAll(remove);

/** What the compiler has against it. */
async function compile(...args: readonly string[]): Promise<string> {
  const compiled = run(join(ROOT, 'node_modules/.bin/tsc'), args, { cwd: ROOT });
  return (await compiled.catch((error: unknown) => error as { stdout: string })).stdout;
}

const read = (file: string): string => readFileSync(join(installed, file), 'utf8');

describe('the packed package', () => {
  it('holds a module, its types, a manifest and a README, and nothing else', () => {
    expect(readdirSync(installed).sort()).toEqual([
      'README.md',
      'client.cjs',
      'client.d.cts',
      'client.d.ts',
      'client.js',
      'package.json',
    ]);
  });

  it('depends on nothing', () => {
    const manifest = JSON.parse(read('package.json')) as Record<string, unknown>;
    expect(Object.keys(manifest).filter((field) => /dependencies|scripts|^bin$/i.test(field))).toEqual([]);
    expect(manifest).toMatchObject({ type: 'module', exports: { '.': { import: { types: './client.d.ts' } } } });
    for (const file of ['client.js', 'client.d.ts', 'client.cjs'])
      expect(read(file)).not.toMatch(/^\s*import\b|\brequire\(|\bimport\(/m);
  });

  it('has the version of the service', () => {
    const versionOf = (text: string) => (JSON.parse(text) as { version: string }).version;
    expect(versionOf(read('package.json'))).toBe(versionOf(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  });

  it.each([
    { module: 'node16' },
    { module: 'nodenext' },
    { module: 'esnext', moduleResolution: 'bundler' },
    { module: 'nodenext', ending: 'cts' },
  ])(
    'has types that need neither Node’s nor a browser’s, found by %j',
    async ({ ending = 'ts', ...resolution }: { module: string; ending?: string }) => {
      writeFileSync(
        join(project, `use.${ending}`),
        `import { type Client, createClient, EmailVerificationError, type Verification } from 'email-verification-client';
       const client: Client = createClient({ onError: (error, helper) => [error.code, helper] });
       export const send = async (): Promise<boolean> => {
         const { bounce_probability, degraded }: Verification = await client.verifyEmail('ada@example.com');
         // @ts-expect-error A purpose is one of three words.
         await client.verifyEmail('ada@example.com', { purpose: 'fun' });
         return bounce_probability < 0.1 && degraded !== true;
       };
       export const isQuota = (error: unknown) => error instanceof EmailVerificationError && error.code === 'quota_exceeded';`,
      );
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: 'es2022',
        lib: ['es2022'],
        types: [],
        ...resolution,
        skipLibCheck: false,
        exactOptionalPropertyTypes: true,
      };
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [`use.${ending}`] }));
      expect(await compile('-p', project)).toBe('');
    },
  );

  it('says before every type of the contract and every member of it what the contract says: editors show it', () => {
    const document = readFileSync(join(ROOT, 'public/openapi.json'), 'utf8');
    const { schemas } = (JSON.parse(document) as { components: { schemas: Record<string, Described> } }).components;
    const written = read('client.d.ts').replaceAll(/^ +/gm, '');
    const said = Array.from(written.matchAll(/^export (?:interface|type) (\w+)/gm)).flatMap(([declared, name = '']) => {
      const { description, properties = {} } = schemas[name] ?? {};
      const members = Object.entries(properties).map(([member, { description: own, $ref = '' }]) => ({
        text: own ?? schemas[$ref.slice($ref.lastIndexOf('/') + 1)]?.description,
        of: member,
      }));
      return [{ text: description, of: declared }, ...members].filter(({ text }) => text !== undefined);
    });
    expect(said.length).toBeGreaterThan(400);
    expect(said.filter(({ text, of }) => !written.includes(`/** ${text} */\n${of}`))).toEqual([]);
  });

  it('is loaded by `require` too', async () => {
    writeFileSync(join(project, 'use.cjs'), `console.log(typeof require('email-verification-client').createClient);`);
    expect(await run(process.execPath, ['use.cjs'], { cwd: project })).toMatchObject({
      stdout: 'function\n',
      stderr: '',
    });
  });

  it('runs in a process of its own, set up by its environment, and lets it end', async () => {
    await using server = await scriptedServer(json(CHECKED));
    writeFileSync(
      join(project, 'use.js'),
      `import { createClient } from 'email-verification-client';
       console.log(await createClient().isBusinessEmail('ada@example.com'));`,
    );
    const env = { ...process.env, EMAIL_VERIFICATION_API_KEY: 'evk_env', EMAIL_VERIFICATION_BASE_URL: server.baseUrl };
    const { stdout, stderr } = await run(process.execPath, ['use.js'], { cwd: project, env });
    expect({ stdout, stderr }).toEqual({ stdout: 'true\n', stderr: '' });
    expect(server.seen[0]?.headers.authorization).toBe('Bearer evk_env');
  });
});

it.each([
  ['Node’s', 'es2022', 'node'],
  ['a Worker’s', 'es2022', '@cloudflare/workers-types'],
  ['the web’s', 'es2022,dom,dom.iterable', ''],
])('the single source file compiles in a strict project that has %s types alone', async (_, lib, types) => {
  const checks = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--isolatedModules'];
  const settings = ['--ignoreConfig', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--lib', lib];
  const source = join(built, 'client.ts');
  expect(await compile(source, ...checks, ...settings, ...(types === '' ? [] : ['--types', types]))).toBe('');
});

describe('on Workers, without Node’s modules', () => {
  const script = `
    import { createClient } from './client.js';
    const atModuleScope = createClient();
    const settle = (promise) => promise.catch(({ name, status, code }) => ({ name, status, code }));
    export default {
      async fetch(request) {
        const { up, dead, silent, email } = await request.json();
        const client = (baseUrl, timeoutMs) => createClient({ apiKey: 'evk_test_key', baseUrl, timeoutMs });
        return Response.json({
          node: typeof process,
          local: atModuleScope.isValidContactListEmail(email),
          unset: await settle(atModuleScope.checkEmail(email)),
          checked: await settle(client(up).checkEmail(email)),
          listed: await settle(client(up).verifyList(new Uint8Array(100_000))),
          file: await settle(client(up).downloadList('bj_1')),
          dead: await settle(client(dead).verifyEmail(email)),
          silent: await settle(client(silent, 300).verifyEmail(email)),
          open: await client(dead).isValidEmail(email),
        });
      },
    };`;
  let worker: Miniflare;
  beforeAll(async () => {
    worker = new Miniflare(
      convertV4MiniflareOptions({
        host: '127.0.0.1',
        cf: false,
        compatibilityDate: '2024-09-23',
        modules: [
          { type: 'ESModule', path: 'index.js', contents: script },
          { type: 'ESModule', path: 'client.js', contents: read('client.js') },
        ],
      }),
    );
    await worker.ready;
  });
  afterAll(() => worker.dispose());

  it('asks, uploads, downloads, and meets a dead and a silent service as anywhere', async () => {
    const job = (state: string) => json({ job: { id: 'bj_1', state } });
    const latin = bytes(Buffer.from('name\nZoë\n', 'latin1'));
    await using up = await scriptedServer(json(CHECKED), job('uploading'), job('ready'), job('running'), latin);
    await using silent = await scriptedServer(silence);
    const body = JSON.stringify({ up: up.baseUrl, dead: await deadUrl(), silent: silent.baseUrl, email: EMAIL });
    const answer = await worker.dispatchFetch('http://worker.test/', { method: 'POST', body });
    const failed = (status: number, code: string) => ({ name: 'EmailVerificationError', status, code });
    expect(await answer.json()).toEqual({
      node: 'undefined',
      local: true,
      unset: failed(401, 'unauthorized'),
      checked: CHECKED,
      listed: { jobId: 'bj_1', job: { id: 'bj_1', state: 'running' } },
      file: 'name\nZoë\n',
      dead: failed(0, 'network_error'),
      silent: failed(0, 'timeout'),
      open: true,
    });
    expect(up.seen[2]?.headers).toMatchObject({ 'content-length': '100000', 'content-type': 'text/csv' });
  });
});
