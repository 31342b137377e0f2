import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { connect, REVISIONS } from '../support/mcp.ts';
import { captureLog } from '../support/capture-log.ts';
import { createOrganisation } from '../support/worker.ts';

const loopback = (exports as unknown as { readonly default: Fetcher }).default;
const log = captureLog();
let mine: Awaited<ReturnType<typeof createOrganisation>>;
beforeAll(async () => {
  mine = await createOrganisation({ screening_allowance: 1 });
});

describe.each(REVISIONS)('in the runtime, a client of %s', (revision) => {
  it('lists the tools, verifies, and is refused as the route refuses', async () => {
    const { client, call } = await connect((url, init) => loopback.fetch(url, init), mine.key, revision);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('verify_email');
    const { verify } = (await call('get_usage')).body.calls;

    const verified = await call('verify_email', { email: 'Grace.Hopper@google-workspace.test' });
    expect(verified.body).toMatchObject({ esp: 'hosted_suite_a', providers: {} });
    expect(verified.response.headers.get('x-trace-id')).toBe(verified.body.trace_id);
    const { trace } = (await call('get_trace', { trace_id: verified.body.trace_id })).body;
    expect(trace).toMatchObject({ verdict: verified.body.verdict });
    expect((await call('get_usage')).body.calls.verify).toBe(verify + 1);

    await call('screen_contact', { email: 'grace@gmail.com' });
    const refused = await call('screen_contact', { email: 'grace@gmail.com' });
    expect(refused.isError).toBe(true);
    expect(refused.body.error.code).toBe('screening_quota_exceeded');
  });
});

it('logs neither addresses nor names of tool calls', () => {
  expect(log.some((line) => line.includes('/mcp/verify_email'))).toBe(true);
  expect(log.filter((line) => /hopper|grace/i.test(line))).toEqual([]);
});
