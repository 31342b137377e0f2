import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RETENTION_MS } from '../../src/domain/bulk/job.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { bulkCalls } from '../support/bulk-calls.ts';
import { startService } from '../support/service.ts';
import { findInStores } from '../support/stores.ts';

const service = await startService();
const account = async () => bulkCalls(service, await service.createOrganisation());

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

/** A first row that looks like a header: once the caller says that it is one, once a name is all that it has. */
const FILES = {
  'called a header': ['Quentin Query;quentin.query@people.business.test;Querytown', { has_header: true }],
  'like a header': ['Quentin Query;quentin query;Querytown', {}],
} as const;
const CELLS = ['quentin', 'querytown', 'persephone', 'people.business.test'];
const ROW = 'Persephone;persephone@people.business.test;Querytown';

describe.each(Object.entries(FILES))('of a file whose first row is %s', (_kind, [first, wishes]) => {
  type Account = Awaited<ReturnType<typeof account>>;
  const ENDS: readonly (readonly [string, (jobs: Account, id: string) => Promise<unknown>])[] = [
    ['it is deleted while it is ready', (jobs, id) => jobs.call('DELETE', `/${id}`)],
    [
      'it is deleted when it is done',
      async (jobs, id) => {
        await jobs.start(id);
        await jobs.run();
        expect((await jobs.job(id)).state).toBe('done');
        await jobs.call('DELETE', `/${id}`);
      },
    ],
    ['its 7 days are over', async () => pass(RETENTION_MS)],
  ];

  it.each(ENDS)('no cell is left in any store once %s', async (_, end) => {
    const jobs = await account();
    const id = await jobs.create({ ...wishes, email_column: 'Quentin Query' });
    await jobs.upload(id, `${first}\n${ROW}\n`);
    await jobs.call('PATCH', `/${id}`, { email_column: 1 });
    expect((await jobs.job(id)).columns?.[0]).toBe('Quentin Query');
    expect(await findInStores(service, CELLS)).not.toEqual([]);
    await end(jobs, id);
    await jobs.run();
    // The record of a trace stands in the outbox until it is written; its domain is the trace's own.
    pass(2 * MINUTE_MS);
    await jobs.run();
    expect(await jobs.job(id)).toMatchObject({ columns: null, rows: 1 });
    const left = await findInStores(service, CELLS);
    expect(left.filter((place) => !/^(postgres trace|kv ).*people\.business\.test$/.test(place))).toEqual([]);
  });
});

describe('the name of a column', () => {
  it.each(['quentin.query@people.business.test', 'mail of quentin\uff20people.business.test', 'quentin%40corp.test'])(
    'that holds an address is refused: %s',
    async (email_column) => {
      const jobs = await account();
      const id = await jobs.ready('name;email\nAda;ada@business.test\n');
      const error = { code: 'invalid_request', message: '`email_column` must not contain an e-mail address.' };
      expect(await jobs.call('POST', '', { email_column })).toMatchObject({ status: 400, body: { error } });
      expect(await jobs.call('PATCH', `/${id}`, { email_column })).toMatchObject({ status: 400, body: { error } });
      expect(await findInStores(service, ['quentin'])).toEqual([]);
    },
  );

  it('is deleted once the file is read, or could not be', async () => {
    const jobs = await account();
    const [read, unread] = [
      await jobs.create({ email_column: 'Persephone' }),
      await jobs.create({ email_column: 'Persephone' }),
    ];
    await jobs.upload(read, 'name;email\nAda;ada@business.test\n');
    await jobs.upload(unread, '');
    await jobs.run();
    pass(MINUTE_MS);
    await jobs.run();
    expect(await findInStores(service, ['persephone'])).toEqual([]);
  });
});
