import { describe, expect, it } from 'vitest';
import { createClient } from '../src/client.ts';
import { hangUp, json, type Seen, scriptedServer } from './scripted-server.ts';

const apiKey = 'evk_test_key';
const BODY_LIMIT_BYTES = 512 * 1024;

const many = (n: number, suffix = '.example') => Array.from({ length: n }, (_, i) => `d${i}${suffix}`);
const bodyOf = ({ body }: Seen) => JSON.parse(String(body)) as { domains: string[]; emails: string[]; note?: string };

const added = (counts: object, rejected: readonly object[] = []) =>
  json({ rule: 'block', added: 0, moved: 0, unchanged: 0, total: 0, rejected, ...counts });

describe('batches', () => {
  it.each([
    [0, [0]],
    [1, [1]],
    [1_000, [1_000]],
    [1_001, [1_000, 1]],
    [2_500, [1_000, 1_000, 500]],
  ])('of %i entries have 1,000 at most, in order, none lost', async (n, sizes) => {
    await using server = await scriptedServer(added({}));
    const domains = many(n);
    await createClient({ apiKey, baseUrl: server.baseUrl }).blockDomains(domains, 'why');
    const bodies = server.seen.map(bodyOf);
    expect(bodies.map((body) => body.domains.length)).toEqual(sizes);
    expect(bodies.flatMap((body) => body.domains)).toEqual(domains);
    expect(bodies.map(({ note }) => note)).toEqual(sizes.map(() => 'why'));
  });

  it('fit into the service’s body limit whatever their characters are', async () => {
    await using server = await scriptedServer(added({}));
    const emails = many(1_500, `@${'💌'.repeat(150)}.example`);
    await createClient({ apiKey, baseUrl: server.baseUrl }).allowAddresses(emails, 'n'.repeat(500));
    expect(server.seen.flatMap((seen) => bodyOf(seen).emails)).toEqual(emails);
    for (const { body } of server.seen) expect(body.length).toBeLessThanOrEqual(BODY_LIMIT_BYTES);
  });

  it('are added up: counts summed, the total the last, rejected entries by their place in the whole list', async () => {
    await using server = await scriptedServer(
      added({ added: 990, moved: 3, unchanged: 5, total: 1_000 }, [{ index: 0, reason: 'invalid_domain' }]),
      added({ added: 1_000, total: 2_000 }),
      added({ added: 1, moved: 1, total: 2_002 }, [{ index: 7, reason: 'public_suffix' }]),
    );
    expect(await createClient({ apiKey, baseUrl: server.baseUrl }).blockDomains(many(2_010))).toEqual({
      rule: 'block',
      added: 1_991,
      moved: 4,
      unchanged: 5,
      total: 2_002,
      rejected: [
        { index: 0, reason: 'invalid_domain' },
        { index: 2_007, reason: 'public_suffix' },
      ],
    });
  });

  it('add up their removals likewise', async () => {
    const removed = (counts: object) => json({ rule: 'allow', rejected: [], ...counts });
    await using server = await scriptedServer(
      removed({ removed: 900, not_found: 100, total: 101 }),
      removed({ removed: 1, not_found: 0, total: 100 }),
    );
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    expect(await client.unallowAddresses(many(1_001, '@a.example'))).toEqual({
      rule: 'allow',
      removed: 901,
      not_found: 100,
      total: 100,
      rejected: [],
    });
    expect(server.seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  });

  it.each([{ rejected: 'all' }, { rejected: [null] }, { rejected: [{}] }])(
    '%j is refused as an answer to add up',
    async (answer) => {
      await using server = await scriptedServer(json(answer));
      const client = createClient({ apiKey, baseUrl: server.baseUrl });
      await expect(client.blockDomains(many(1_001))).rejects.toMatchObject({ code: 'invalid_response' });
    },
  );

  it('stop at the first that fails', async () => {
    await using server = await scriptedServer(added({}), hangUp);
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    await expect(client.blockDomains(many(3_000))).rejects.toMatchObject({ code: 'network_error' });
    expect(server.seen).toHaveLength(2);
  });
});
