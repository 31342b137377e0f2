import { fakeEvent } from '../../scripts/mail-fakes/events.ts';
import { FAKES } from '../../scripts/mail-fakes/services.ts';
import type { Usage } from '../../src/contract/account.ts';
import { MAIL_SERVICES, type MailService } from '../../src/domain/feedback/outcomes.ts';
import { invoice, stripeEvent, stripeSignature } from '../../test/support/stripe.ts';
import { type Boundary, isSuccess, post, REQUESTS, someone, usageOf } from './boundary.ts';
import { type Answer, CLIENTS } from './world.ts';

const distinct = (answers: readonly Answer[]): number => new Set(answers.map(({ text }) => text)).size;

/** Every route that takes an `Idempotency-Key`, with the trace of a single effect. */
const KEPT: Readonly<Record<string, { body: (at: number) => object; charged: (usage: Usage) => number }>> = {
  verify: { body: (at) => ({ email: someone('raced', at) }), charged: ({ calls }) => calls.verify },
  screen: { body: (at) => ({ email: someone('raced', at), name: 'Ada' }), charged: ({ calls }) => calls.screen },
  decide: { body: (at) => ({ email: someone('raced', at) }), charged: ({ calls }) => calls.decide },
};
const IN_PROGRESS = '409 request_in_progress';

export const IDEMPOTENCY: readonly Boundary[] = [
  ...Object.entries(KEPT).flatMap(([route, { body, charged }]): Boundary[] => [
    {
      what: `one \`Idempotency-Key\`, one body: ${route}`,
      boundary: 'one effect, one answer',
      requests: REQUESTS,
      // A repeat while the first is unanswered is refused with that reason.
      authorized: Number.NaN,
      refused: [IN_PROGRESS],
      async stage(world) {
        const org = await world.organisation();
        const send = () => post(route, org.member, body(0), { 'idempotency-key': 'one' });
        return {
          send,
          async after(answers) {
            const again = await world.ask(send());
            const all = [...answers.filter(isSuccess), again];
            const { traces } = await world.must({ method: 'GET', path: '/v1/traces?limit=50', key: org.admin });
            return {
              charged: [charged(await usageOf(world, org)), 1],
              'different answers': [distinct(all), 1],
              ...(route === 'screen' ? {} : { traces: [traces.length, 1] }),
              'refused without `Retry-After`': [
                answers.filter(({ status, retryAfter }) => status === 409 && retryAfter !== '1').length,
                0,
              ],
            };
          },
        };
      },
    },
    {
      what: `one \`Idempotency-Key\`, a body of each request: ${route}`,
      boundary: 'one effect',
      requests: CLIENTS,
      authorized: 1,
      refused: [IN_PROGRESS, '409 invalid_request'],
      async stage(world) {
        const org = await world.organisation();
        return {
          send: (at) => post(route, org.member, body(at), { 'idempotency-key': 'one' }),
          after: async () => ({ charged: [charged(await usageOf(world, org)), 1] }),
        };
      },
    },
  ]),
  {
    what: 'one `Idempotency-Key`, one body: outcome',
    boundary: 'one effect, one answer',
    requests: REQUESTS,
    authorized: Number.NaN,
    refused: [IN_PROGRESS],
    async stage(world) {
      const org = await world.organisation();
      const { trace_id } = await world.must(post('verify', org.member, { email: someone('reported', 0) }));
      const send = () =>
        post('outcome', org.member, { trace_id, outcome: 'hard_bounce' }, { 'idempotency-key': 'one' });
      return {
        send,
        async after(answers) {
          const again = await world.ask(send());
          const { trace } = await world.must({ method: 'GET', path: `/v1/traces/${trace_id}`, key: org.admin });
          return {
            'different answers': [distinct([...answers.filter(isSuccess), again]), 1],
            outcome: [trace.outcome?.outcome ?? trace.outcome, 'hard_bounce'],
          };
        },
      };
    },
  },
  {
    what: 'one import of 100 rows, sent by all',
    boundary: 'a row counts once',
    requests: CLIENTS,
    authorized: CLIENTS,
    refused: [],
    async stage(world) {
      const org = await world.organisation();
      const at = Math.floor(Date.now() / 1_000) - 86_400;
      const outcomes = Array.from({ length: 100 }, (_, row) => ({
        email: `imported${row}@business.test`,
        outcome: 'delivered',
        at,
      }));
      return {
        send: () => post('outcomes/import', org.member, { outcomes }),
        async after(answers) {
          const sum = (name: string) => answers.reduce((all, { body }) => all + Number(body?.[name]), 0);
          return { accepted: [sum('accepted'), 100], duplicates: [sum('duplicates'), 100 * (CLIENTS - 1)] };
        },
      };
    },
  },
];

/** One webhook event, sent by all clients, and sent again by all once it was accepted. */
function redelivered(kind: MailService): Boundary {
  return {
    what: `one event of ${kind}, delivered by all and again`,
    boundary: 'one outcome',
    requests: 2 * CLIENTS,
    authorized: 2 * CLIENTS,
    refused: [],
    async stage(world) {
      const org = await world.organisation();
      const email = `${kind}@business.test`;
      const { trace_id } = await world.must(post('verify', org.member, { email }));
      const fake = FAKES[kind](Date.now());
      world.amazon.show(fake);
      const { connection } = await world.must(post('connections', org.admin, { kind, secret: fake.secret }));
      const { headers, body } = fake.sign(fakeEvent(kind, 'hard_bounce', email, Date.now()), Date.now());
      return {
        send: () => ({ method: 'POST', path: `/integrations/${kind}/${connection.id}`, body, headers }),
        async after() {
          const { connections } = await world.must({ method: 'GET', path: '/v1/connections', key: org.admin });
          const { trace } = await world.must({ method: 'GET', path: `/v1/traces/${trace_id}`, key: org.admin });
          return {
            'events listed': [JSON.stringify(connections[0]?.events), '{"hard_bounce":1}'],
            outcome: [trace.outcome?.outcome ?? trace.outcome, 'hard_bounce'],
          };
        },
      };
    },
  };
}

const STRIPE_SECRET = 'whsec_0123456789abcdef';
export const CONNECTIONS: readonly Boundary[] = [
  ...MAIL_SERVICES.map(redelivered),
  {
    what: 'one event of stripe, delivered by all and again',
    boundary: 'one event',
    requests: 2 * CLIENTS,
    authorized: 2 * CLIENTS,
    refused: [],
    async stage(world) {
      const org = await world.organisation();
      const made = await world.must(post('connections', org.admin, { kind: 'stripe', secret: STRIPE_SECRET }));
      const body = JSON.stringify(stripeEvent('invoice.paid', invoice()));
      const path = `/integrations/stripe/${made.connection.id}`;
      const headers = { 'stripe-signature': stripeSignature(body, [STRIPE_SECRET]) };
      return {
        send: () => ({ method: 'POST', path, body, headers }),
        async after() {
          const { connections } = await world.must({ method: 'GET', path: '/v1/connections', key: org.admin });
          return { 'events listed': [JSON.stringify(connections[0]?.events), '{"subscribed":1}'] };
        },
      };
    },
  },
];
