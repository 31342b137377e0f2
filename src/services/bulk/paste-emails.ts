import { ROUTES } from '../../contract/routes.ts';
import { pasteFile } from '../../domain/bulk/csv/identity.ts';
import { verb } from '../verb.ts';
import { requireUploading } from './job-steps.ts';
import { storeUpload } from './store-upload.ts';

/** Takes addresses in place of a file, and makes a file of one column of them. */
export const pasteEmails = verb({
  route: ROUTES.pasteBulkEmails,
  run: async (context, { params, body: { emails } }) => {
    const record = await requireUploading(context, params.id);
    const pasted = { ...record, wishes: { hasHeader: true, emailColumn: 0 } };
    return storeUpload(context, pasted, true, async (key) => {
      await context.deps.blobs.put(key, pasteFile(emails));
      return 'stored';
    });
  },
});
