import { createHmac } from 'node:crypto';
import { drizzle } from 'drizzle-orm/pg-proxy';
import { expect, it } from 'vitest';
import { openDashboard } from '../../support/dashboard.ts';

/** Postgres answers every statement with the rows of another one. */
const ROWS: readonly (readonly [title: string, row: readonly unknown[]])[] = [
  ['nothing but nulls', Array(20).fill(null)],
  ['nothing but texts', Array(20).fill('x')],
  ['numbers', Array(20).fill(7)],
  ['one column', ['7']],
  ['no column', []],
  ['a later time at each place', Array(20).fill('2999-01-01 00:00:00+00')],
  // The time up to which a session is good, and no other.
  ['a session of which half is missing', ['s', 't', 'u', '2999-01-01 00:00:00+00', ...Array(16).fill(null)]],
  ['a person and a session without times', [...Array(3).fill('x'), '2999-01-01 00:00:00+00', ...Array(16).fill(null)]],
];

const cookie = (): string => {
  const signature = createHmac('sha256', 'a'.repeat(44)).update('t').digest('base64');
  return `__Host-dashboard.session_token=${encodeURIComponent(`t.${signature}`)}`;
};

it.each(ROWS)('a call of a person never fails as a bug when Postgres answers with %s', async (_title, row) => {
  const db = drizzle(async () => ({ rows: [[...row]] }));
  const { send } = openDashboard(db);
  for (const [method, path, ...fitting] of [
    ['GET', '/auth/me', 200, 401, 503],
    ['GET', '/auth/sessions', 200, 401, 503],
    ['POST', '/auth/sessions/end', 200, 401, 404, 503],
    ['GET', '/auth/passkey/list-user-passkeys', 200, 401, 503],
    ['POST', '/auth/link/read', 503],
  ] as const) {
    const body = { id: 'x', token: 'x' };
    const { status } = await send(method, path, { cookie: cookie(), ...(method === 'POST' && { body }) });
    expect(fitting, `${method} ${path}`).toContain(status);
  }
});
