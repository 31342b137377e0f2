import { Health } from './account.ts';
import { bodyOf } from './common.ts';
import type { RouteDeclaration } from './route.ts';
import { CheckRequest, CheckResult, Verification, VerifyRequest } from './verification.ts';

/** The routes that an isolate serves before it has loaded the others: those that a signup form waits for. */
export const FIRST_ROUTES = {
  health: {
    method: 'get',
    path: '/health',
    summary: 'Whether the Worker is up.',
    access: 'public',
    meter: null,
    rate: 'read',
    response: { status: 200, schema: Health },
  },
  verify: {
    method: 'post',
    path: '/v1/verify',
    summary: 'A calibrated bounce probability for one address.',
    access: 'member',
    meter: 'verify',
    rate: 'verify',
    idempotent: true,
    body: bodyOf(VerifyRequest, 'address', { email: 'deliverable@example.com', context: { purpose: 'signup' } }),
    response: { status: 200, schema: Verification },
  },
  check: {
    method: 'post',
    path: '/v1/check',
    summary: 'Syntax, mail hosts, disposable lists and the account’s own rules, for free.',
    access: 'viewer',
    meter: 'check',
    rate: 'check',
    body: bodyOf(CheckRequest, 'address', { email: 'deliverable@example.com' }),
    response: { status: 200, schema: CheckResult },
  },
} as const satisfies Record<string, RouteDeclaration>;
