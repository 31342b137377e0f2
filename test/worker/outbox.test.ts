import { evictDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { captureLog } from '../support/capture-log.ts';
import { createOrganisation, tracesInDatabase, until } from '../support/worker.ts';

captureLog();

it('the alarm goes off by itself and writes the outbox to Postgres, though the object was evicted', async () => {
  const mine = await createOrganisation();
  const ids = Array.from({ length: 3 }, () => newId('vr', Date.now()));
  for (const id of ids) await mine.commit(id, id);
  await evictDurableObject(mine.object);
  await until(async () => (await tracesInDatabase(mine.id)).length === 3);
  expect(await tracesInDatabase(mine.id)).toEqual(expect.arrayContaining(ids));
  await until(async () => (await mine.outboxRows()) === 0);
});
