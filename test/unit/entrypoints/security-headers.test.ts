import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { expect, it } from 'vitest';
import { SECURITY_HEADERS } from '../../../src/entrypoints/http/security-headers.ts';

it('an answer that is made with all of its headers has those that the library sets', async () => {
  const app = new Hono();
  app.use(secureHeaders());
  app.get('/', () => new Response());
  const { headers } = await app.request('/');
  expect(Object.fromEntries(headers)).toEqual(Object.fromEntries(new Headers(SECURITY_HEADERS)));
});
