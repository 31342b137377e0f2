import { expect, it } from 'vitest';
import { startService } from '../support/service.ts';

const service = await startService();
const mine = await service.createOrganisation();

/** What a request costs before its answer: calls to the organisation's object, reads and writes of KV. */
async function trips(path: string, email: string) {
  await service.settle();
  const before = { ...service.calls };
  service.faults.down = true;
  const { status } = await service.call('POST', path, mine.keys.member, { email });
  service.faults.down = false;
  expect(status).toBe(200);
  const { object, kvReads, kvWrites } = service.calls;
  return { object: object - before.object, kvReads: kvReads - before.kvReads, kvWrites: kvWrites - before.kvWrites };
}

it('a check on a cold isolate asks KV for the domain and for the night’s table, then DNS, and remembers the domain', async () => {
  expect(await trips('/v1/check', 'a@cold.bulk.test')).toEqual({ object: 1, kvReads: 2, kvWrites: 1 });
});

it('a check of another domain asks KV once, then DNS, and remembers the answer in both places', async () => {
  expect(await trips('/v1/check', 'a@next.bulk.test')).toEqual({ object: 1, kvReads: 1, kvWrites: 1 });
});

it('a check on a warm isolate makes one object call and nothing else, with Postgres down', async () => {
  await trips('/v1/check', 'a@warm.bulk.test');
  expect(await trips('/v1/check', 'b@warm.bulk.test')).toEqual({ object: 1, kvReads: 0, kvWrites: 0 });
});

it('a verification on a warm isolate makes one object call and nothing else, with Postgres down', async () => {
  expect(await trips('/v1/verify', 'a@verify.bulk.test')).toMatchObject({ object: 1 });
  expect(await trips('/v1/verify', 'b@verify.bulk.test')).toEqual({ object: 1, kvReads: 0, kvWrites: 0 });
});

it('broken syntax looks nothing up', async () => {
  expect(await trips('/v1/check', 'broken')).toEqual({ object: 1, kvReads: 0, kvWrites: 0 });
});
