import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient, type EmailVerificationError } from '../src/client.ts';
import { CHECKED, DROP_INS, EMAIL } from './functions.ts';
import { json, scriptedServer } from './scripted-server.ts';

const apiKey = 'evk_test_key';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe('in a browser', () => {
  it('no client is made', () => {
    vi.stubGlobal('window', { document: {} });
    expect(() => createClient({ apiKey })).toThrow(/server.*never in a browser/);
  });

  it('a runtime with a `window` but no document is none', () => {
    vi.stubGlobal('window', globalThis);
    expect(() => createClient({ apiKey })).not.toThrow();
  });

  it.each([
    ['no client is made in a worker', 'Mozilla/5.0 (X11; Linux x86_64)', true],
    ['a worker of Cloudflare is none', 'Cloudflare-Workers', false],
    ['a worker of Deno is none', 'Deno/2.5.0', false],
  ])('%s', (_, userAgent, refused) => {
    vi.stubGlobal('WorkerGlobalScope', vi.fn());
    vi.stubGlobal('navigator', { userAgent });
    const make = () => createClient({ apiKey });
    if (refused) expect(make).toThrow(/never in a browser/);
    else expect(make).not.toThrow();
  });
});

describe('settings come from the environment', () => {
  it('when the options do not name them', async () => {
    await using server = await scriptedServer(json(CHECKED));
    vi.stubEnv('EMAIL_VERIFICATION_API_KEY', ' evk_of_env\n');
    vi.stubEnv('EMAIL_VERIFICATION_BASE_URL', `${server.baseUrl}\n`);
    await createClient().checkEmail(EMAIL);
    await createClient({ apiKey: 'evk_of_options' }).checkEmail(EMAIL);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer evk_of_env',
      'Bearer evk_of_options',
    ]);
  });

  it('of Deno', async () => {
    await using server = await scriptedServer(json(CHECKED));
    const env: Record<string, string> = {
      EMAIL_VERIFICATION_API_KEY: 'evk_of_deno',
      EMAIL_VERIFICATION_BASE_URL: server.baseUrl,
    };
    vi.stubGlobal('Deno', { env: { get: (name: string) => env[name] } });
    await createClient().checkEmail(EMAIL);
    expect(server.seen[0]?.headers.authorization).toBe('Bearer evk_of_deno');
  });

  it('count as missing where reading them is not permitted', async () => {
    vi.stubGlobal('Deno', {
      env: {
        get: () => {
          throw new Error('NotCapable');
        },
      },
    });
    await expect(createClient().checkEmail(EMAIL)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe.each(['', '  ', 'evk key', 'evk_ключ', 'evk_\u0000key'])('the key %j', (key) => {
  it('is refused as the service refuses it, without a request', async () => {
    await using server = await scriptedServer(json(CHECKED));
    vi.stubEnv('EMAIL_VERIFICATION_API_KEY', apiKey);
    const client = createClient({ apiKey: key, baseUrl: server.baseUrl });
    await expect(client.verifyEmail(EMAIL)).rejects.toMatchObject({ status: 401, code: 'unauthorized', traceId: null });
    expect(server.seen).toEqual([]);
  });

  it.each(DROP_INS)('leaves $name its fallback, seen by onError', async ({ name, call, fallback }) => {
    const onError = vi.fn<(error: EmailVerificationError, helper: string) => void>();
    expect(await call(createClient({ apiKey: key, baseUrl: 'http://127.0.0.1:9', onError }))).toBe(fallback);
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ code: 'unauthorized' }), name]]);
  });
});

describe.each([
  '',
  'localhost:8787',
  'api.example.com',
  '/v1',
  'ftp://a.example',
  'http://',
  'https://user:word@a.example',
  'https://a.example/?key=1',
  'https://a.example/#x',
])('the address %j', (baseUrl) => {
  it('is an error of each call, on which drop-in functions fail open', async () => {
    const client = createClient({ apiKey, baseUrl });
    await expect(client.checkEmail(EMAIL)).rejects.toMatchObject({ status: 0, code: 'not_configured' });
    expect(await client.isValidEmail(EMAIL)).toBe(true);
  });
});

it('without any setting a client is made, and its local function works', () => {
  expect(createClient().isValidContactListEmail('ada@example.com')).toBe(true);
});
