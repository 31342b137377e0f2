import { ROUTES } from '../../contract/routes.ts';
import { newJob } from '../../domain/bulk/job.ts';
import { jobPrefix, UPLOAD_BYTES_MAX, uploadKey } from '../../domain/bulk/job-record.ts';
import { newId } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import { putStream } from '../../storage/r2.ts';
import { verb } from '../verb.ts';
import { requireJob } from './job-steps.ts';
import { GONE, refusalOf } from './refusals.ts';
import { storeUpload } from './store-upload.ts';

/** A new job from the file of one that has ended, read the same way. Evidence that was paid for is used again. */
export const againJob = verb({
  route: ROUTES.checkBulkJobAgain,
  run: async (context, { params }) => {
    const { deps, organisationId, authorized } = context;
    const before = await requireJob(context, params.id);
    const { job, upload } = before;
    if (job.filesDeletedAt !== null) throw GONE;
    if (upload === null || job.file === null || job.finishedAt === null) throw refusalOf('state', before);
    const source = await deps.blobs.get(uploadKey(jobPrefix(organisationId, job.id), upload.attempt));
    if (source === null) throw GONE;
    const { name, purpose, policySlug, file } = job;
    const now = deps.now();
    const created = await askObject(deps.objects, organisationId).createJob({
      record: {
        job: newJob({ id: newId('bj', now), name, purpose, policySlug }, now),
        owner: authorized.key,
        organisation: authorized.organisation,
        wishes: { hasHeader: file.reading.hasHeader, emailColumn: file.reading.emailColumn },
        upload: null,
        sample: null,
        policyVersion: null,
      },
    });
    return storeUpload(context, created, upload.isPasted === true, (key) =>
      putStream(deps.blobs, key, source.body, true, UPLOAD_BYTES_MAX),
    );
  },
});
