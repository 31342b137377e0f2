import { expect, it } from 'vitest';
import { dropExpiredPartitions, findTrace, insertTraces, listTraces } from '../../src/domain/traces/store.ts';
import { newId } from '../../src/kernel/ids.ts';
import { openTestDatabase } from '../support/database.ts';
import { traceRecord } from '../support/records.ts';

it('stress', async () => {
  const { db, close } = await openTestDatabase();
  const now = Date.UTC(2002, 5, 16);
  const errors = new Map<string, number>();
  const n = { drop: 0, busy: 0, ins: 0, list: 0, find: 0 };
  const end = Date.now() + 20000;
  const org = newId('org', 1);
  const loop = async (work: () => Promise<void>) => {
    while (Date.now() < end)
      await work().catch((e) => {
        const m = `${e.cause?.code} ${e.cause?.message} ${e.message}`.slice(0, 120);
        errors.set(m, (errors.get(m) ?? 0) + 1);
      });
  };
  const month = () => Date.UTC(1998, Math.floor(Math.random() * 12), 5);
  await Promise.all([
    ...[1, 2, 3].map(() =>
      loop(async () => {
        const r = await dropExpiredPartitions(db, now);
        n.drop += r.dropped.length;
        n.busy += r.busy.length;
      }),
    ),
    ...[1, 2].map(() =>
      loop(async () => {
        const ms = month();
        await insertTraces(db, [
          JSON.stringify(traceRecord({ organisationId: org, id: newId('vr', ms), createdAt: ms })),
        ]);
        n.ins += 1;
      }),
    ),
    loop(async () => {
      const ms = Date.UTC(2002, 5, 15);
      const r = traceRecord({ organisationId: org, id: newId('vr', ms), createdAt: ms });
      await insertTraces(db, [JSON.stringify(r)]);
      expect(await findTrace(db, org, r.id)).toEqual(r);
      n.find += 1;
    }),
    ...[1, 2].map(() =>
      loop(async () => {
        await listTraces(db, org, { mode: 'live', keyId: null, bulkJobId: null }, 51, null);
        n.list += 1;
      }),
    ),
  ]);
  console.log(n, [...errors]);
  await close();
  expect(1).toBe(2);
}, 60000);
