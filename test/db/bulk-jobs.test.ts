import { afterAll, describe, expect, it } from 'vitest';
import type { ProjectedJob } from '../../src/domain/bulk/job-record.ts';
import { newId } from '../../src/kernel/ids.ts';
import { deleteRowsOf } from '../../src/storage/postgres/erasure.ts';
import { listProjectedJobs, upsertJobs } from '../../src/storage/postgres/projected-records.ts';
import { openTestDatabase } from '../support/database.ts';
import { keyRecord, START_MS } from '../support/records.ts';
import { created } from '../unit/bulk/jobs.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

/** A job of a new organisation, at each of these versions. */
function newJob(): (version: number) => ProjectedJob {
  const organisationId = newId('org', START_MS);
  const record = {
    job: created(START_MS),
    owner: { ...keyRecord() },
    upload: null,
    sample: null,
    policyVersion: null,
    organisation: { id: organisationId, accountId: newId('acct', START_MS), name: 'Acme' },
    wishes: { hasHeader: null, emailColumn: null },
  };
  return (version) => ({
    organisationId,
    version,
    record: { ...record, job: { ...record.job, name: `version ${version}` } },
  });
}

describe('a job’s projection', () => {
  it.each([
    ['in order', [1, 2, 3]],
    ['out of order', [3, 1, 2]],
    ['twice', [3, 3]],
  ])('is its newest version when they come %s, together or one by one', async (_, versions) => {
    const [together, single] = [newJob(), newJob()];
    await upsertJobs(db, versions.map(together));
    for (const version of versions) await upsertJobs(db, [single(version)]);
    for (const at of [together, single]) {
      const { organisationId, ...newest } = at(3);
      expect(await listProjectedJobs(db, organisationId)).toEqual([newest]);
    }
  });

  it('goes with its organisation, and with no other', async () => {
    const [mine, other] = [newJob()(1), newJob()(1)];
    await upsertJobs(db, [mine, other]);
    await deleteRowsOf(db, mine.organisationId);
    expect(await listProjectedJobs(db, mine.organisationId)).toEqual([]);
    expect(await listProjectedJobs(db, other.organisationId)).toHaveLength(1);
  });
});
