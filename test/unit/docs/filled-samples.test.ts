import { expect, it } from 'vitest';
import { filled } from '../../../docs/.vitepress/theme/filled-samples.ts';

const OWN = { key: 'evk_test_abc', baseUrl: 'http://localhost:8787' };

it.each([
  ['a shell', ['curl "', '$BASE_URL', '/v1/me" -H "Bearer ', '$', 'KEY', '"']],
  ['a template of JavaScript', ['curl "$', '{BASE_URL}', '/v1/me" -H "Bearer ${', 'API_KEY', '}"']],
  ['a template of Python', ['curl "', '{BASE_URL}/v1/me" -H "Bearer {', 'API_KEY', '}"']],
])('the variables of %s take the reader’s values, over pieces of any length', (_, pieces) => {
  const result = filled(pieces, OWN);
  expect(result).toHaveLength(pieces.length);
  expect(result.join('')).toBe('curl "http://localhost:8787/v1/me" -H "Bearer evk_test_abc"');
});

it('a variable by itself becomes text of JavaScript, and without a key only the address is filled in', () => {
  expect(filled(['{ apiKey: API_KEY, baseUrl: BASE_URL }'], { ...OWN, key: '' }).join('')).toBe(
    "{ apiKey: API_KEY, baseUrl: 'http://localhost:8787' }",
  );
});
