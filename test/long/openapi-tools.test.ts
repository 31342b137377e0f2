import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../client/test/packed-project.ts';
import { fetchedProgram } from '../support/fetched-program.ts';
import { isReadable, startPrism } from '../support/prism.ts';
import { type Exchange, readExchanges } from '../support/recorded-exchanges.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENT = join(ROOT, 'public/openapi.json');
const FETCH_LIMIT_MS = 300_000;

/** Below the project, so that what is compiled there finds its packages. */
let folder: string;
beforeAll(() => {
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  folder = mkdtempSync(join(ROOT, 'dist/openapi-tools-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('Spectral finds no error in the document under its default rules', { timeout: FETCH_LIMIT_MS }, async () => {
  const spectral = await fetchedProgram('@stoplight/spectral-cli', '6.16.3', 'spectral');
  const rules = join(folder, 'rules.yaml');
  writeFileSync(rules, 'extends: [spectral:oas]\n');
  const { stdout } = await run(process.execPath, [spectral, 'lint', DOCUMENT, '--ruleset', rules, '--format', 'text']);
  expect(stdout.trim()).toBe("No results with a severity of 'error' found!");
});

/** What a client does: each kind of body, of answer, of parameter, and a refusal. */
const EXPECTED = {
  verdict: 'invalid',
  listed: ['blocked.example'],
  removed: 1,
  csv: 'email',
  state: 'done',
  refused: [404, 'not_found'],
};

const WAITS = `const wait = () => new Promise((resolve) => setTimeout(resolve, 200));`;
const SETTINGS = `const baseUrl = process.env.BASE_URL ?? '';
const key = process.env.KEY ?? '';`;

const WITH_TYPES = `
import createClient from 'openapi-fetch';
import type { paths } from './types.ts';
${SETTINGS}
${WAITS}
const api = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } });
const verified = await api.POST('/v1/verify', { body: { email: 'ada@nxdomain.test', context: { purpose: 'signup' } } });
await api.POST('/v1/domains/blocklist', { body: { domains: ['blocked.example'] } });
const list = await api.GET('/v1/domains/blocklist', { params: { query: { limit: 1 } } });
const removed = await api.DELETE('/v1/domains/blocklist', { body: { domains: ['blocked.example'] } });
const made = await api.POST('/v1/bulk/jobs', { body: {} });
const params = { path: { id: made.data?.job.id ?? '' } };
await api.PUT('/v1/bulk/jobs/{id}/upload', {
  params,
  body: 'email\\nada@nxdomain.test\\n',
  bodySerializer: (text) => text,
  headers: { 'Content-Type': 'text/csv' },
});
await api.POST('/v1/bulk/jobs/{id}/start', { params, body: {} });
let state: string | undefined;
while (state !== 'done' && state !== 'failed') {
  await wait();
  state = (await api.GET('/v1/bulk/jobs/{id}', { params })).data?.job.state;
}
const file = await api.GET('/v1/bulk/jobs/{id}/results.csv', { params, parseAs: 'text' });
const refused = await api.GET('/v1/traces/{trace_id}', { params: { path: { trace_id: 'vr_01kjmz7c6m4f1n9t3w7x2d5k10' } } });
console.log(JSON.stringify({
  verdict: verified.data?.verdict,
  listed: list.data?.entries.map(({ domain }) => domain),
  removed: removed.data?.removed,
  csv: file.data?.slice(0, 5),
  state,
  refused: [refused.response.status, refused.error?.error.code],
}));
`;

const WITH_FUNCTIONS = `
import * as api from './generated/index';
import { client } from './generated/client.gen';
${SETTINGS}
${WAITS}
client.setConfig({ baseUrl, auth: key });
const verified = await api.verifyEmail({ body: { email: 'ada@nxdomain.test', context: { purpose: 'signup' } } });
await api.blockDomains({ body: { domains: ['blocked.example'] } });
const list = await api.listBlockedDomains({ query: { limit: 1 } });
const removed = await api.unblockDomains({ body: { domains: ['blocked.example'] } });
const made = await api.createBulkJob({ body: {} });
const path = { id: made.data?.job.id ?? '' };
await api.uploadBulkFile({ path, body: 'email\\nada@nxdomain.test\\n' });
await api.startBulkJob({ path, body: {} });
let state: string | undefined;
while (state !== 'done' && state !== 'failed') {
  await wait();
  state = (await api.getBulkJob({ path })).data?.job.state;
}
const file = await api.downloadBulkResults({ path, parseAs: 'text' });
const refused = await api.getTrace({ path: { trace_id: 'vr_01kjmz7c6m4f1n9t3w7x2d5k10' } });
console.log(JSON.stringify({
  verdict: verified.data?.verdict,
  listed: list.data?.entries.map(({ domain }) => domain),
  removed: removed.data?.removed,
  csv: String(file.data).slice(0, 5),
  state,
  refused: [refused.response?.status, refused.error?.error.code],
}));
`;

const GENERATORS = [
  {
    name: 'openapi-typescript',
    text: WITH_TYPES,
    generate: async (to: string) => {
      const program = await fetchedProgram('openapi-typescript', '7.13.0', 'openapi-typescript', ['typescript@5.9.3']);
      await run(process.execPath, [program, DOCUMENT, '--output', join(to, 'types.ts')]);
    },
  },
  {
    name: '@hey-api/openapi-ts',
    text: WITH_FUNCTIONS,
    generate: async (to: string) => {
      const program = await fetchedProgram('@hey-api/openapi-ts', '0.99.0', 'openapi-ts', ['typescript@5.9.3']);
      await run(process.execPath, [program, '-i', DOCUMENT, '-o', join(to, 'generated')], { cwd: to });
    },
  },
];

/** As a strict project has it that leaves the modules to its bundler. */
const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  },
  include: ['.'],
};

describe('a client that a generator makes of the document', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await startTestStack();
  });
  afterAll(() => stack.remove());

  it.each(GENERATORS)('compiles and works: $name', { timeout: FETCH_LIMIT_MS }, async ({ name, text, generate }) => {
    const project = join(folder, name.replaceAll(/\W/g, '-'));
    mkdirSync(project);
    await generate(project);
    writeFileSync(join(project, 'program.ts'), text);
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const compiled = await run(process.execPath, [tsc, '-p', project]).catch((error: { stdout: string }) => error);
    expect(compiled.stdout).toBe('');
    const bundle = join(project, 'program.mjs');
    await build({
      entryPoints: [join(project, 'program.ts')],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    const env = { ...process.env, BASE_URL: stack.base_url, KEY: stack.keys.member };
    const { stdout } = await run(process.execPath, [bundle], { env });
    expect(JSON.parse(stdout)).toEqual(EXPECTED);
  });
});

describe('Prism’s validating proxy', () => {
  const RUN_LIMIT_MS = 1_500_000;
  let exchanges: Exchange[];
  let prism: Awaited<ReturnType<typeof startPrism>>;

  beforeAll(async () => {
    const given = process.env['RECORDED_EXCHANGES'];
    const calls = given ?? join(folder, 'exchanges');
    if (given === undefined) await record(calls);
    exchanges = readExchanges(calls).filter(isReadable);
    prism = await startPrism(await fetchedProgram('@stoplight/prism-cli', '5.16.0', 'prism'), DOCUMENT);
  }, RUN_LIMIT_MS);
  afterAll(() => prism.stop());

  async function record(calls: string): Promise<void> {
    mkdirSync(calls);
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const env = { ...process.env, RECORDED_EXCHANGES: calls };
    for (const name of Object.keys(env)) if (name.startsWith('VITEST')) Reflect.deleteProperty(env, name);
    const words = [vitest, 'run', '--config', 'test/vitest.config.ts', '--project', 'http', '--project', 'night'];
    // Whether the suite passes is for `npm test` to say.
    await once(spawn(process.execPath, words, { cwd: ROOT, env, stdio: 'ignore' }), 'exit');
  }

  it('finds no disagreement between the document and the http suite’s calls', { timeout: RUN_LIMIT_MS }, async () => {
    expect(exchanges.length).toBeGreaterThan(10_000);
    const disagreements = new Set<string>();
    for (const exchange of exchanges) {
      const { method, path, status } = exchange;
      for (const { location, message } of await prism.violations(exchange)) {
        // What the service refuses, the document may refuse too.
        if (location[0] !== 'request' || status < 400)
          disagreements.add(`${method} ${path} ${status}: ${location.join('.')} ${message}`);
      }
    }
    expect([...disagreements]).toEqual([]);
  });

  it('would find one', async () => {
    const right = exchanges.find(({ path, status }) => path === '/v1/verify' && status === 200);
    if (right === undefined) throw new Error('the suite verified no address');
    const wrong = { ...right, answer: right.answer.replace(/"verdict":"\w+"/, '"verdict":"perhaps"') };
    expect((await prism.violations(wrong)).map(({ location }) => location)).toEqual([['response', 'body', 'verdict']]);
  });
});
