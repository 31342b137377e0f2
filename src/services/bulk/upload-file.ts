import { ROUTES } from '../../contract/routes.ts';
import { UPLOAD_BYTES_MAX } from '../../domain/bulk/job-record.ts';
import { putStream } from '../../storage/r2.ts';
import { verb } from '../verb.ts';
import { requireUploading } from './job-steps.ts';
import { storeUpload } from './store-upload.ts';

/** Streams a job's file. The request is authorised before the first byte is read. */
export const uploadFile = verb({
  route: ROUTES.uploadBulkFile,
  run: async (context, { params, upload: { stream, isLengthKnown } }) => {
    const record = await requireUploading(context, params.id);
    return storeUpload(context, record, false, (key) =>
      putStream(context.deps.blobs, key, stream, isLengthKnown, UPLOAD_BYTES_MAX),
    );
  },
});
