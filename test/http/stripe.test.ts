import { beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { listAddresses } from '../../src/organisation/sql/history.ts';
import { startService } from '../support/service.ts';
import {
  CHARGE,
  CUSTOMER,
  charge,
  dispute,
  invoice,
  item,
  stripeEvent,
  stripeSignature,
  subscription,
} from '../support/stripe.ts';

const service = await startService({ PUBLIC_URL: 'https://verify.example' });
const SECRET = 'whsec_first_secret';
const operator = (method: string, path: string, body?: object) =>
  service.call(method, `/operator/v1/organisations/${path}`, service.operatorKey, body);

async function connect() {
  const organisation = await service.createOrganisation();
  const { body } = await operator('POST', `${organisation.id}/connections`, { kind: 'stripe', webhook_secret: SECRET });
  return { organisation, connection: body.connection as { id: string; kind: string; url: string } };
}
let sent = 0;
/** A webhook with an id of its own. */
const webhook = (type: string, object: object, change: object = {}) =>
  JSON.stringify(stripeEvent(type, object, { id: `evt_${(sent += 1)}`, ...change }));
const send = (id: string, body: string, signature: string | null = stripeSignature(body, [SECRET])) =>
  service.call(
    'POST',
    `/integrations/stripe/${id}`,
    null,
    body,
    signature === null ? {} : { 'stripe-signature': signature },
  );
async function rowsOf(table: string, organisation: string): Promise<Record<string, unknown>[]> {
  const query = `select row_to_json(t)::text from ${table} as t where organisation_id = $1`;
  return (await service.database.query(query, [organisation])).rows.map(([row]) => JSON.parse(row ?? ''));
}
const eventsOf = async (organisation: string) =>
  (await rowsOf('event', organisation)).map(({ event, address_hash, mode }) => ({
    event,
    known: address_hash !== null,
    mode,
  }));

describe('connections', () => {
  it('are made, listed, and removed with what they know; the secret is never shown', async () => {
    const { organisation, connection } = await connect();
    expect(connection).toEqual({
      id: expect.stringMatching(/^con_/),
      kind: 'stripe',
      created_at: expect.any(Number),
      url: `https://verify.example/integrations/stripe/${connection.id}`,
    });
    const silent = { last_received_at: null, live_events: 0, test_events: 0 };
    expect((await operator('GET', `${organisation.id}/connections`)).body).toEqual({
      connections: [{ ...connection, ...silent }],
    });
    expect(JSON.stringify(await rowsOf('processor_connection', organisation.id))).not.toContain('first_secret');
    await send(connection.id, webhook('invoice.paid', invoice()));
    expect(await rowsOf('processor_reference', organisation.id)).toHaveLength(1);
    const other = await service.createOrganisation();
    expect((await operator('DELETE', `${other.id}/connections/${connection.id}`)).status).toBe(404);
    expect((await operator('DELETE', `${organisation.id}/connections/${connection.id}`)).body).toEqual({ done: true });
    expect((await operator('GET', `${organisation.id}/connections`)).body).toEqual({ connections: [] });
    expect(await rowsOf('processor_reference', organisation.id)).toEqual([]);
    expect((await send(connection.id, webhook('invoice.paid', invoice()))).status).toBe(404);
    expect(await eventsOf(organisation.id)).toHaveLength(1);
  });

  it('show that webhooks arrive: when one last said something, and the events of the last 30 days', async () => {
    const { organisation, connection } = await connect();
    const other = (await operator('POST', `${organisation.id}/connections`, { kind: 'stripe', webhook_secret: SECRET }))
      .body.connection;
    const listed = async () => {
      const { connections } = (await operator('GET', `${organisation.id}/connections`)).body;
      return connections.find(({ id }: { id: string }) => id === connection.id);
    };
    await send(connection.id, webhook('x', {}));
    expect(await listed()).toMatchObject({ last_received_at: null, live_events: 0 });
    await send(
      connection.id,
      webhook('customer.created', { object: 'customer', id: CUSTOMER, email: 'a@business.test' }),
    );
    const learnt = await listed();
    expect(learnt).toMatchObject({ last_received_at: expect.any(Number), live_events: 0, test_events: 0 });
    expect(Math.abs(Date.now() / 1_000 - learnt.last_received_at)).toBeLessThan(600);
    const longAgo = Math.floor(Date.now() / 1_000) - 31 * 86_400;
    await send(connection.id, webhook('invoice.paid', invoice()));
    await send(connection.id, webhook('invoice.paid', invoice(), { livemode: false }));
    await send(connection.id, webhook('invoice.paid', invoice(), { created: longAgo }));
    await send(other.id, webhook('invoice.paid', invoice()));
    await service.call('POST', '/v1/events', organisation.keys.member, {
      trace_id: 'vr_x',
      event: 'subscribed',
      at: 1,
    });
    await service.objectOf(organisation.id).object.flush(null);
    expect(await listed()).toMatchObject({ live_events: 1, test_events: 1 });
  });

  it.each([
    ['no secret', { kind: 'stripe' }],
    ['another processor', { kind: 'paddle', webhook_secret: SECRET }],
    ['an API key in place of the secret', { kind: 'stripe', webhook_secret: 'sk_live_0123456789' }],
  ])('are refused with %s, which is not repeated', async (_, body) => {
    const { organisation } = await connect();
    const answer = await operator('POST', `${organisation.id}/connections`, body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).not.toContain('sk_live');
  });

  it('accept the previous secret beside a new one for an hour, and no older one', async () => {
    const { organisation, connection } = await connect();
    const path = `${organisation.id}/connections/${connection.id}`;
    const statuses = async () => {
      const body = webhook('x', {});
      const secrets = [SECRET, 'whsec_second_secret', 'whsec_third_secret'];
      return Promise.all(
        secrets.map(async (secret) => (await send(connection.id, body, stripeSignature(body, [secret]))).status),
      );
    };
    expect(await statuses()).toEqual([200, 400, 400]);
    await operator('PATCH', path, { webhook_secret: 'whsec_second_secret' });
    expect(await statuses()).toEqual([200, 200, 400]);
    await operator('PATCH', path, { webhook_secret: 'whsec_second_secret' });
    expect(await statuses()).toEqual([200, 200, 400]);
    await operator('PATCH', path, { webhook_secret: 'whsec_third_secret' });
    expect(await statuses()).toEqual([400, 200, 200]);
    vi.useFakeTimers({ now: Date.now() + 3_600_000 + 5_000, toFake: ['Date'] });
    expect(await statuses()).toEqual([400, 400, 200]);
  });
});

describe('a webhook', () => {
  it('becomes an event, once however often it comes, and leaves no address behind', async () => {
    const { organisation, connection } = await connect();
    const body = webhook('invoice.paid', invoice());
    for (let times = 0; times < 3; times += 1)
      expect(await send(connection.id, body)).toMatchObject({ status: 200, body: { received: true } });
    expect(await eventsOf(organisation.id)).toEqual([{ event: 'subscribed', known: true, mode: 'live' }]);
    const kept = JSON.stringify([
      await rowsOf('event', organisation.id),
      await rowsOf('processor_reference', organisation.id),
    ]);
    for (const text of ['business.test', 'Lovelace', CUSTOMER]) expect(kept).not.toContain(text);
    expect(await rowsOf('event', organisation.id)).toMatchObject([{ source: connection.id, trace_id: null }]);
  });

  it('is one event too where it comes through two connections, or one that was made again', async () => {
    const { organisation, connection } = await connect();
    const body = webhook('invoice.paid', invoice());
    await send(connection.id, body);
    const made = await operator('POST', `${organisation.id}/connections`, { kind: 'stripe', webhook_secret: SECRET });
    expect((await send(made.body.connection.id, body)).status).toBe(200);
    expect(await eventsOf(organisation.id)).toHaveLength(1);
    const elsewhere = await connect();
    await send(elsewhere.connection.id, body);
    expect(await eventsOf(elsewhere.organisation.id)).toHaveLength(1);
  });

  it('is tied to the address that was verified, in whatever case it is written', async () => {
    const { organisation, connection } = await connect();
    await service.call('POST', '/v1/verify', organisation.keys.member, { email: 'ada@business.test' });
    await send(connection.id, webhook('invoice.paid', invoice({ customer_email: 'ADA@Business.Test' })));
    await service.objectOf(organisation.id).object.flush(null);
    const [trace] = await rowsOf('trace', organisation.id);
    expect(await rowsOf('event', organisation.id)).toMatchObject([{ address_hash: trace?.address_hash }]);
  });

  const proofsOf = (organisation: string) =>
    listAddresses(service.objectOf(organisation).storage.sql, 0, null, 10).map(({ facts: { host, list, proofs } }) => ({
      host,
      list: list !== null,
      proofs,
    }));

  it.each([
    ['of an address that was verified, as it was seen there', true],
    ['of an address that nobody has verified, as it is seen now', false],
  ])('that tells of a payment proves a person in the history %s', async (_, isVerified) => {
    const { organisation, connection } = await connect();
    if (isVerified) {
      await service.call('POST', '/v1/verify', organisation.keys.member, { email: 'ada@business.test' });
      await service.objectOf(organisation.id).object.flush(null);
    }
    const body = webhook('invoice.paid', invoice());
    for (let times = 0; times < 2; times += 1) await send(connection.id, body);
    const known = [{ host: 'unknown_business', list: isVerified, proofs: [{ class: 'paid', at: expect.any(Number) }] }];
    expect(proofsOf(organisation.id)).toEqual(known);
    // A subscription names only the customer, not the address.
    const later = Math.floor(Date.now() / 1_000);
    const change = { previous: { items: { data: [item(1)] } }, created: later };
    await send(connection.id, webhook('customer.subscription.updated', subscription(), change));
    const paidAt = isVerified ? later * 1_000 : expect.any(Number);
    expect(proofsOf(organisation.id)).toMatchObject([{ proofs: [{ class: 'paid', at: paidAt }] }]);
    if (!isVerified) return;
    service.loseObject(organisation.id);
    await operator('POST', `${organisation.id}/rebuild`);
    expect(proofsOf(organisation.id)).toMatchObject([{ proofs: [{ class: 'paid', at: paidAt }] }]);
  });

  it.each([
    ['of a test account', 'invoice.paid', invoice(), { livemode: false }],
    ['that tells of no payment', 'charge.refunded', charge(), {}],
    ['of an address whose domain takes no mail', 'invoice.paid', invoice({ customer_email: 'ada@null-mx.test' }), {}],
  ])('%s proves nobody', async (_, type, object, change) => {
    const { organisation, connection } = await connect();
    await send(connection.id, webhook(type, object, change));
    expect(proofsOf(organisation.id)).toEqual([]);
  });

  it('is asked for again when the object could not learn it', async () => {
    const { organisation, connection } = await connect();
    const body = webhook('invoice.paid', invoice());
    service.objectFault.error = new Error('object');
    expect((await send(connection.id, body)).status).toBe(503);
    service.objectFault.error = null;
    expect((await send(connection.id, body)).status).toBe(200);
    expect(proofsOf(organisation.id)).toHaveLength(1);
    expect(await eventsOf(organisation.id)).toHaveLength(1);
  });

  it('without an address is tied by what earlier ones said of customer and charge', async () => {
    const { organisation, connection } = await connect();
    await send(connection.id, webhook('customer.subscription.deleted', subscription()));
    await send(connection.id, webhook('charge.succeeded', charge()));
    await send(
      connection.id,
      webhook('customer.subscription.updated', subscription(), { previous: { status: 'trialing' } }),
    );
    await send(
      connection.id,
      webhook('customer.subscription.updated', subscription(), { previous: { items: { data: [item(1)] } } }),
    );
    await send(connection.id, webhook('charge.dispute.created', dispute()));
    await send(connection.id, webhook('charge.dispute.created', dispute({ charge: `${CHARGE}x` })));
    expect(await eventsOf(organisation.id)).toEqual(
      [
        ['churned', false],
        ['subscribed', true],
        ['upgraded', true],
        ['fraud_flag', true],
        ['fraud_flag', false],
      ].map(([event, known]) => expect.objectContaining({ event, known })),
    );
  });

  it('without use, or from another age, is accepted and stores nothing', async () => {
    const { organisation, connection } = await connect();
    const { created } = stripeEvent('x', {});
    for (const body of [
      webhook('payout.paid', { object: 'payout' }),
      webhook('invoice.paid', invoice(), { created: 0 }),
      webhook('invoice.paid', invoice(), { created: created + 172_800 }),
    ])
      expect((await send(connection.id, body)).status).toBe(200);
    expect(await eventsOf(organisation.id)).toEqual([]);
    expect(await rowsOf('processor_reference', organisation.id)).toEqual([]);
  });

  it('is refused while Postgres is away, so that Stripe sends it again', async () => {
    const { organisation, connection } = await connect();
    const body = webhook('invoice.paid', invoice());
    service.faults.down = true;
    const { status } = await send(connection.id, body);
    service.faults.down = false;
    expect(status).toBe(503);
    expect((await send(connection.id, body)).status).toBe(200);
    expect(await eventsOf(organisation.id)).toHaveLength(1);
  });

  it('loses its link when the address is forgotten, and goes with the organisation', async () => {
    const { organisation, connection } = await connect();
    await send(connection.id, webhook('invoice.paid', invoice()));
    await service.call('POST', '/operator/v1/forget', service.operatorKey, { email: 'ada@business.test' });
    expect(await eventsOf(organisation.id)).toMatchObject([{ known: false }]);
    expect(await rowsOf('processor_reference', organisation.id)).toEqual([]);
    await operator('DELETE', organisation.id);
    expect((await send(connection.id, webhook('invoice.paid', invoice()))).status).toBeGreaterThanOrEqual(200);
    for (const table of ['event', 'processor_reference', 'processor_connection'])
      expect(await rowsOf(table, organisation.id)).toEqual([]);
  });
});

describe('a body that is not a webhook of ours', () => {
  const body = webhook('invoice.paid', invoice());
  const nowS = Math.floor(Date.now() / 1000);
  let mine: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    mine = await connect();
  });

  it.each<[string, number, string, string | null]>([
    ['no signature', 400, body, null],
    ['a wrong signature', 400, body, stripeSignature(body, ['whsec_other'])],
    ['another body than was signed', 400, `${body} `, stripeSignature(body, [SECRET])],
    ['an old signature, played again', 400, body, stripeSignature(body, [SECRET], nowS - 3_600)],
    ['a body that is not JSON', 400, 'x', stripeSignature('x', [SECRET])],
    ['an empty body', 400, '', stripeSignature('', [SECRET])],
    ['a body over the limit', 413, 'x'.repeat(262_145), 't=1'],
  ])('%s is %i, and nothing is kept', async (_, status, sentBody, signature) => {
    const answer = await send(mine.connection.id, sentBody, signature);
    expect(answer).toMatchObject({
      status,
      body: { error: { code: 'invalid_request', trace_id: expect.stringMatching(/^rq_/) } },
    });
    expect(await eventsOf(mine.organisation.id)).toEqual([]);
  });

  it('a connection that was made up costs no look-up', async () => {
    const query = vi.spyOn(service.database, 'transaction');
    for (let at = 0; at < 20; at += 1) {
      const { status } = await send(newId('con', at % 2 === 0 ? Date.now() : Date.UTC(2027, 1, 1)), body);
      expect(status).toBe(404);
    }
    expect(query).toHaveBeenCalledTimes(0);
    query.mockRestore();
  });

  it.each(['con_x', 'con_00000000000000000000000000', 'x'])('the connection %s is 404', async (id) => {
    expect(await send(id, body)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });
});
