import { BODY_LIMIT } from './common.ts';
import * as privacy from './privacy.ts';
import type { RouteDeclaration } from './route.ts';

const OWN = { access: 'admin', live: true, meter: null, rate: 'read' } as const;

/** What an account owes the people whose addresses it has. */
export const PRIVACY_ROUTES = {
  exportAddress: {
    ...OWN,
    method: 'post',
    path: '/v1/addresses/export',
    summary: 'All that is held about an address in the account.',
    body: {
      schema: privacy.ExportAddress,
      limitBytes: BODY_LIMIT.address,
      example: { email: 'ada@example.com' },
    },
    response: { status: 200, schema: privacy.AddressExport },
  },
  forgetAddress: {
    ...OWN,
    method: 'post',
    path: '/v1/addresses/forget',
    summary: 'Erases all that is held about an address in the account, with a receipt.',
    body: {
      schema: privacy.ForgetAddress,
      limitBytes: BODY_LIMIT.address,
      example: { email: 'ada@example.com' },
    },
    response: { status: 202, schema: privacy.ErasureReceipt },
  },
  subprocessors: {
    access: 'viewer',
    meter: null,
    rate: 'read',
    method: 'get',
    path: '/v1/subprocessors',
    summary: 'Which companies get what, and which of them the account has switched off.',
    response: { status: 200, schema: privacy.Subprocessors },
  },
  switchSubprocessor: {
    ...OWN,
    method: 'patch',
    path: '/v1/subprocessors/:id',
    summary:
      'Switches a vendor, an enrichment or the model off for the account, or on again, from the next request on.',
    params: privacy.SubprocessorParams,
    refuses: [409],
    body: { schema: privacy.SwitchSubprocessor, limitBytes: BODY_LIMIT.address, example: { enabled: false } },
    response: { status: 200, schema: privacy.SubprocessorResponse },
  },
  retention: {
    access: 'viewer',
    meter: null,
    rate: 'read',
    method: 'get',
    path: '/v1/retention',
    summary: 'How many days the account’s records are kept.',
    response: { status: 200, schema: privacy.RetentionResponse },
  },
  putRetention: {
    ...OWN,
    method: 'put',
    path: '/v1/retention',
    summary: 'Keeps records for fewer days, 30 at least; null: as long as the service does. What is left out stays.',
    body: { schema: privacy.PutRetention, limitBytes: BODY_LIMIT.address, example: { traces: 90, events: null } },
    response: { status: 200, schema: privacy.RetentionResponse },
  },
} as const satisfies Record<string, RouteDeclaration>;
