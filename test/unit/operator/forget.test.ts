import { afterEach, expect, it, vi } from 'vitest';
import { forgetEverywhere } from '../../../scripts/operator/organisations.ts';

afterEach(() => vi.unstubAllGlobals());

const page = (traces: number, change: object) => ({
  forgotten: {
    traces,
    rules: 1,
    users: 0,
  },
  pending: [],
  incomplete: [],
  cursor: null,
  ...change,
});

it('the command goes through all organisations and prints the sum of all calls', async () => {
  const pages = [
    page(2, { cursor: 'org_b', pending: ['org_c'] }),
    page(0, { cursor: 'org_a', incomplete: ['org_b'] }),
    page(3, { pending: ['org_a'] }),
  ];
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    return Response.json(pages[sent.length - 1]);
  });
  expect(await forgetEverywhere({ baseUrl: 'http://service.test', key: 'key' }, 'ada@example.com')).toEqual({
    forgotten: {
      traces: 5,
      rules: 3,
      users: 0,
    },
    pending: ['org_c', 'org_a'],
    incomplete: ['org_b'],
  });
  const email = 'ada@example.com';
  expect(sent).toEqual([{ email }, { email, cursor: 'org_b' }, { email, cursor: 'org_a' }]);
});
