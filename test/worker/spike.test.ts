import { evictDurableObject } from 'cloudflare:test';
import { it, vi } from 'vitest';
import { call, createOrganisation, objectOf, captureLog } from '../support/worker.ts';
captureLog();
it('x', async () => {
  const out: any[] = [];
  for (const mocked of [false, true]) {
  if (mocked) vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  const o = await createOrganisation();
  await o.object.status();
  let t = Date.now();
  await evictDurableObject(o.object); out.push(['at once', Date.now() - t]);
  await o.object.status();
  await new Promise((r) => setTimeout(r, 300));
  t = Date.now();
  await evictDurableObject(o.object); out.push(['later', Date.now() - t]);
  await o.object.status();
  t = Date.now();
  await evictDurableObject(o.object); out.push(['later', Date.now() - t]);
  }
  throw new Error(JSON.stringify(out));
});
