import { ROUTES } from '../../contract/routes.ts';
import { USUAL_PURPOSE } from '../../contract/vocabulary.ts';
import { newJob } from '../../domain/bulk/job.ts';
import { newId } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import { verb } from '../verb.ts';
import { jobAnswer } from './job-steps.ts';

/** Creates a job, which then waits for its file. */
export const createJob = verb({
  route: ROUTES.createBulkJob,
  // Refuses the request where the account has no policy of this name.
  lookup: ({ body: { policy_slug } }) => (policy_slug === undefined ? {} : { policySlug: policy_slug }),
  run: async ({ deps, organisationId, authorized }, { body: wishes }) => {
    const job = newJob(
      {
        id: newId('bj', deps.now()),
        name: wishes.name ?? null,
        purpose: wishes.purpose ?? USUAL_PURPOSE.file,
        policySlug: wishes.policy_slug ?? null,
      },
      deps.now(),
    );
    const record = {
      job,
      owner: authorized.key,
      organisation: authorized.organisation,
      wishes: { hasHeader: wishes.has_header ?? null, emailColumn: wishes.email_column ?? null },
      upload: null,
      sample: null,
      policyVersion: null,
    };
    return jobAnswer(await askObject(deps.objects, organisationId).createJob({ record }));
  },
});
