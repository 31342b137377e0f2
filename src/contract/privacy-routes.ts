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
} as const satisfies Record<string, RouteDeclaration>;
