import { describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { bulkCalls } from '../support/bulk-calls.ts';
import { startService } from '../support/service.ts';

const service = await startService();

const open = async () => bulkCalls(service, await service.createOrganisation());
const people = Array.from({ length: 6 }, (_, i) => `person${i}@gmail.com`);
const FILE = [
  'Name,Work e-mail',
  '"Doe, Jane",jane@gmial.com',
  'Nobody,',
  ...people.map((email) => `One,${email}`),
  `Again,${people[0]}`,
  'None,ada@nxdomain.test',
].join('\n');

describe('a bulk job’s breakdown', () => {
  it('is null until the first addresses are checked; then it says what they are', async () => {
    const jobs = await open();
    const id = await jobs.ready(FILE);
    expect((await jobs.job(id)).breakdown).toBeNull();
    await jobs.start(id);
    await jobs.run();
    const { breakdown, counts } = await jobs.job(id);
    expect(breakdown).toMatchObject({
      verdict: counts,
      reason: { no_mx: 1 },
      email_type: { free: 6 },
      domains: [{ domain: 'gmail.com', addresses: 6 }],
      slips: 1,
      unresolved: expect.any(Number),
      duplicates: 1,
    });
    const total = (tally: object = {}): number => Object.values(tally).reduce((sum: number, count) => sum + count, 0);
    for (const tally of [breakdown?.recommendation, breakdown?.host_family, breakdown?.email_type])
      expect(total(tally)).toBe(8);
  });

  it('names no domain any more once the files are gone', async () => {
    const jobs = await open();
    const id = await jobs.ready(FILE);
    await jobs.start(id);
    await jobs.run();
    await jobs.call('DELETE', `/${id}`);
    const { breakdown } = await jobs.job(id);
    expect(breakdown).toMatchObject({ domains: [], duplicates: 1 });
  });
});

describe('a bulk job’s preview', () => {
  const preview = async (jobs: Awaited<ReturnType<typeof open>>, id: string, query = '') =>
    jobs.call('GET', `/${id}/preview${query}`);

  it('has the first rows as they stand in the file, then with what is known of each', async () => {
    const jobs = await open();
    const id = await jobs.ready(FILE);
    const before = (await preview(jobs, id, '?limit=3')).body;
    expect(before).toEqual({
      columns: ['Name', 'Work e-mail'],
      rows: [
        { cells: ['Doe, Jane', 'jane@gmial.com'], result: null },
        { cells: ['Nobody', ''], result: expect.objectContaining({ status: 'skipped', verdict: null }) },
        { cells: ['One', people[0]], result: null },
      ],
    });
    await jobs.start(id);
    await jobs.run();
    const { rows } = (await preview(jobs, id, '?limit=50')).body;
    expect(rows).toHaveLength(10);
    expect(rows.map(({ result }: { result: { status: string } }) => result.status)).toEqual([
      'ok',
      'skipped',
      ...Array.from({ length: 8 }, () => 'ok'),
    ]);
    expect(rows[2].result.trace_id).toBe(rows[8].result.trace_id);
    expect(rows[9].result).toMatchObject({ reason: 'no_mx', recommendation: 'drop', decision: null, basis: 'rule' });
    expect(rows[0].result).toMatchObject({
      rule_id: null,
      did_you_mean: 'jane@gmail.com',
      basis: 'local',
      warning: null,
    });
    expect(rows[2].result.did_you_mean).toBeNull();
  });

  it.each([
    ['of a file without a header', 'ada@gmail.com\nbob@gmail.com\n', null, [['ada@gmail.com'], ['bob@gmail.com']]],
    [
      'in Windows-1252',
      Buffer.from('Na\xefve;E-mail\r\nJos\xe9;ada@gmail.com\r\n', 'latin1'),
      ['Naïve', 'E-mail'],
      [['José', 'ada@gmail.com']],
    ],
    [
      'in UTF-16',
      Buffer.from('\ufeffName\tE-mail\nZoë\tada@gmail.com\n', 'utf16le'),
      ['Name', 'E-mail'],
      [['Zoë', 'ada@gmail.com']],
    ],
    ['in which no column has addresses', 'a,b\n1,2\n', ['a', 'b'], [['1', '2']]],
  ])('reads one %s', async (_, file, columns, cells) => {
    const jobs = await open();
    const id = await jobs.create();
    await jobs.upload(id, file as never);
    const { body } = await preview(jobs, id);
    expect(body.columns).toEqual(columns);
    expect(body.rows.map((row: { cells: string[] }) => row.cells)).toEqual(cells);
  });

  it('ends with the first 64 KB, and is refused before a file, with a wrong limit and once the files are gone', async () => {
    const jobs = await open();
    const id = await jobs.create();
    expect((await preview(jobs, id)).status).toBe(409);
    const long = Array.from({ length: 5 }, (_, i) => `${'x'.repeat(30_000)},long${i}@gmail.com`).join('\n');
    await jobs.upload(id, long);
    expect((await preview(jobs, id)).body.rows).toHaveLength(2);
    for (const limit of ['0', '51', 'x']) expect((await preview(jobs, id, `?limit=${limit}`)).status).toBe(400);
    vi.useFakeTimers({ now: Date.now() + 8 * DAY_MS, toFake: ['Date'] });
    expect((await preview(jobs, id)).status).toBe(410);
  });
});
