import { POLICIES_MAX } from '../../src/domain/policy/document.ts';
import { RULES_MAX } from '../../src/domain/rules/rules.ts';
import { type Boundary, BY_COUNTRY, isSuccess, PLACES, post, REQUESTS, someone, usageOf } from './boundary.ts';
import { stageFile, untilEnded } from './files.ts';
import { CLIENTS } from './world.ts';

export const LIMITS: readonly Boundary[] = [
  {
    what: 'quota: verifications',
    boundary: `${PLACES} a month`,
    requests: REQUESTS,
    authorized: PLACES,
    refused: ['402 quota_exceeded'],
    async stage(world) {
      const org = await world.organisation({ verification_quota: PLACES, provider_budget_usd: 0 });
      return {
        send: (at) => post('verify', org.member, { email: someone('quota', at) }),
        async after() {
          const { calls, quota } = await usageOf(world, org);
          return { charged: [calls.verify, PLACES], used: [quota.used, PLACES], left: [quota.remaining, 0] };
        },
      };
    },
  },
  {
    what: 'quota: verifications and decisions by turns',
    boundary: `${PLACES} a month`,
    requests: REQUESTS,
    authorized: PLACES,
    refused: ['402 quota_exceeded'],
    async stage(world) {
      const org = await world.organisation({ verification_quota: PLACES, provider_budget_usd: 0 });
      return {
        send: (at) => post(at % 2 === 0 ? 'verify' : 'decide', org.member, { email: someone('both', at) }),
        async after() {
          const { calls, quota } = await usageOf(world, org);
          return { charged: [calls.verify + calls.decide, PLACES], used: [quota.used, PLACES] };
        },
      };
    },
  },
  {
    what: 'quota: four files beside verifications',
    boundary: `${PLACES} a month, files of 50 addresses`,
    requests: REQUESTS,
    // How many of the places the files take depends on who comes first; the sum does not.
    authorized: Number.NaN,
    refused: ['402 quota_exceeded'],
    async stage(world) {
      const org = await world.organisation({ verification_quota: PLACES, provider_budget_usd: 0 });
      const files = await Promise.all(
        [0, 1, 2, 3].map((file) =>
          stageFile(
            world,
            org,
            Array.from({ length: 50 }, (_, at) => someone(`file${file}`, at)),
          ),
        ),
      );
      return {
        send: (at) => post('verify', org.member, { email: someone('beside', at) }),
        beside: () =>
          Promise.all(files.map((id) => world.ask(post(`bulk/jobs/${id}/start`, org.member, { allow_partial: true })))),
        async after(answers) {
          await untilEnded(world, org, files);
          const { calls, quota } = await usageOf(world, org);
          const taken = answers.filter(isSuccess).length;
          return {
            'verifications charged': [calls.verify, taken],
            charged: [calls.verify + calls.bulk, PLACES],
            used: [quota.used, PLACES],
          };
        },
      };
    },
  },
  {
    what: 'allowance: screenings',
    boundary: `${PLACES} a month`,
    requests: REQUESTS,
    authorized: PLACES,
    refused: ['402 screening_quota_exceeded'],
    async stage(world) {
      const org = await world.organisation({ screening_allowance: PLACES });
      return {
        send: (at) => post('screen', org.member, { email: `screened${at}@business.test`, name: 'Ada Lovelace' }),
        async after() {
          const { calls, screening } = await usageOf(world, org);
          return { charged: [calls.screen, PLACES], used: [screening.used, PLACES] };
        },
      };
    },
  },
  ...(
    [
      ['verifications and decisions by turns', 'verify', 'decide'],
      ['checks', 'check'],
      ['screenings', 'screen'],
    ] as const
  ).map(([what, ...routes]): Boundary => ({
    what: `rate: ${what}`,
    boundary: `${PLACES} a minute, whatever else is asked`,
    requests: REQUESTS,
    authorized: PLACES,
    refused: ['429 rate_limited'],
    isOfOneMinute: true,
    async stage(world) {
      const org = await world.organisation({ rate_per_minute: PLACES, provider_budget_usd: 0 });
      return {
        send: (at: number) => post(routes[at % routes.length] ?? '', org.member, { email: someone('rate', at) }),
        async after() {
          const { calls } = await usageOf(world, org);
          return { counted: [routes.reduce((sum, route) => sum + calls[route], 0), PLACES] };
        },
      };
    },
  })),
  {
    what: 'rate: all other requests',
    boundary: `${PLACES} a minute`,
    requests: REQUESTS,
    authorized: PLACES,
    refused: ['429 rate_limited'],
    isOfOneMinute: true,
    async stage(world) {
      const org = await world.organisation({ rate_per_minute: PLACES });
      return { send: () => ({ method: 'GET', path: '/v1/me', key: org.member }), after: async () => ({}) };
    },
  },
  {
    what: 'rules',
    boundary: '10,000 domains, 200 a request',
    requests: CLIENTS,
    authorized: RULES_MAX / 200,
    refused: ['400 invalid_request'],
    async stage(world) {
      const org = await world.organisation();
      return {
        send: (at) =>
          post('domains/blocklist', org.member, {
            domains: Array.from({ length: 200 }, (_, each) => `rule${at}-${each}.example`),
          }),
        async after(answers) {
          const added = answers.filter(isSuccess).reduce((sum, { body }) => sum + Number(body.added), 0);
          return { entered: [added, RULES_MAX] };
        },
      };
    },
  },
  {
    what: 'policies',
    boundary: `${POLICIES_MAX}, the first one there from the start`,
    requests: 2 * CLIENTS,
    authorized: POLICIES_MAX - 1,
    refused: ['400 invalid_request'],
    async stage(world) {
      const org = await world.organisation();
      await world.must({ method: 'PUT', path: '/v1/policies/default', key: org.admin, body: BY_COUNTRY });
      return {
        send: (at) => ({ method: 'PUT', path: `/v1/policies/policy-${at}`, key: org.admin, body: BY_COUNTRY }),
        async after() {
          const { policies } = await world.must({ method: 'GET', path: '/v1/policies?limit=200', key: org.admin });
          return { listed: [policies.length, POLICIES_MAX] };
        },
      };
    },
  },
];
