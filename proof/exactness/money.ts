import { type Boundary, BY_COUNTRY, CALLS, post, someone, usageOf, usd } from './boundary.ts';
import { stageFile, untilEnded } from './files.ts';
import { type Answer, CLIENTS, ENRICHMENT_USD } from './world.ts';

const cost = (answers: readonly Answer[]): number =>
  answers.reduce((sum, { body }) => sum + Math.round(body.cost_usd * 1e6), 0) / 1e6;

export const MONEY: readonly Boundary[] = [
  {
    what: 'provider budget: verifications',
    boundary: `${CALLS} questions`,
    requests: 2 * CLIENTS,
    authorized: CALLS,
    refused: ['200, its provider not asked'],
    isAuthorized: ({ body }) => body?.cost_usd > 0,
    async stage(world) {
      const org = await world.organisation({ provider_budget_usd: usd(CALLS, world.priceUsd) });
      return {
        send: (at) => post('verify', org.member, { email: someone('budget', at) }),
        async after(answers) {
          const { provider_spend_usd: spent, budgets } = await usageOf(world, org);
          const limit = usd(CALLS, world.priceUsd);
          return {
            'questions at the provider': [world.providerCalls('budget-').length, CALLS],
            'sum of the answers’ costs': [cost(answers), limit],
            spent: [spent, limit],
            used: [budgets.providers.used_usd, limit],
          };
        },
      };
    },
  },
  {
    what: 'provider budget: a file of 100 addresses beside verifications',
    boundary: `${CALLS} questions`,
    requests: CLIENTS,
    authorized: Number.NaN,
    refused: ['200, its provider not asked'],
    isAuthorized: ({ body }) => body?.cost_usd > 0,
    async stage(world) {
      const org = await world.organisation({ provider_budget_usd: usd(CALLS, world.priceUsd) });
      const emails = Array.from({ length: 100 }, (_, at) => someone('budgetfile', at));
      const id = await stageFile(world, org, emails);
      return {
        send: (at) => post('verify', org.member, { email: someone('budgetbeside', at) }),
        beside: () => world.must(post(`bulk/jobs/${id}/start`, org.member, {})),
        async after() {
          await untilEnded(world, org, [id]);
          const { provider_spend_usd: spent } = await usageOf(world, org);
          return {
            'questions at the provider': [
              world.providerCalls('budgetfile-').length + world.providerCalls('budgetbeside-').length,
              CALLS,
            ],
            spent: [spent, usd(CALLS, world.priceUsd)],
          };
        },
      };
    },
  },
  {
    what: 'enrichment budget: decisions',
    boundary: `${CALLS} questions`,
    requests: 2 * CLIENTS,
    authorized: CALLS,
    refused: ['200, its vendor not asked'],
    isAuthorized: ({ body }) => body?.enrichment?.asked === true,
    async stage(world) {
      const limit = usd(CALLS, ENRICHMENT_USD);
      const org = await world.organisation({ enrichment_budget_usd: limit, provider_budget_usd: 0 });
      await world.must({ method: 'PUT', path: '/v1/policies/default', key: org.admin, body: BY_COUNTRY });
      const before = world.enrichmentCalls();
      return {
        send: (at) => post('decide', org.member, { email: someone('enriched', at) }),
        async after() {
          const { budgets } = await usageOf(world, org);
          return {
            'questions at the vendor': [world.enrichmentCalls() - before, CALLS],
            used: [budgets.enrichment.used_usd, limit],
          };
        },
      };
    },
  },
  ...[0, 1].map((calls): Boundary => ({
    what: `cap: \`max_cost_usd\` ${calls === 0 ? 'a millionth below the price' : 'of the price'}`,
    boundary: calls === 0 ? 'no question' : 'one question an answer',
    requests: 2 * CLIENTS,
    authorized: calls * 2 * CLIENTS,
    refused: calls === 0 ? ['200, its provider not asked'] : [],
    isAuthorized: ({ body }) => body?.cost_usd > 0,
    async stage(world) {
      const org = await world.organisation();
      const cap = usd(1, world.priceUsd) - (1 - calls) * 1e-6;
      const all = calls * 2 * CLIENTS;
      return {
        send: (at) => post('verify', org.member, { email: someone(`cap${calls}`, at), context: { max_cost_usd: cap } }),
        async after(answers) {
          const over = answers.filter(({ body }) => body.cost_usd > cap).length;
          const { provider_spend_usd: spent } = await usageOf(world, org);
          return {
            'answers over their cap': [over, 0],
            'questions at the provider': [world.providerCalls(`cap${calls}-`).length, all],
            spent: [spent, usd(all, world.priceUsd)],
          };
        },
      };
    },
  })),
];
