import { FAKES, type FakeService, type FakeWebhook } from '../../scripts/mail-fakes/services.ts';
import type { MailService } from '../../src/domain/feedback/outcomes.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { eventAt } from '../../test/support/mail-services.ts';
import type { World } from './world.ts';

/** The connection's own webhook, and one of the same service with another customer’s proof. */
interface Sender {
  readonly kind: MailService;
  readonly own: FakeService;
  readonly stranger: FakeService;
}

/** Requests of a mail service, and their outcome. */
interface Incoming {
  readonly what: string;
  readonly webhooks: (sender: Sender) => readonly FakeWebhook[];
  readonly statuses: readonly number[];
  /** How many reports are stored. */
  readonly kept: number;
}

const JSON_ONLY = { 'content-type': 'application/json' };
const signed = ({ kind }: Sender, by: FakeService, eventMs = Date.now()): FakeWebhook =>
  by.sign(eventAt(kind, 'hard bounce', eventMs), Date.now());
const withBody = ({ headers }: FakeWebhook, body: string): FakeWebhook => ({ headers, body });
/** Some have their proof in headers, some in the body. */
function withoutProof({ body }: FakeWebhook): FakeWebhook {
  const { signature: _, Signature: __, ...rest } = JSON.parse(body) as Record<string, unknown>;
  return { headers: JSON_ONLY, body: Array.isArray(JSON.parse(body)) ? body : JSON.stringify(rest) };
}
const times = (count: number, webhook: FakeWebhook): FakeWebhook[] => Array.from({ length: count }, () => webhook);

export const INCOMING: readonly Incoming[] = [
  { what: 'an event', webhooks: (from) => [signed(from, from.own)], statuses: [200], kept: 1 },
  {
    what: 'garbage',
    webhooks: (from) => [withBody(signed(from, from.own), '<html>')],
    statuses: [400, 401],
    kept: 0,
  },
  {
    what: 'half of an event',
    webhooks: (from) => {
      const whole = signed(from, from.own);
      return [withBody(whole, whole.body.slice(0, whole.body.length / 2))];
    },
    statuses: [400, 401],
    kept: 0,
  },
  {
    what: 'an event and a megabyte',
    webhooks: (from) => {
      const whole = signed(from, from.own);
      return [withBody(whole, whole.body + ' '.repeat(2 ** 20))];
    },
    statuses: [413],
    kept: 0,
  },
  {
    what: 'an event without a proof',
    webhooks: (from) => [withoutProof(signed(from, from.own))],
    statuses: [401],
    kept: 0,
  },
  {
    what: 'another customer’s event',
    webhooks: (from) => [signed(from, from.stranger)],
    // The certificate of a topic that is not the connection’s is not there to be fetched.
    statuses: [401, 503],
    kept: 0,
  },
  {
    what: 'one event, 16 times at once',
    webhooks: (from) => times(16, signed(from, from.own)),
    statuses: [200],
    kept: 1,
  },
  {
    what: 'one event, proved anew each time',
    webhooks: (from) => {
      const at = Date.now();
      return [signed(from, from.own, at), signed(from, from.own, at), signed(from, from.own, at)];
    },
    statuses: [200],
    kept: 1,
  },
  {
    what: 'an event of three days ago',
    webhooks: (from) => [signed(from, from.own, Date.now() - 3 * DAY_MS)],
    statuses: [200],
    kept: 1,
  },
];

/** Sends it to a connection of its own, in an isolate of its own: one asks Amazon for a few certificates a minute. */
export async function sendIncoming(world: World, kind: MailService, { webhooks }: Incoming) {
  const { service, amazon } = world;
  const scope = world.scope();
  const { id, keys } = await service.createOrganisation();
  const [own, stranger] = [FAKES[kind](Date.now()), FAKES[kind](Date.now())];
  amazon.show(own);
  const { connection } = (await service.call('POST', '/v1/connections', keys.admin, { kind, secret: own.secret })).body;
  const answers = await Promise.all(
    webhooks({ kind, own, stranger }).map(({ headers, body }) =>
      world.within(scope, () =>
        service.request(`/integrations/${kind}/${connection.id}`, { method: 'POST', headers, body }),
      ),
    ),
  );
  const { rows } = await service.database.query('select count(*)::text from mail_report where organisation_id = $1', [
    id,
  ]);
  return { statuses: [...new Set(answers.map(({ status }) => status))], kept: Number(rows[0]?.[0]) };
}
