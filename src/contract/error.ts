import * as z from 'zod';

/** The closed list of public error codes. */
export const ErrorCode = z
  .enum([
    'invalid_request',
    'unauthorized',
    'quota_exceeded',
    'screening_quota_exceeded',
    'forbidden',
    'not_found',
    'method_not_allowed',
    'request_in_progress',
    'version_conflict',
    'no_email_column',
    'rate_limited',
    'internal_error',
    'dependency_unavailable',
    'all_providers_failed',
  ])
  .describe('What went wrong, for programs: a closed list.');
export type ErrorCode = z.infer<typeof ErrorCode>;

/** Every non-2xx body. */
export const ErrorEnvelope = z.object({
  error: z
    .object({
      code: ErrorCode,
      message: z.string().describe('For people. Branch on `code`.'),
      trace_id: z.string().describe('Quote it to support; also in the `x-trace-id` header.'),
    })
    .describe('What went wrong.'),
});
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;
