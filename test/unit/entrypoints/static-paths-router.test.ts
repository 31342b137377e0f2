import { TrieRouter } from 'hono/router/trie-router';
import { expect, it } from 'vitest';
import { StaticPathsRouter } from '../../../src/entrypoints/http/static-paths-router.ts';

const ROUTES = [
  ['ALL', '/*', 'frame'],
  ['POST', '/v1/check', 'check'],
  ['GET', '/v1/traces/:id', 'trace'],
  ['POST', '/v1/traces/search', 'search'],
  ['GET', '/v1/keys', 'keys'],
] as const;

it.each([
  ['POST', '/v1/check'],
  ['GET', '/v1/check'],
  ['BREW', '/v1/check'],
  ['POST', '/v1/traces/search'],
  ['GET', '/v1/traces/search'],
  ['GET', '/v1/traces/vr_1'],
  ['GET', '/v1/traces/vr_2'],
  ['GET', '/nothing'],
])('%s %s is matched as by the trie, however often it is asked for', (method, path) => {
  const [trie, router] = [new TrieRouter<string>(), new StaticPathsRouter<string>()];
  for (const [of, at, handler] of ROUTES) for (const each of [trie, router]) each.add(of, at, handler);
  for (let times = 0; times < 3; times += 1) expect(router.match(method, path)).toEqual(trie.match(method, path));
});

it('knows a route that is added after it was asked', () => {
  const router = new StaticPathsRouter<string>();
  router.add('GET', '/v1/keys', 'keys');
  router.match('GET', '/v1/keys');
  router.add('ALL', '/*', 'frame');
  expect(router.match('GET', '/v1/keys')[0]).toHaveLength(2);
});
