import { ROUTES } from '../../contract/routes.ts';
import { attachment } from '../../domain/bulk/present.ts';
import { segmentsOf } from '../../domain/bulk/results/segments.ts';
import { verb } from '../verb.ts';
import { ALL, openSegment } from './open-segment.ts';
import { resultStream } from './results.ts';

const downloadableOf = (hasPolicy: boolean): readonly string[] => [ALL, ...Object.keys(segmentsOf(hasPolicy))];

/** Streams the customer's file with the results beside each row. */
export const downloadResults = verb({
  route: ROUTES.bulkResults,
  run: async (context, { params, query: { segment: name } }) => {
    const { job, stored, includes, prefix, results } = await openSegment(context, params.id, name, downloadableOf);
    return {
      stream: await resultStream(context.deps.blobs, prefix, stored, job, results, includes),
      disposition: attachment(job.name, name),
      charset: job.file?.charset ?? null,
    };
  },
});
