import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { type FakeNeon, stubNeon } from '../../support/fake-neon.ts';
import { createTestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

let neon: FakeNeon;
beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  neon = stubNeon();
});

/** Only the exposures' removal writes this table. */
const isErasure = ({ table }: { readonly table: string }) => table === 'segment_day';

/** An organisation that has nothing to write, and addresses that are still to be erased. */
async function createForgetting(...hashes: string[]) {
  const organisation = await createTestOrganisation();
  await organisation.object.flush(null);
  for (const hash of hashes) await organisation.object.eraseLater(hash);
  neon.statements.length = 0;
  const tickAt = async (ms: number) => {
    vi.setSystemTime(START_MS + ms);
    await organisation.object.tick();
  };
  const left = async () => (await organisation.object.status())?.erasures;
  return { ...organisation, tickAt, left };
}

describe('an address that is to be erased in Postgres', () => {
  it('keeps no row waiting, however often its statement fails', async () => {
    const { object, authorize, commit, tickAt, left } = await createForgetting('aa');
    neon.answer = (statement) => (isErasure(statement) ? 'down' : 'written');
    for (let minute = 0; minute < 20; minute += 1) await tickAt(minute * MINUTE_MS);
    expect(await left()).toBe(1);
    await authorize({ operationId: 'vr_1' });
    await commit('vr_1');
    neon.statements.length = 0;
    await tickAt(20 * MINUTE_MS + SECOND_MS);
    expect(neon.statements.some(({ table }) => table === 'trace')).toBe(true);
    expect(await object.flush(null)).toEqual({ drained: true, held: null });
  });

  it('does not hold up a flush, which answers at once where no row is held', async () => {
    const { object } = await createForgetting();
    await object.tick();
    await object.eraseLater('aa');
    neon.answer = () => 'hanging';
    void object.tick();
    expect(await object.flush(null)).toEqual({ drained: true, held: null });
  });

  it('waits for the rows that may be about it', async () => {
    const { object, authorize, commit, tickAt, left } = await createForgetting();
    await authorize({ operationId: 'vr_1' });
    await commit('vr_1');
    await object.eraseLater('aa');
    neon.answer = ({ table }) => (table === 'trace' ? 'down' : 'written');
    await tickAt(MINUTE_MS);
    expect(neon.statements.some(isErasure)).toBe(false);
    neon.answer = () => 'written';
    await tickAt(10 * MINUTE_MS);
    expect(neon.statements.findIndex(isErasure)).toBeGreaterThan(
      neon.statements.findLastIndex(({ table }) => table === 'trace'),
    );
    expect(await left()).toBe(0);
  });

  it('does not hold up others when its own statement fails: after a failure each goes by itself', async () => {
    const { tickAt, left } = await createForgetting('stuck', 'bb', 'cc');
    // No id has a `u`.
    neon.answer = (statement) => (isErasure(statement) && statement.values.includes('stuck') ? 'down' : 'written');
    // A try may still be running at the next tick, so the number of ticks depends on the machine.
    for (let tries = 0; tries < 1_000 && (await left()) !== 1; tries += 1) {
      await tickAt(tries * 10 * MINUTE_MS);
      await sleep(5);
    }
    expect(await left()).toBe(1);
    neon.answer = () => 'written';
    for (let tries = 1_010; tries < 2_010 && (await left()) !== 0; tries += 1) {
      await tickAt(tries * 10 * MINUTE_MS);
      await sleep(5);
    }
    expect(await left()).toBe(0);
  });

  it('is also removed from rows that Postgres refuses after it was forgotten', async () => {
    const { object, storage, dump, tickAt, left } = await createForgetting();
    const append = (id: string, addressHash: string) =>
      storage.sql.exec(
        "insert into outbox (kind, id, record, at) values ('screening', ?, ?, ?)",
        id,
        JSON.stringify({ addressHash }),
        START_MS,
      );
    append('sc_1', 'aa');
    append('sc_2', 'bb');
    neon.answer = () => 'down';
    expect(await object.forget('aa')).toMatchObject({ drained: false });
    await object.eraseLater('aa');
    neon.answer = ({ table }) => (table === 'screening' ? { sqlState: '22P02' } : 'written');
    await tickAt(10 * MINUTE_MS);
    expect(await left()).toBe(0);
    expect(dump().outbox).toMatchObject([{ id: 'sc_2', dead: 1 }]);
  });
});
