import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClientProject, openClientProject, run } from '../../client/test/packed-project.ts';
import { fetchedProgram } from '../support/fetched-program.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';

/** One of each kind of call, the same in every runtime: plain JavaScript over the packed client. */
const JOURNEY = `
  import { createClient, EmailVerificationError } from 'email-verification-client';

  const settle = (promise) =>
    promise.catch((error) => {
      if (!(error instanceof EmailVerificationError)) throw error;
      return [error.status, error.code];
    });

  export async function journey(client, test, baseUrl) {
    const domains = Array.from({ length: 1001 }, (_, i) => 'd' + i + '.example');
    const { jobId } = await client.verifyList('Name;Email\\nZoë;zoë@business.test\\n', { name: 'May' });
    const { state } = await client.waitForList(jobId, { pollMs: 100 });
    const impatient = createClient({ apiKey: 'evk_test_key', baseUrl, timeoutMs: 300 });
    const dead = createClient({ apiKey: 'evk_test_key', baseUrl: 'http://127.0.0.1:9' });
    return {
      local: client.isValidContactListEmail('ada+list@business.test'),
      valid: await client.isValidEmail('δοκιμή@business.test'),
      gone: await client.isValidEmail('ada@nxdomain.test'),
      verified: (await client.verifyEmail('ada@business.test', { purpose: 'signup' })).recommendation,
      screened: (await client.screenEmail('grace.hoper@business.test', 'Grace Hopper')).screening.typo_suggestion,
      blocked: (await client.blockDomains(domains)).added,
      listed: (await client.listBlockedDomains({ limit: 1 })).count,
      unblocked: (await client.unblockDomains(domains)).removed,
      list: [state, (await client.downloadList(jobId)).split('\\n')[1]?.slice(0, 25)],
      spent: await settle(test.verifyEmail('quota-exceeded@example.com')),
      late: await settle(test.verifyEmail('slow@example.com')),
      refused: await settle(impatient.checkEmail('ada@business.test')),
      dead: await settle(dead.checkEmail('ada@business.test')),
      open: await dead.isValidEmail('ada@nxdomain.test'),
    };
  }`;

const EXPECTED = {
  local: false,
  valid: true,
  gone: false,
  verified: 'send',
  screened: 'grace.hopper@business.test',
  blocked: 1_001,
  listed: 1_001,
  unblocked: 1_001,
  list: ['done', 'Zoë;zoë@business.test;ok;'],
  spent: [402, 'quota_exceeded'],
  late: [0, 'timeout'],
  refused: [401, 'unauthorized'],
  dead: [0, 'network_error'],
  open: true,
};

const MAIN = `
  import { createClient } from 'email-verification-client';
  import { journey } from './journey.js';
  const [apiKey, baseUrl] = (globalThis.Deno?.args ?? process.argv.slice(2));
  const test = createClient({ apiKey, baseUrl, timeoutMs: 1000 });
  console.log(JSON.stringify(await journey(createClient(), test, baseUrl)));`;

const WORKER = `
  import { createClient } from 'email-verification-client';
  import { journey } from './journey.js';
  export default {
    async fetch(request) {
      const { apiKey, testKey, baseUrl } = await request.json();
      const test = createClient({ apiKey: testKey, baseUrl, timeoutMs: 1000 });
      return Response.json(await journey(createClient({ apiKey, baseUrl }), test, baseUrl));
    },
  };`;

let stack: TestStack;
let project: ClientProject;
beforeAll(async () => {
  [stack, project] = await Promise.all([startTestStack(), openClientProject()]);
  writeFileSync(join(project.folder, 'journey.js'), JOURNEY);
  writeFileSync(join(project.folder, 'main.js'), MAIN);
});
afterAll(async () => {
  await stack.remove();
  project.remove();
});

/** What Deno is allowed: no more than a client needs. */
const denoRights = () => [
  '--no-prompt',
  `--allow-net=${new URL(stack.base_url).host},127.0.0.1:9`,
  '--allow-env=EMAIL_VERIFICATION_API_KEY,EMAIL_VERIFICATION_BASE_URL',
];

const FETCH_LIMIT_MS = 300_000;

it.each([
  { runtime: 'Node', program: async () => process.execPath, words: () => [] },
  { runtime: 'Deno', program: () => fetchedProgram('deno', '2.9.5'), words: () => ['run', ...denoRights()] },
  { runtime: 'Bun', program: () => fetchedProgram('bun', '1.4.5'), words: () => ['run'] },
])(
  'the packed client does in $runtime what it does anywhere',
  { timeout: FETCH_LIMIT_MS },
  async ({ program, words }) => {
    const { base_url, keys } = stack;
    const env: Record<string, string> = {
      HOME: project.folder,
      NO_COLOR: '1',
      DENO_NO_UPDATE_CHECK: '1',
      EMAIL_VERIFICATION_API_KEY: keys.member,
      EMAIL_VERIFICATION_BASE_URL: base_url,
    };
    const options = { cwd: project.folder, env: env as NodeJS.ProcessEnv };
    const { stdout, stderr } = await run(await program(), [...words(), 'main.js', keys.test, base_url], options);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(EXPECTED);
  },
);

it('the packed client does in workerd what it does anywhere', async () => {
  const client = readFileSync(join(project.installed, 'client.js'), 'utf8');
  const files = { 'index.js': WORKER, 'journey.js': JOURNEY, 'email-verification-client': client };
  const modules = Object.entries(files).map(([path, contents]) => ({ type: 'ESModule' as const, path, contents }));
  const options = { host: '127.0.0.1', cf: false, compatibilityDate: '2024-09-23', modules } as const;
  const worker = new Miniflare(convertV4MiniflareOptions(options));
  try {
    const { base_url: baseUrl, keys } = stack;
    const body = JSON.stringify({ apiKey: keys.member, testKey: keys.test, baseUrl });
    const answer = await worker.dispatchFetch('http://worker.test/', { method: 'POST', body });
    expect(await answer.json()).toEqual(EXPECTED);
  } finally {
    await worker.dispose();
  }
});
