import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RETENTION_MS } from '../../../src/domain/bulk/job.ts';
import { createBulk } from '../../support/bulk-object.ts';
import { START_MS } from '../../support/records.ts';
import { file } from '../bulk/jobs.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
});

type Bulk = Awaited<ReturnType<typeof createBulk>>;
const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

describe('what a file says of itself', () => {
  const NAMED = { hasHeader: null, emailColumn: 'Jane Q. Doe' };
  const title = 'Doe, Jane';
  /** The object's tables, with the outbox: Postgres is out of reach. */
  const heldOf = (bulk: Bulk) => JSON.stringify(bulk.organisation.dump());
  const titled = { ...file(10), columns: [title, 'email'] };

  it('and the name of its column are kept only as long as they are needed', async () => {
    const bulk = await createBulk(50);
    const id = await bulk.create({}, NAMED);
    expect((await bulk.find(id))?.wishes).toEqual(NAMED);
    await bulk.move(id, { kind: 'read', upload: bulk.upload, file: titled });
    expect((await bulk.find(id))?.wishes).toEqual({ hasHeader: null, emailColumn: '' });
    expect((await bulk.find(id))?.job.file?.columns).toEqual([title, 'email']);
    await bulk.move(id, { kind: 'remove' });
    expect(heldOf(bulk)).not.toMatch(/Jane/);
    expect((await bulk.find(id))?.job.file).toMatchObject({ columns: [], rows: titled.rows });
  });

  it.each([
    ['its 7 days are over', RETENTION_MS, 'expired'],
    ['it is deleted', 0, 'cancelled'],
  ])('goes when %s, though no file came', async (_, ms, state) => {
    const bulk = await createBulk(50);
    const id = await bulk.create({}, NAMED);
    pass(ms);
    await (ms === 0 ? bulk.move(id, { kind: 'remove' }) : bulk.organisation.object.tick());
    expect((await bulk.find(id))?.job.state).toBe(state);
    expect(heldOf(bulk)).not.toMatch(/Jane/);
  });

  it('goes where a file could not be read', async () => {
    const bulk = await createBulk(50);
    const id = await bulk.create({}, NAMED);
    await bulk.move(id, { kind: 'unreadable', error: 'no_rows' });
    expect((await bulk.find(id))?.wishes.emailColumn).toBe('');
  });

  it('goes when the object is rebuilt without its files, in Postgres too', async () => {
    const [bulk, other] = [await createBulk(50), await createBulk(50)];
    const id = await bulk.create();
    await bulk.move(id, { kind: 'read', upload: bulk.upload, file: titled });
    const record = await bulk.find(id);
    if (record === null) throw new Error('no job');
    await other.organisation.object.restoreJobs({ jobs: [{ version: 3, record }] });
    expect(heldOf(other)).not.toMatch(/Jane/);
    const projected = (other.organisation.dump().outbox ?? []) as { kind: string; record: string }[];
    const newest = projected.filter(({ kind }) => kind === 'bulk_job').map((row) => JSON.parse(row.record));
    expect(newest).toMatchObject([{ version: 4, record: { job: { id, file: { columns: [] } } } }]);
  });
});
