import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { jobPrefix } from '../../src/domain/bulk/job-record.ts';
import { SOURCE_DOMAINS_MAX } from '../../src/domain/lists/review-list.ts';
import { runCron } from '../../src/entrypoints/cron/scheduled.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { type Id, newId } from '../../src/kernel/ids.ts';
import { openBackground, openDeps } from '../../src/runtime/wiring.ts';
import { acceptNamed } from '../../src/services/disposable-lists.ts';
import { startService } from '../support/service.ts';

/** Answers of the disposable-domain sources by path: a list, or a status and a body. */
const pages = new Map<string, string | { status: number; body: string }>();
const server = createServer((request, response) => {
  const page = pages.get(new URL(request.url ?? '/', 'http://localhost').pathname);
  if (page === undefined) return void request.socket.destroy();
  response.statusCode = typeof page === 'string' ? 200 : page.status;
  response.end(typeof page === 'string' ? page : page.body);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => void server.close());
const url = (path: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

const service = await startService({ DISPOSABLE_SOURCE_URLS: `${url('/one?password=x')}, ${url('/two')}` });
// Hundreds of statements in sequence would take minutes with the simulated distance to Postgres.
service.faults.delayMs = 0;
const mine = await service.createOrganisation();

const status = async () => (await service.call('GET', '/operator/v1/status', service.operatorKey)).body;
const report = async (step: string) =>
  (await status()).cron.find((each: { step: string }) => each.step === step)?.report;

vi.useFakeTimers({ toFake: ['Date'] });

/** A domain's tier, after the two minutes in which every isolate picks up new lists. */
async function tierOf(domain: string): Promise<string> {
  vi.setSystemTime(Date.now() + 2 * MINUTE_MS);
  const ask = () => service.call('POST', '/v1/domains/check', mine.keys.viewer, { domain });
  await ask();
  await service.settle();
  return (await ask()).body.status;
}

const thrown = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => `thrown-${from + i}.com`);
const say = (one: readonly string[], two: readonly string[]) => {
  pages.set('/one', one.join('\n'));
  pages.set('/two', JSON.stringify(two));
};

describe('the disposable lists', () => {
  it('block a domain that two sources have come to list, suspect what one does, without a deploy', async () => {
    expect(await tierOf('thrown-1.com')).toBe('none');
    say(thrown(50), thrown(50, 25));
    await service.runNight(mine.id);
    expect(await tierOf('thrown-1.com')).toBe('suspected');
    expect(await tierOf('thrown-30.com')).toBe('disposable');
    const { body } = await service.call('POST', '/v1/verify', mine.keys.member, { email: 'a@mail.thrown-30.com' });
    expect(body).toMatchObject({ reasons: expect.arrayContaining(['disposable_domain']), recommendation: 'drop' });
    expect(await report('disposable_lists')).toMatchObject({ block: 25, signal: 50 });
    expect(JSON.stringify(await report('disposable_lists'))).not.toContain('password');
  });

  it.each<{ what: string; page: string | { status: number; body: string } | null; refused: string }>([
    { what: 'a large mailbox provider', page: [...thrown(50), 'outlook.com'].join('\n'), refused: 'large_provider' },
    {
      what: 'legitimate domains',
      page: [...thrown(50), 'gmx.ch', 'duck.com'].join('\n'),
      refused: 'legitimate_domains',
    },
    { what: 'half of its domains lost', page: thrown(24).join('\n'), refused: 'lost_too_many' },
    { what: 'thousands of domains more', page: thrown(3_000).join('\n'), refused: 'gained_too_many' },
    { what: 'more than there can be', page: thrown(SOURCE_DOMAINS_MAX + 1).join('\n'), refused: 'too_many' },
    { what: 'a page in place of a list', page: '<html><body>Gone</body></html>', refused: 'malformed' },
    { what: 'JSON that breaks off', page: '["thrown-1.com", "thr', refused: 'malformed' },
    { what: 'nothing', page: '', refused: 'empty' },
    { what: 'more bytes than are read', page: 'x'.repeat(9 * 2 ** 20), refused: 'too_large' },
    { what: 'an error', page: { status: 503, body: thrown(60).join('\n') }, refused: 'status_503' },
    { what: 'a way elsewhere', page: { status: 302, body: '' }, refused: 'status_302' },
    { what: 'no answer', page: null, refused: 'unreachable' },
  ])('stay as they are when a source has $what, and the report says so', async ({ page, refused }) => {
    const before = await report('disposable_lists');
    if (page === null) pages.delete('/one');
    else pages.set('/one', page);
    await service.runNight(mine.id);
    const after = await report('disposable_lists');
    expect(after.sources[0]).toMatchObject({ url: url('/one'), refused });
    expect({ version: after.version, block: after.block }).toEqual({ version: before.version, block: before.block });
    expect(await tierOf('thrown-30.com')).toBe('disposable');
    expect(await tierOf('outlook.com')).toBe('none');
    say(thrown(50), thrown(50, 25));
  });

  it('follow a domain that both sources have given up', async () => {
    say(thrown(50), thrown(49, 26));
    await service.runNight(mine.id);
    expect(await tierOf('thrown-25.com')).toBe('suspected');
    say(thrown(50), thrown(50, 25));
    await service.runNight(mine.id);
    expect(await tierOf('thrown-25.com')).toBe('disposable');
  });
});

describe('a source that shrinks', () => {
  const accept = async (source: string) =>
    service.call('POST', '/operator/v1/lists/accept', service.operatorKey, { source });
  const night = async (count: number) => {
    vi.setSystemTime(Date.now() + DAY_MS);
    say(thrown(count), thrown(50, 25));
    await service.runNight(mine.id);
    return (await report('disposable_lists')).sources[0];
  };

  it('does not halve again every night, and `status` says what was refused and why', async () => {
    expect(await night(50)).not.toHaveProperty('refused');
    expect(await night(30)).toMatchObject({ lost: 20 });
    expect(await night(18)).toMatchObject({ refused: 'lost_too_many', domains: 18, lost: 12, gained: 0, most: 50 });
    expect(await tierOf('thrown-29.com')).toBe('disposable');
  });

  it('is taken when a person accepts it, which counts from then on', async () => {
    expect(await accept(url('/none'))).toMatchObject({ status: 404 });
    const { status: code, body } = await accept(url('/one'));
    expect(code).toBe(200);
    expect(body).toMatchObject({ accepted: true, lists: { sources: [{ url: url('/one'), domains: 18 }, {}] } });
    expect(await report('disposable_lists')).toEqual(body.lists);
    expect(JSON.stringify(body)).not.toContain('password');
    expect(await tierOf('thrown-29.com')).toBe('suspected');
    expect(await night(10)).toMatchObject({ lost: 8 });
  });

  it('is refused for what it holds, even when an operator accepts it', async () => {
    pages.set('/one', [...thrown(50), 'outlook.com'].join('\n'));
    const { body } = await accept(url('/one'));
    expect(body).toMatchObject({ accepted: false, lists: { sources: [{ refused: 'large_provider' }, {}] } });
    expect(await tierOf('outlook.com')).toBe('none');
  });

  it('must be named by its `source` when it looks like another', async () => {
    const alike = { ...service.env, DISPOSABLE_SOURCE_URLS: `${url('/one?list=1')},${url('/one?list=2')}` };
    pages.set('/one', thrown(50).join('\n'));
    const { disposableLists, db, now } = openDeps(alike as never, () => undefined);
    const acceptSource = (source: string) => acceptNamed({ ...disposableLists, db }, source, now);
    await expect(acceptSource(url('/one'))).rejects.toMatchObject({ code: 'conflict' });
    const { lists: read } = await acceptSource(url('/one?list=2'));
    const { sources } = read as { sources: { url: string; source: string }[] };
    expect(sources.map((each) => each.url)).toEqual([url('/one'), url('/one')]);
    expect(new Set(sources.map(({ source }) => source)).size).toBe(2);
    const second = sources[1]?.source ?? '';
    expect(await acceptSource(second)).toMatchObject({ accepted: true });
  });
});

describe('the nightly run', () => {
  it('says of every step what it did', async () => {
    vi.setSystemTime(Date.now() + MINUTE_MS);
    await service.runNight();
    expect(await report('nightly')).toEqual({ organisations: expect.any(Number) });
    expect(await report('partitions')).toMatchObject({ dropped: [], busy: [] });
    expect(await report('old_rows')).toEqual({
      outcomes: 0,
      reports: 0,
      references: 0,
      mailReports: 0,
      webhookTokens: 0,
      auditLines: 0,
      calibrations: 0,
      steps: 0,
    });
    const { organisations } = await report('nightly');
    expect(await report('bulk_files')).toEqual({ deleted: 0, unreached: 0 });
    expect(await report('nightly calibration')).toEqual({ organisations, failed: 0 });
  });

  it('run again over the same data finds the same', async () => {
    const all = async () =>
      (await service.database.query('select organisation_id, report from calibration order by 1', [])).rows;
    await service.runNight();
    const [before, reports] = [await all(), await report('disposable_lists')];
    vi.setSystemTime(Date.now() + MINUTE_MS);
    await service.runNight();
    expect(await all()).toEqual(before);
    expect((await report('disposable_lists')).version).toBe(reports.version);
  });

  it('a failure of one organisation stops no other, and its message comes again', async () => {
    const [broken, whole] = [await service.createOrganisation(), await service.createOrganisation()];
    service.breakObject(broken.id);
    vi.setSystemTime(Date.now() + MINUTE_MS);
    expect(await service.runNight()).toEqual([broken.id]);
    expect(await report('nightly calibration')).toMatchObject({ failed: 1 });
    expect((await service.call('GET', '/v1/calibration', whole.keys.viewer)).body.computed_at).not.toBeNull();
    await service.call('DELETE', `/operator/v1/organisations/${whole.id}`, service.operatorKey);
  });

  it('a failure of one step stops no other, and the run tells of it', async () => {
    const { list } = service.env.BULK_FILES;
    service.env.BULK_FILES.list = () => Promise.reject(new Error('R2 is away'));
    await expect(service.runNight(mine.id)).rejects.toThrow('bulk_files');
    service.env.BULK_FILES.list = list;
    expect(await report('bulk_files')).toEqual({ failed: 'DependencyError', tries: 2 });
    expect(await report('old_rows')).toMatchObject({ calibrations: expect.any(Number) });
    expect(await report('disposable_lists')).toMatchObject({ block: expect.any(Number) });
    await service.runNight(mine.id);
    expect(await report('bulk_files')).toMatchObject({ deleted: 0 });
  });

  it('a step that fails once is tried again without a second call of the cron', async () => {
    const { list } = service.env.BULK_FILES;
    let tries = 0;
    service.env.BULK_FILES.list = async (...asked) => {
      tries += 1;
      if (tries === 1) throw new Error('R2 is away');
      return list(...asked);
    };
    await service.runNight(mine.id);
    service.env.BULK_FILES.list = list;
    expect(tries).toBeGreaterThan(1);
    expect(await report('bulk_files')).toMatchObject({ deleted: 0 });
  });

  it('lists that could not be put in force come again with their message, and are made once a night', async () => {
    const { put } = service.env.FACTS;
    service.env.FACTS.put = async (key: string, value: string | Uint8Array) => {
      if (key.startsWith('lists:')) throw new Error('KV is away');
      return put(key, value);
    };
    vi.setSystemTime(Date.now() + MINUTE_MS);
    expect(await service.runNight(mine.id)).toEqual(['disposable_lists']);
    service.env.FACTS.put = put;
    expect(await report('disposable_lists')).toEqual({ failed: 'DependencyError', tries: 1 });
    vi.setSystemTime(Date.now() + MINUTE_MS);
    expect(await service.runNight(mine.id)).toEqual([]);
    const made = await report('disposable_lists');
    expect(made).toMatchObject({ block: expect.any(Number) });
    const message = {
      v: 1,
      organisationId: newId('org', 0),
      kind: 'step',
      step: 'disposable_lists',
      runAt: 0,
      since: 0,
    };
    service.nights.push(message, { ...message, step: 'of_a_later_release' });
    pages.delete('/one');
    expect(await service.deliverSteps()).toEqual([]);
    expect(await report('disposable_lists')).toEqual(made);
    say(thrown(50), thrown(50, 25));
  });

  it('mail hosts are judged once the lists of the night are in force, and by the cron alone where only they are left', async () => {
    const lastRun = async (step: string) =>
      Number((await service.database.query('select started_at from cron_step where step = $1', [step])).rows[0]?.[0]);
    const cron = (expression: string) =>
      runCron(
        expression,
        openBackground(service.env as never, () => undefined),
      );
    vi.setSystemTime(Date.now() + MINUTE_MS);
    const runAt = Date.now();
    await cron('17 3 * * *');
    expect(await lastRun('bulk_files')).toBe(runAt);
    expect(await lastRun('suspected_back_ends')).toBeLessThan(runAt);
    const { put } = service.env.FACTS;
    service.env.FACTS.put = async (key: string, value: string | Uint8Array) => {
      if (key.startsWith('lists:')) throw new Error('KV is away');
      return put(key, value);
    };
    const again = (service.nights as { step?: string }[]).filter(({ step }) => step !== undefined);
    expect(await service.deliverSteps()).toEqual(['disposable_lists']);
    expect(await lastRun('suspected_back_ends')).toBeLessThan(runAt);
    service.env.FACTS.put = put;
    service.nights.push(...again);
    vi.setSystemTime(Date.now() + MINUTE_MS);
    expect(await service.deliverSteps()).toEqual([]);
    expect(await report('disposable_lists')).toMatchObject({ block: expect.any(Number) });
    expect(await lastRun('suspected_back_ends')).toBe(Date.now());
    await service.database.query(`update cron_step set started_at = 0 where step = 'suspected_back_ends'`, []);
    await cron('*/5 * * * *');
    expect(await lastRun('suspected_back_ends')).toBe(Date.now());
    await service.deliverNights(mine.id);
  });

  it('lists are made once, though their message comes again while they are being made', async () => {
    vi.setSystemTime(Date.now() + MINUTE_MS);
    const { put } = service.env.FACTS;
    const [hasBegun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let made = 0;
    service.env.FACTS.put = async (key: string, value: string | Uint8Array) => {
      if (key.startsWith('lists:')) {
        made += key.endsWith(':current') ? 1 : 0;
        hasBegun.resolve();
        await mayEnd.promise;
      }
      return put(key, value);
    };
    const night = service.runNight(mine.id);
    await hasBegun.promise;
    const [startedAt, organisationId] = [Date.now(), newId('org', 0)];
    const wire = { v: 1, kind: 'step', organisationId, step: 'disposable_lists' };
    service.nights.push({ ...wire, runAt: startedAt, since: startedAt });
    expect(await service.deliverSteps()).toEqual([]);
    mayEnd.resolve();
    await night;
    service.env.FACTS.put = put;
    expect(made).toBe(1);
    expect(await report('disposable_lists')).toMatchObject({ block: expect.any(Number) });
  });

  it('deletes files that a job’s timer has missed, and no others', async () => {
    const organisation = mine.id as Id<'org'>;
    const prefixOf = (ageDays: number) => jobPrefix(organisation, newId('bj', Date.now() - ageDays * DAY_MS));
    const [old, young] = [prefixOf(9), prefixOf(6)];
    for (const prefix of [old, young])
      for (const file of ['uploads/1', 'results/0-1']) await service.files.bucket.put(`${prefix}${file}`, 'x');
    vi.setSystemTime(Date.now() + MINUTE_MS);
    await service.runNight(mine.id);
    expect(service.files.keys(old)).toEqual([]);
    expect(service.files.keys(young)).toHaveLength(2);
  });

  it('continues with the rest when its message comes again', async () => {
    await service.call('POST', '/v1/verify', mine.keys.member, { email: 'new@business.test' });
    vi.setSystemTime(Date.now() + MINUTE_MS);
    let at = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      at += HOUR_MS;
      return at;
    });
    expect(await service.runNight(mine.id)).toEqual([mine.id]);
    clock.mockRestore();
    vi.setSystemTime(Date.now() + MINUTE_MS);
    expect(await service.runNight(mine.id)).toEqual([]);
  });

  it('covers what the object received before it, however often it has to be asked to flush that', async () => {
    const organisation = await service.createOrganisation();
    const { member, viewer } = organisation.keys;
    const { trace_id } = (await service.call('POST', '/v1/verify', member, { email: 'ada@business.test' })).body;
    const reported = await service.call('POST', '/v1/outcome', member, { trace_id, outcome: 'delivered' });
    expect(reported.status).toBe(202);
    const { object } = service.objectOf(organisation.id);
    const flush = object.flush.bind(object);
    const outcomes = async (): Promise<number> => (await service.call('GET', '/v1/calibration', viewer)).body.outcomes;
    let late = Number.POSITIVE_INFINITY;
    object.flush = async (traceId) => ((late -= 1) < 0 ? flush(traceId) : { drained: false, held: null });
    expect(await service.runNight(organisation.id)).toEqual([organisation.id]);
    late = 3;
    expect(await service.runNight(organisation.id)).toEqual([]);
    expect(await outcomes()).toBe(1);
  });

  it('waits for an object that does not say what it has written out: a step that is done looks for nothing older', async () => {
    const organisation = await service.createOrganisation();
    const { member, viewer } = organisation.keys;
    const { trace_id } = (await service.call('POST', '/v1/verify', member, { email: 'ada@business.test' })).body;
    await service.call('POST', '/v1/outcome', member, { trace_id, outcome: 'delivered' });
    const { object } = service.objectOf(organisation.id);
    const { tick, flush } = object;
    const outcomes = async (): Promise<number> => (await service.call('GET', '/v1/calibration', viewer)).body.outcomes;
    object.tick = () => Promise.reject(new Error('out of reach'));
    object.flush = () => Promise.reject(new Error('out of reach'));
    expect(await service.runNight(organisation.id)).toEqual([organisation.id]);
    expect(await report('nightly rollups')).toMatchObject({ failed: 1 });
    Object.assign(object, { tick, flush });
    expect(await service.runNight(organisation.id)).toEqual([]);
    expect(await outcomes()).toBe(1);
  });

  it('a page of messages that the queue does not take keeps no other from its night', async () => {
    const ids = Array.from({ length: 101 }, (_, place) => newId('org', place));
    const [oldest = ''] = ids;
    const limits = 'verification_quota, screening_allowance, enrichment_budget_micros, rate_per_minute';
    for (const id of ids)
      await service.database.query(
        `insert into organisation (id, account_id, name, ${limits}, created_at, version) values ($1, $1, 'x', 0, 0, 0, 1, 0, 1)`,
        [id],
      );
    const queue = service.env.NIGHTLY_QUEUE;
    const { sendBatch } = queue;
    const taken: unknown[] = [];
    queue.sendBatch = async (batch) => {
      // Newest first: an early page.
      if (JSON.stringify(batch).includes(mine.id)) throw new Error('the queue is away');
      taken.push(...batch);
    };
    vi.setSystemTime(Date.now() + MINUTE_MS);
    await expect(service.runNight(mine.id)).rejects.toThrow('nightly');
    queue.sendBatch = sendBatch;
    expect(JSON.stringify(taken)).toContain(oldest);
    await service.database.query(`delete from organisation where name = 'x'`, []);
  });
});
