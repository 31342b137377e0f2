import { env, exports } from 'cloudflare:workers';
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, it, vi } from 'vitest';
import { settingsRecord } from '../support/records.ts';
import worker from '../../src/index.ts';

it('health', async () => {
  const stub = env.ORGANISATION.getByName('org_a') as any;
  const real = globalThis.fetch;
  const t0 = Date.now();
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (u, i) => { console.log('FETCH', Date.now() - t0, new Error('x').stack.split('\n').slice(2,12).join('\n')); try { const r = await real(u, i); console.log(r.status, Date.now() - t0, (await r.clone().text()).slice(0, 300)); return r; } catch (e) { console.log('FAIL', String(e), e.stack); throw e; } });
  await stub.create(settingsRecord());
  console.log('created', Date.now() - t0);
  console.log('alarm', await runDurableObjectAlarm(stub), Date.now() - t0);
  console.log((await stub.status()).outboxRows);
  await new Promise((r) => setTimeout(r, 300));
  console.log((await stub.status()).outboxRows);
  const r = await fetch('https://example.com/').catch(String); console.log('EX', r);
});
