import { BODY_LIMIT } from './common.ts';
import { Experiments, InsightsQuery } from './insights.ts';
import * as policy from './policy.ts';
import type { RouteDeclaration } from './route.ts';

const READ = { access: 'viewer', method: 'get', meter: null, rate: 'read' } as const;

const DRAFT = {
  name: 'Signup',
  rules: [
    {
      id: 'free',
      description: 'A business address, please.',
      when: { path: 'verification.email_type', op: 'eq', value: 'free' },
      decision: 'deny',
    },
  ],
  default: 'allow',
};

/** `/v1/policies`. Not metered. */
export const POLICY_ROUTES = {
  policies: {
    ...READ,
    path: '/v1/policies',
    summary: 'The account’s policies in their newest versions.',
    query: policy.PolicyListQuery,
    response: { status: 200, schema: policy.PolicyList },
  },
  policy: {
    ...READ,
    path: '/v1/policies/:slug',
    summary: 'One policy, in its newest version or an older one.',
    versioned: true,
    params: policy.PolicyParams,
    query: policy.PolicyQuery,
    response: { status: 200, schema: policy.PolicyResponse },
  },
  putPolicy: {
    method: 'put',
    path: '/v1/policies/:slug',
    summary: 'Saves a policy’s newest version; the first one makes the policy.',
    access: 'admin',
    live: true,
    meter: null,
    rate: 'read',
    versioned: true,
    params: policy.PolicyParams,
    body: { schema: policy.PutPolicyRequest, limitBytes: BODY_LIMIT.document, example: DRAFT },
    response: { status: 200, schema: policy.PolicyResponse },
  },
  experiments: {
    ...READ,
    path: '/v1/policies/:slug/experiments',
    summary: 'What each arm of a policy’s experiments went on to do.',
    params: policy.PolicyParams,
    query: InsightsQuery,
    response: { status: 200, schema: Experiments },
  },
  simulatePolicy: {
    method: 'post',
    path: '/v1/policies/:slug/simulate',
    summary: 'What a draft would decide of the stored traces.',
    access: 'member',
    meter: null,
    rate: 'read',
    params: policy.PolicyParams,
    body: {
      schema: policy.SimulateRequest,
      limitBytes: BODY_LIMIT.document,
      example: { policy: DRAFT, window_days: 30 },
    },
    response: { status: 200, schema: policy.Simulation },
  },
} as const satisfies Record<string, RouteDeclaration>;
