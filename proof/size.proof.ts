import { afterAll, expect, it, vi } from 'vitest';
import { DAY_MS, SECOND_MS } from '../src/kernel/clock.ts';
import { OrganisationObject } from '../src/runtime/objects.ts';
import { bulkCalls } from '../test/support/bulk-calls.ts';
import { LIMITS, mostUsed } from '../test/support/platform.ts';
import { startService } from '../test/support/service.ts';
import { says, startVendorStage } from '../test/support/vendor-stage.ts';
import { writeFindings } from './document.ts';
import { countOr } from './support/settings.ts';

/** Addresses of one account; the other sizes go with it. */
const ADDRESSES = countOr(1_000_000);
const share = (whole: number): number => Math.ceil((whole * ADDRESSES) / 1_000_000);
const LIMIT_MS = 3_600_000;
const AN_IMPORT = 1_000;
const DEAD = { outcome: 'hard_bounce', smtp_code: '550 5.1.1 User unknown' };

const stage = await startVendorStage();
stage.play((_, email) => says(email, { verdict: email.startsWith('p1') ? 'undeliverable' : 'deliverable' }));
const seven = await startService(stage.settings);
const one = await startService(
  Object.fromEntries(Object.entries(stage.settings).filter(([name]) => name.startsWith('NEVERBOUNCE_'))),
);
afterAll(() => stage.stop());

/** The longest time that each object method held its thread before its first wait, per case. */
const holds = new Map<string, number>();
const { prototype } = OrganisationObject;
for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(prototype))) {
  const method = Reflect.get(prototype, name) as unknown;
  if (name === 'constructor' || typeof method !== 'function') continue;
  Reflect.set(prototype, name, function (this: unknown, ...input: unknown[]) {
    const startedAt = performance.now();
    const answer: unknown = method.apply(this, input);
    holds.set(name, Math.max(holds.get(name) ?? 0, performance.now() - startedAt));
    return answer;
  });
}

const rows: string[][] = [];
const sizes: (readonly (string | number)[])[] = [];

/** Runs one case, and notes what it used at most. */
async function measured(name: string, work: () => Promise<Readonly<Record<string, string | number>>>): Promise<void> {
  mostUsed.clear();
  holds.clear();
  const startedAt = performance.now();
  const figures = await work();
  const seconds = (performance.now() - startedAt) / SECOND_MS;
  const [slowest = ['none', 0]] = [...holds].sort(([, a], [, b]) => b - a);
  sizes.push([
    name,
    Object.entries(figures)
      .map(([what, figure]) => `${what} ${figure.toLocaleString('en-US')}`)
      .join(', '),
    `${slowest[0]}: ${slowest[1].toFixed(0)} ms`,
    `${seconds.toFixed(0)} s`,
  ]);
  for (const [limit, used] of mostUsed) {
    expect(used).toBeLessThanOrEqual(LIMITS[limit].most);
    rows.push([name, limit, String(used), String(LIMITS[limit].most)]);
  }
}

const objectMb = (service: typeof seven, id: string): string => {
  const { sql } = service.objectOf(id).storage;
  const [size] = sql.exec<{ bytes: number }>(PAGES).toArray();
  return ((size?.bytes ?? Number.NaN) / 2 ** 20).toFixed(0);
};
const PAGES = 'select page_count * page_size as bytes from pragma_page_count, pragma_page_size';

it(`${ADDRESSES} addresses and as many reports are in one account`, { timeout: LIMIT_MS }, async () => {
  await measured('addresses and reports of one account', async () => {
    const service = one;
    service.faults.delayMs = 0;
    const { id, keys } = await service.createOrganisation({ verification_quota: 0, rate_per_minute: 1_000_000 });
    const at = Math.floor(Date.now() / SECOND_MS) - 60;
    for (let done = 0; done < ADDRESSES; done += AN_IMPORT) {
      const outcomes = Array.from({ length: AN_IMPORT }, (_, n) => ({
        email: `p${done + n}@d${(done + n) % share(60_000)}.bulk.test`,
        at,
        ...((done + n) % 20 === 0 ? DEAD : { outcome: 'delivered' }),
      }));
      const { status, body } = await service.call('POST', '/v1/outcomes/import', keys.member, { outcomes });
      expect([status, body.accepted]).toEqual([202, AN_IMPORT]);
      await service.settle();
    }
    const known = await service.call('POST', '/v1/verify', keys.member, { email: 'p20@d20.bulk.test' });
    expect(known.body).toMatchObject({ cache: { hit: true } });
    await service.runNight(id);
    return { addresses: ADDRESSES, 'MB of the object': objectMb(service, id) };
  });
});

it.each([
  ['one vendor', one],
  ['seven vendors', seven],
] as const)(
  'a file of 100,000 rows and 60,000 domains is done with %s',
  { timeout: LIMIT_MS },
  async (vendors, service) => {
    await measured(`file, ${vendors}`, async () => {
      service.faults.delayMs = 0;
      const count = share(100_000);
      const organisation = await service.createOrganisation({ verification_quota: 0, rate_per_minute: 1_000_000 });
      const jobs = bulkCalls(service, organisation);
      const lines = Array.from({ length: count }, (_, n) => `p${n}@d${n % share(60_000)}.bulk.test`);
      const job = await jobs.ready(`email\n${lines.join('\n')}\n`);
      expect((await jobs.call('GET', `/${job}/estimate`)).status).toBe(200);
      const asked = stage.simulator.ledger.length;
      expect((await jobs.start(job)).status).toBe(202);
      await jobs.run();
      const ended = await jobs.job(job);
      expect(ended).toMatchObject({ state: 'done', progress: { rows_done: count } });
      const results = await (await jobs.download(job)).text();
      expect(results.trim().split('\n').length).toBe(count + 1);
      return { rows: count, 'questions to vendors': stage.simulator.ledger.length - asked };
    });
  },
);

it('two years of an account keep what is promised, and no more', { timeout: LIMIT_MS }, async () => {
  await measured('two years of nights', async () => {
    const service = seven;
    service.faults.delayMs = 0;
    const { id, keys } = await service.createOrganisation({ verification_quota: 0 });
    const startedAt = Date.now();
    const nights: number[] = [];
    const days = Math.min(730, share(730 * 10));
    for (let day = 0; day < days; day += 1) {
      vi.useFakeTimers({ now: startedAt + day * DAY_MS, toFake: ['Date'] });
      for (let n = 0; n < 5; n += 1) {
        const email = `p${day % 200}-${n}@d${day % 50}.bulk.test`;
        const { body } = await service.call('POST', '/v1/decide', keys.member, { email });
        await service.call('POST', '/v1/events', keys.member, { trace_id: body.trace_id, event: 'activated' });
        const trace_id = body.verification.trace_id as string;
        await service.call('POST', '/v1/outcome', keys.member, {
          trace_id,
          outcome: n === 0 ? 'hard_bounce' : 'delivered',
        });
      }
      await service.settle();
      await service.passTimers(id);
      const begun = performance.now();
      await service.runNight(id);
      nights.push(performance.now() - begun);
    }
    const oldest = 'select min(created_at) from trace where organisation_id = $1';
    const [[at] = []] = (await service.database.query(oldest, [id])).rows;
    const kept = Math.round((Date.now() - Number(at)) / DAY_MS);
    vi.useRealTimers();
    if (days === 730) {
      expect(kept).toBeGreaterThanOrEqual(400);
      expect(kept).toBeLessThanOrEqual(431);
    }
    const mean = (values: readonly number[]): string =>
      (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(0);
    return {
      nights: days,
      'days kept of traces': kept,
      'ms of a night in the first month': mean(nights.slice(0, 30)),
      'in the last': mean(nights.slice(-30)),
      'MB of the object': objectMb(service, id),
    };
  });
});

afterAll(() =>
  writeFindings('size', {
    summary: `Run in Node inside an environment that throws at the platform's limits, with a database in the same process. Times are those of one machine and stand here for their proportions.`,
    tables: [
      { columns: ['case', 'figures', 'longest hold of the object’s thread', 'took'], rows: sizes },
      {
        title: 'The most that one invocation used',
        columns: ['limit', 'used', 'limit of the platform', 'by'],
        rows: Object.keys(LIMITS).flatMap((limit) => {
          const [most] = rows.filter(([, name]) => name === limit).sort(([, , a], [, , b]) => Number(b) - Number(a));
          return most === undefined ? [] : [[limit, most[2] ?? '', most[3] ?? '', most[0] ?? '']];
        }),
      },
    ],
  }),
);
