import { describe, expect, it } from 'vitest';
import { type Form, requestOf, shownBody } from '../../../docs/.vitepress/theme/try-it-request.ts';

const KEY = 'evk_test_abc';
const form = (change: Partial<Form> = {}): Form => ({
  method: 'PATCH',
  path: '/v1/things/{id}',
  keyed: true,
  parameters: [
    { name: 'id', in: 'path', required: true },
    { name: 'limit', in: 'query', required: false },
    { name: 'If-Match', in: 'header', required: false },
  ],
  type: 'application/json',
  body: '{}',
  ...change,
});
const filled = (parameters: Readonly<Record<string, string>>, key = KEY, body = '{"a":1}') => ({
  key,
  parameters,
  body,
});

describe('the form of a call', () => {
  it.each([
    ['a live key', 'evk_live_abc'],
    ['no key', ''],
    ['a key with a line of its own', 'evk_test_a\nb'],
  ])('sends nothing with %s', (_, key) => {
    expect(requestOf(form(), filled({ id: '1' }, key))).toEqual({ fault: expect.stringContaining('test keys alone') });
  });

  it('asks for what is required', () => {
    expect(requestOf(form(), filled({ id: ' ' }))).toEqual({ fault: 'Fill in id.' });
  });

  it('puts each parameter in its place, and none outside of it', () => {
    expect(requestOf(form(), filled({ id: '../a?b', limit: '1&x=2', 'If-Match': '"3"' }))).toEqual({
      url: '/v1/things/..%2Fa%3Fb?limit=1%26x%3D2',
      init: {
        method: 'PATCH',
        headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json', 'If-Match': '"3"' },
        body: '{"a":1}',
      },
    });
  });

  it('needs neither key nor body for an open call without a body', () => {
    const open = form({ method: 'GET', path: '/health', keyed: false, parameters: [], type: null });
    expect(requestOf(open, filled({}, '', ''))).toEqual({ url: '/health', init: { method: 'GET', headers: {} } });
  });
});

it.each([
  ['{"a":1}', '{\n  "a": 1\n}'],
  ['a,b\n1,2', 'a,b\n1,2'],
])('an answer %j is shown as %j', (text, shown) => {
  expect(shownBody(text)).toBe(shown);
});
