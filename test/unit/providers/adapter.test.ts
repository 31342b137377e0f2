import { expect, it } from 'vitest';
import type { Adapter } from '../../../src/integrations/providers/adapter.ts';
import { createProvider } from '../../../src/integrations/providers/providers.ts';
import { EMAIL, KEY, NEVER } from './vendor.ts';

const SOUND: Adapter = {
  id: 'kickbox',
  origin: null,
  priceMicros: 4_000,
  request: () => ({ path: '/verify' }),
  read: () => null,
};
const throws = (): never => {
  throw new Error(`${KEY} ${EMAIL}`);
};

it.each<[what: string, change: Partial<Adapter>]>([
  ['building the request', { request: throws }],
  ['reading the reply', { read: throws }],
])(
  'an adapter that throws while %s fails this one call, which may be billed, and says nothing of it',
  async (_, change) => {
    const settings = { origin: 'https://vendor.example', apiKey: KEY, priceMicros: 4_000 };
    const provider = createProvider({ ...SOUND, ...change }, settings, () => Promise.resolve(new Response('{}')));
    expect(await provider.ask(EMAIL, 1_000, NEVER)).toEqual({
      ok: false,
      error: { kind: 'malformed', retryable: false, costMicros: 4_000 },
    });
  },
);
