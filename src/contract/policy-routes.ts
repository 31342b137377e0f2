import { bodyOf } from './common.ts';
import { Experiments, InsightsQuery } from './insights.ts';
import * as losses from './losses.ts';
import * as policy from './policy.ts';
import { admin, member, type RouteDeclaration, viewer } from './route.ts';

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

/** `/v1/policies`, and `/v1/losses`, which recommendations follow from. Not metered. */
export const POLICY_ROUTES = {
  policies: {
    ...viewer('get', '/v1/policies'),
    summary: 'The account’s policies in their newest versions.',
    query: policy.PolicyListQuery,
    response: { status: 200, schema: policy.PolicyList },
  },
  policy: {
    ...viewer('get', '/v1/policies/:slug'),
    summary: 'One policy, in its newest version or an older one.',
    versioned: true,
    params: policy.PolicyParams,
    query: policy.PolicyQuery,
    response: { status: 200, schema: policy.PolicyResponse },
  },
  putPolicy: {
    ...admin('put', '/v1/policies/:slug'),
    summary: 'Saves a policy’s newest version; the first one makes the policy.',
    versioned: true,
    params: policy.PolicyParams,
    body: bodyOf(policy.PutPolicyRequest, 'document', DRAFT),
    response: { status: 200, schema: policy.PolicyResponse },
  },
  losses: {
    ...viewer('get', '/v1/losses'),
    summary: 'What each mistake costs you, by purpose: recommendations, and which providers are asked, follow from it.',
    versioned: true,
    refuses: [404],
    query: losses.LossesQuery,
    response: { status: 200, schema: losses.LossesResponse },
  },
  putLosses: {
    ...admin('put', '/v1/losses'),
    summary: 'Saves the newest version of your losses, in force for the next request.',
    versioned: true,
    body: bodyOf(losses.PutLossesRequest, 'address', {
      outbound: { bounce: 1, contact_lost: 0.5, held_good: 0.05, held_bad: 0.05 },
    }),
    response: { status: 200, schema: losses.LossesResponse },
  },
  simulateLosses: {
    ...member('post', '/v1/losses/simulate'),
    summary: 'What other losses would have recommended for the stored traces.',
    rate: 'analysis',
    body: bodyOf(losses.SimulateLossesRequest, 'address', {
      losses: { outbound: { bounce: 1, contact_lost: 0.5, held_good: 0.05, held_bad: 0.05 } },
      window_days: 30,
    }),
    response: { status: 200, schema: losses.LossSimulation },
  },
  experiments: {
    ...viewer('get', '/v1/policies/:slug/experiments'),
    summary: 'The results of a policy’s experiments, by arm.',
    params: policy.PolicyParams,
    query: InsightsQuery,
    response: { status: 200, schema: Experiments },
  },
  simulatePolicy: {
    ...member('post', '/v1/policies/:slug/simulate'),
    summary: 'What a draft would decide about the stored traces.',
    rate: 'analysis',
    params: policy.PolicyParams,
    body: bodyOf(policy.SimulateRequest, 'document', { policy: DRAFT, window_days: 30 }),
    response: { status: 200, schema: policy.Simulation },
  },
} as const satisfies Record<string, RouteDeclaration>;
