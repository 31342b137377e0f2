import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { GLOSSARY, POLICY, policyUri } from '../../src/contract/mcp.ts';
import { connect, REVISIONS } from '../support/mcp.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const mine = await service.createOrganisation();
const open = (key: string, revision: (typeof REVISIONS)[number] = '2026-07-28') =>
  connect(service.request, key, revision);
const save = (slug: string, key: string) =>
  service.call('PUT', `/v1/policies/${slug}`, key, { name: slug, rules: [], default: 'review' });

describe.each(REVISIONS)('an agent of %s', (revision) => {
  it('reads the glossary as its page in the documentation has it', async () => {
    const { client } = await open(mine.keys.viewer, revision);
    const page = await readFile(join(import.meta.dirname, '../../docs/glossary.md'), 'utf8');
    expect(await client.readResource({ uri: GLOSSARY.uri })).toMatchObject({
      contents: [{ uri: GLOSSARY.uri, mimeType: 'text/markdown', text: page }],
    });
  });

  it('finds the glossary and each policy of its account, and no other account’s', async () => {
    const org = await service.createOrganisation();
    const other = await service.createOrganisation();
    await save('vip', org.keys.admin);
    await save('theirs', other.keys.admin);
    const { client } = await open(org.keys.viewer, revision);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).toSorted()).toEqual([GLOSSARY.uri, policyUri('default'), policyUri('vip')]);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([POLICY]);
    await expect(client.readResource({ uri: policyUri('theirs') })).rejects.toThrow(
      /policy, or this version of it, does not exist/,
    );
  });

  it('reads a policy as its route answers it', async () => {
    const { client } = await open(mine.keys.viewer, revision);
    const { contents } = await client.readResource({ uri: policyUri('default') });
    const { body } = await service.call('GET', '/v1/policies/default', mine.keys.viewer);
    expect(contents).toMatchObject([{ uri: policyUri('default'), mimeType: 'application/json' }]);
    expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(body);
  });

  it('gets a refusal in the words of the route', async () => {
    const org = await service.createOrganisation();
    const { client } = await open(org.keys.viewer, revision);
    await expect(client.readResource({ uri: 'email-verification://nothing' })).rejects.toMatchObject({ code: -32602 });
    service.breakObject(org.id);
    const { body } = await service.call('GET', '/v1/policies/default', org.keys.viewer);
    expect(body.error.code).toBe('dependency_unavailable');
    await expect(client.readResource({ uri: policyUri('default') })).rejects.toMatchObject({
      message: expect.stringContaining(body.error.message),
      data: { error: { code: 'dependency_unavailable' } },
    });
  });
});

it('policies are listed page by page, the glossary once', async () => {
  const org = await service.createOrganisation();
  const slugs = Array.from({ length: 51 }, (_, i) => `p${i}`);
  for (const slug of slugs) await save(slug, org.keys.admin);
  const { client } = await open(org.keys.viewer);
  const listed = [];
  let cursor: string | undefined;
  do {
    const page = await client.listResources(cursor === undefined ? {} : { cursor });
    listed.push(...page.resources.map(({ uri }) => uri));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(listed.toSorted()).toEqual([GLOSSARY.uri, ...['default', ...slugs].map(policyUri)].toSorted());
});

describe('a wrong key', () => {
  const post = (headers: Record<string, string>) =>
    service.call('POST', '/mcp', null, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers);

  it.each([
    ['that is missing', {}, /^The API key is missing\. Put `Authorization: Bearer <API_KEY>` among the headers/],
    ['that is malformed', { authorization: 'Bearer wrong' }, /^The API key is wrong or has been revoked: ask an admin/],
  ])('%s is named as such, with what to do', async (_, headers, text) => {
    const { status, body } = await post(headers);
    expect(status).toBe(401);
    expect(body.error).toMatchObject({ code: 'unauthorized', message: expect.stringMatching(text) });
  });

  it('is named as revoked when it has been, by a tool and by a policy too', async () => {
    const { id, key } = await mine.createKey({ role: 'member' });
    const { client, call } = await open(key);
    await service.call('DELETE', `/operator/v1/organisations/${mine.id}/keys/${id}`, service.operatorKey);
    const told = /The API key is wrong or has been revoked/;
    await expect(client.listTools()).rejects.toThrow(told);
    await expect(call('get_usage')).rejects.toThrow(told);
    await expect(client.readResource({ uri: policyUri('default') })).rejects.toThrow(told);
    await expect(client.readResource({ uri: GLOSSARY.uri })).rejects.toThrow(told);
  });

  it('is understood also by an agent that looks for OAuth after it', async () => {
    const provider = {
      redirectUrl: 'http://localhost/callback',
      clientMetadata: { redirect_uris: ['http://localhost/callback'] },
      clientInformation: () => undefined,
      saveClientInformation: () => undefined,
    } as unknown as OAuthClientProvider;
    const fetchFn = (url: string | URL, init?: RequestInit) => service.request(new URL(url).pathname, init);
    const looking = auth(provider, { serverUrl: 'https://service.test/mcp', fetchFn });
    await expect(looking).rejects.toThrow(
      /This service takes API keys and has no sign-in by OAuth; the key is missing, wrong/,
    );
  });
});
