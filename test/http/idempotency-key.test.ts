import { expect, it } from 'vitest';
import { ROUTES } from '../../src/contract/routes.ts';
import { sha256Hex } from '../../src/kernel/crypto.ts';
import { connect } from '../support/mcp.ts';
import { startService } from '../support/service.ts';

const service = await startService();

/** The operations that an organisation's object keeps under an `Idempotency-Key`. */
const kept = (id: string): unknown[] => [
  ...service.objectOf(id).storage.sql.exec("select key from operation where key like '~ik_%'"),
];

const email = 'ada@gmail.com';

// A renamed route would charge repeats again: keys live 24 hours, and two releases run side by side.
it.each([
  ['verify', 'verify_email', { email }],
  ['screen', 'screen_contact', { email }],
  ['decide', 'decide_signup', { email }],
  ['outcome', 'report_outcome', { trace_id: 'vr_1', outcome: 'delivered' }],
] as const)(
  'an Idempotency-Key is kept with the route’s name %s, at its path and as a tool',
  async (name, tool, body) => {
    const { id, keys } = await service.createOrganisation();
    const headers = { 'idempotency-key': 'k' };
    const first = await service.call('POST', ROUTES[name].path, keys.member, body, headers);
    expect(first.status).toBeLessThan(300);
    const send = (url: string, init: RequestInit) => service.request(new URL(url).pathname, init);
    const mcp = await connect(send, keys.member, '2026-07-28', headers);
    expect((await mcp.call(tool, body)).body).toEqual(first.body);
    expect(kept(id)).toEqual([{ key: `~ik_${sha256Hex(`${sha256Hex(keys.member)} ${name} k`)}` }]);
  },
);
