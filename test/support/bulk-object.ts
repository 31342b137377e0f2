import { expect } from 'vitest';
import type { JobMove, JobRecord } from '../../src/domain/bulk/job-record.ts';
import { NO_COUNTS } from '../../src/domain/bulk/chunks.ts';
import { type Id, newId } from '../../src/kernel/ids.ts';
import { created, file } from '../unit/bulk/jobs.ts';
import { createBucket } from './bucket.ts';
import { createTestOrganisation } from './organisation.ts';
import { traceRecord } from './records.ts';

/** An organisation's object with an inspectable queue and bucket. */
export async function createBulk(quota: number) {
  const wakes: string[] = [];
  const files = createBucket();
  const queue = {
    sendBatch: async (batch: { body: { jobId: string } }[]) => void wakes.push(...batch.map(({ body }) => body.jobId)),
  };
  const organisation = await createTestOrganisation(
    { verificationQuota: quota },
    { BULK_QUEUE: queue, BULK_FILES: files.bucket },
  );
  const { key, ...bulk } = {
    key: organisation.keys.member,
    find: (id: Id<'bj'>) => organisation.object.findJob({ id }),
    list: () => organisation.object.listJobs({ mode: 'live', state: null, limit: 100, before: null }),
    move: (id: Id<'bj'>, move: JobMove, operationId = newId('rq', Date.now())) =>
      organisation.object.moveJob({ operationId, id, move }),
    claim: (id: Id<'bj'>, lease: string) => organisation.object.claimChunk({ id, lease }),
    results: (id: Id<'bj'>) => organisation.object.listResults({ id }),
  };
  async function create(
    change: Partial<JobRecord['owner']> = {},
    wishes: JobRecord['wishes'] = { hasHeader: null, emailColumn: null },
  ): Promise<Id<'bj'>> {
    const job = created(Date.now());
    const owner = { ...key, operator: false, ...change };
    const record: JobRecord = {
      job,
      owner,
      wishes,
      upload: null,
      sample: null,
      policyVersion: null,
      organisation: { id: organisation.settings.id, accountId: organisation.settings.accountId, name: 'Acme' },
    };
    await organisation.object.createJob({ record });
    return job.id;
  }
  const upload = { attempt: 'rq_1', reading: 'rq_1' };
  async function ready(unique: number): Promise<Id<'bj'>> {
    const id = await create();
    expect(await bulk.move(id, { kind: 'read', upload, file: file(unique) })).toMatchObject({ ok: true });
    return id;
  }
  const finish = (id: Id<'bj'>, chunk: number, lease: string, valid: number, errors = 0, spendMicros = 0) =>
    organisation.object.finishChunk({
      id,
      chunk,
      lease,
      spendMicros,
      enrichment: [],
      providers: [],
      providerMicros: 0,
      observations: [],
      outcome: { ...NO_COUNTS, counts: { valid }, errors },
      traces: [['vr_1', JSON.stringify(traceRecord())]],
    });
  return { organisation, wakes, files, create, ready, upload, finish, ...bulk };
}
