import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { bulkCalls } from '../support/bulk-calls.ts';
import { LIMITS, type Limit, mostUsed } from '../support/platform.ts';
import { startService } from '../support/service.ts';

const service = await startService();

const NOW_S = Math.floor(Date.now() / 1_000);
/** Each address at a domain of its own. */
const addresses = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, at) => `person${at}@${name}${at}.test`);

/** The highest use of each limit by one invocation or value, beside the limit. */
const table = () =>
  Object.fromEntries(
    [...mostUsed].map(([limit, used]) => [limit, { used, most: LIMITS[limit].most, page: LIMITS[limit].page }]),
  );

// Test files of a worker share modules, so the counts of other files are cleared.
beforeAll(() => mostUsed.clear());

it('counts each fetch, and begins no more at once than the platform does', async () => {
  const { keys } = await service.createOrganisation();
  await service.settle();
  mostUsed.clear();
  const outcomes = addresses(20, 'fetch').map((email) => ({ email, outcome: 'hard_bounce', at: NOW_S }));
  expect((await service.call('POST', '/v1/outcomes/import', keys.member, { outcomes })).status).toBe(202);
  expect(mostUsed.get('subrequests')).toBeGreaterThan(outcomes.length);
  expect(mostUsed.get('connections')).toBe(LIMITS.connections.most);
});

describe('within half of each limit of the platform', () => {
  const half = (): [Limit, number][] =>
    [...mostUsed].filter(([limit, used]) => LIMITS[limit].of !== 'batch' && used > LIMITS[limit].most / 2);

  it('stays a file of a thousand domains', async () => {
    const organisation = await service.createOrganisation({ verification_quota: 10_000 });
    const jobs = bulkCalls(service, organisation);
    const id = await jobs.ready(`email\n${addresses(1_000, 'file').join('\n')}\n`);
    expect((await jobs.call('GET', `/${id}/estimate`)).status).toBe(200);
    expect((await jobs.start(id)).status).toBe(202);
    await jobs.run();
    expect(await jobs.job(id)).toMatchObject({ state: 'done', progress: { rows_done: 1_000 } });
    expect(half()).toEqual([]);
  });

  it('stay an import of a thousand domains, and the rebuild of what it taught', async () => {
    const { id, keys } = await service.createOrganisation();
    const outcomes = addresses(1_000, 'import').map((email) => ({ email, outcome: 'hard_bounce', at: NOW_S }));
    const { status, body } = await service.call('POST', '/v1/outcomes/import', keys.member, { outcomes });
    expect([status, body.accepted]).toEqual([202, 1_000]);
    const rebuilt = await service.call('POST', `/operator/v1/organisations/${id}/rebuild`, service.operatorKey);
    expect(rebuilt.status).toBe(200);
    expect(half()).toEqual([]);
  });

  it('stay a status, an erasure and the night’s cron over 10,000 organisations', async () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => newId('org', Date.now() - at * SECOND_MS));
    await service.database.query(
      `insert into organisation (id, account_id, name, verification_quota, screening_allowance, enrichment_budget_micros, rate_per_minute, created_at, version)
       select id, 'acct_1', 'One', 1, 1, 0, 1, $2::bigint, 1 from unnest(string_to_array($1, ' ')) as id`,
      [ids.join(' '), String(Date.now() - 2 * DAY_MS)],
    );
    // A page of it: each object is a database of its own.
    const status = await service.call('GET', '/operator/v1/status', service.operatorKey);
    expect([status.body.totals.organisations, typeof status.body.cursor]).toEqual([1_000, 'string']);
    const forgotten = await service.call('POST', '/operator/v1/forget', service.operatorKey, {
      email: 'eve@business.test',
    });
    expect(forgotten.status).toBe(200);
    await service.runNight(service.objects.keys().next().value);
    expect(half()).toEqual([]);
  });

  it('is what the table of the most used says', () => {
    expect(Object.keys(table()).sort()).toEqual(Object.keys(LIMITS).sort());
    process.stdout.write(`${JSON.stringify(table())}\n`);
  });
});
