import { afterAll, describe, expect, it, vi } from 'vitest';
import { runCron } from '../../src/entrypoints/cron/scheduled.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { openServices } from '../../src/runtime/services.ts';
import { startService } from '../support/service.ts';

vi.useFakeTimers({ toFake: ['Date'] });
afterAll(() => void vi.useRealTimers());
/** Noon of a day. */
const NOON = Date.UTC(2026, 9, 20, 12);
vi.setSystemTime(NOON);

const service = await startService();
service.faults.delayMs = 0;
const [mine, other] = [await service.createOrganisation(), await service.createOrganisation()];

/** The cron of every five minutes; whose nights it sends for. */
async function sweep(): Promise<string[]> {
  await runCron(
    '*/5 * * * *',
    openServices(service.env as never, () => undefined),
  );
  return (service.nights as { organisation_id: string }[]).map(({ organisation_id }) => organisation_id);
}
/** When each step of the crons last ran, and what it has to show. */
async function steps() {
  const { rows } = await service.database.query('select step, started_at, report from cron_step', []);
  return new Map(
    rows.map(([step, at, report]) => [String(step), { at: Number(at), report: JSON.parse(String(report)) }]),
  );
}
/** When the run began that each step of an organisation was last part of. */
async function nightOf(id: string) {
  const { rows } = await service.database.query(
    'select step, run_at, ok from nightly_step where organisation_id = $1',
    [id],
  );
  return Object.fromEntries(rows.map(([step, at, ok]) => [step, { at: Number(at), ok: ok === 't' }]));
}

const at = (day: number, time: number): void => void vi.setSystemTime(NOON - 12 * HOUR_MS + day * DAY_MS + time);
const NIGHT = 3 * HOUR_MS + 17 * MINUTE_MS;
const ONCE_A_NIGHT = ['nightly', 'partitions', 'old_rows', 'bulk_files', 'disposable_lists'];

describe('a missed night', () => {
  it('is none of a service that is younger', async () => {
    expect(await sweep()).toEqual([]);
    expect([...(await steps()).keys()]).toEqual(['wake']);
  });

  it('is taken up by the next sweep once its time is over, every step and every organisation', async () => {
    at(1, NIGHT);
    service.faults.down = true;
    await expect(service.runNight()).rejects.toThrow('steps failed');
    await expect(sweep()).rejects.toThrow('Failed query');
    service.faults.down = false;
    at(1, NIGHT + 10 * MINUTE_MS);
    expect(await sweep()).toEqual([]);
    at(1, NIGHT + 20 * MINUTE_MS);
    const sent = await sweep();
    expect(sent).toEqual(expect.arrayContaining([mine.id, other.id]));
    for (const name of ONCE_A_NIGHT) expect((await steps()).get(name)).toMatchObject({ at: Date.now() });
    expect(await service.deliverNights()).toEqual([]);
    expect(await nightOf(mine.id)).toEqual({
      rollups: { at: Date.now(), ok: true },
      calibration: { at: Date.now(), ok: true },
    });
  });

  it('that was whole is not repeated', async () => {
    const before = await steps();
    at(1, NIGHT + 8 * HOUR_MS);
    expect(await sweep()).toEqual([]);
    const after = await steps();
    for (const name of ONCE_A_NIGHT) expect(after.get(name)).toEqual(before.get(name));
    expect(after.get('nightly_again')?.report).toEqual({ organisations: 0 });
  });

  it('is made whole by the steps that failed alone', async () => {
    at(2, NIGHT);
    await service.runNight();
    const before = await steps();
    await service.database.query(`update cron_step set report = '{"failed":"Error"}' where step = 'old_rows'`, []);
    at(2, NIGHT + 30 * MINUTE_MS);
    expect(await sweep()).toEqual([]);
    const after = await steps();
    for (const name of ONCE_A_NIGHT)
      expect([name, after.get(name)?.at]).toEqual([name, name === 'old_rows' ? Date.now() : before.get(name)?.at]);
  });

  it('of an organisation whose message was lost is sent for again, three hours later, without the steps it has had', async () => {
    at(3, NIGHT);
    await service.runNight(other.id);
    const runAt = Date.now();
    await service.database.query(`update nightly_step set ok = false where organisation_id = $1 and step = 'rollups'`, [
      other.id,
    ]);
    at(3, NIGHT + HOUR_MS);
    expect(await sweep()).toEqual([]);
    at(3, NIGHT + 3 * HOUR_MS);
    const sent = await sweep();
    expect(sent).toEqual(expect.arrayContaining([mine.id, other.id]));
    expect(await service.deliverNights()).toEqual([]);
    expect(await nightOf(other.id)).toEqual({
      rollups: { at: Date.now(), ok: true },
      calibration: { at: runAt, ok: true },
    });
    at(3, NIGHT + 7 * HOUR_MS);
    expect(await sweep()).toEqual([]);
  });
});
