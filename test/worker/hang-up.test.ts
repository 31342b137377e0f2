import { exports } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { captureLog } from '../support/capture-log.ts';
import { call, createOrganisation, tracesInDatabase, until } from '../support/worker.ts';

captureLog();

const loopback = (exports as unknown as { readonly default: Fetcher }).default;

it('a caller that hangs up finds, under its Idempotency-Key, the answer of the request that it left', async () => {
  const mine = await createOrganisation();
  const keyed = { 'idempotency-key': 'hung-up' };
  // Its name server stays silent: the request is at work when the caller goes.
  const body = { email: 'ada@timeout.test' };
  const caller = new AbortController();
  const left = loopback.fetch('https://service.test/v1/verify', {
    method: 'POST',
    headers: { authorization: `Bearer ${mine.key}`, 'content-type': 'application/json', ...keyed },
    body: JSON.stringify(body),
    signal: caller.signal,
  });
  await until(async () => (await mine.usage()).calls.verify === 1);
  caller.abort();
  await Promise.allSettled([left]);

  await until(async () => (await tracesInDatabase(mine.id)).length > 0);
  const repeated = await call('POST', '/v1/verify', mine.key, body, keyed);
  expect(repeated.status).toBe(200);
  expect(await tracesInDatabase(mine.id)).toEqual([repeated.body.trace_id]);
  expect((await mine.usage()).calls.verify).toBe(1);
});
