import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { FAKES, type FakeService, type FakeSes, type FakeWebhook, fakeSes } from '../../scripts/mail-fakes/services.ts';
import type { AddressFacts } from '../../src/domain/belief/facts.ts';
import { sourceTag } from '../../src/domain/belief/names.ts';
import { MAIL_SERVICES, type MailService } from '../../src/domain/feedback/outcomes.ts';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { startAmazon } from '../support/amazon.ts';
import { captureLog } from '../support/capture-log.ts';
import { EVENTS, eventAt } from '../support/mail-services.ts';
import { startService } from '../support/service.ts';

const amazon = await startAmazon();
afterAll(amazon.stop);

const service = await startService({
  PUBLIC_URL: 'https://verify.example',
  LOCAL_STACK: '1',
  SNS_BASE_URL: amazon.url,
});
afterEach(() => {
  service.faults.down = false;
});

type Organisation = Awaited<ReturnType<typeof service.createOrganisation>>;
const own = (organisation: Organisation, method: string, path = '', body?: object, key = organisation.keys.admin) =>
  service.call(method, `/v1/connections${path}`, key, body);

interface Connected {
  readonly organisation: Organisation;
  readonly id: string;
  readonly fake: FakeService;
  send(event: object, atMs?: number): Promise<{ status: number; body: { accepted?: number } }>;
  deliver(webhook: FakeWebhook): Promise<{ status: number; body: { accepted?: number } }>;
  listed(): Promise<{ events: Record<string, number>; refused: number; last_event_at: number | null }>;
}

async function connect(kind: MailService, organisation?: Organisation): Promise<Connected> {
  const owner = organisation ?? (await service.createOrganisation());
  const fake = FAKES[kind](Date.now());
  amazon.show(fake);
  const { status, body } = await own(owner, 'POST', '', { kind, secret: fake.secret });
  expect(status, JSON.stringify(body)).toBe(201);
  const { id } = body.connection;
  const deliver = ({ headers, body: sent }: FakeWebhook) =>
    service.call('POST', `/integrations/${kind}/${id}`, null, sent, headers);
  return {
    organisation: owner,
    id,
    fake,
    deliver,
    send: (event, atMs = Date.now()) => deliver(fake.sign(event, atMs)),
    listed: async () => {
      const { connections } = (await own(owner, 'GET')).body;
      return connections.find((each: { id: string }) => each.id === id);
    },
  };
}

const rowsOf = async (table: string, organisation: string): Promise<Record<string, unknown>[]> => {
  const query = `select row_to_json(t)::text from ${table} as t where organisation_id = $1`;
  return (await service.database.query(query, [organisation])).rows.map(([row]) => JSON.parse(row ?? ''));
};
const verify = async (organisation: Organisation, path = '/v1/verify', email = 'ada@business.test') =>
  (await service.call('POST', path, organisation.keys.member, { email })).body;
const outcomeOf = async (organisation: Organisation, traceId: string) =>
  (await service.call('GET', `/v1/traces/${traceId}`, organisation.keys.viewer)).body.trace.outcome;

describe('connections of an account', () => {
  it('are made, listed, changed and removed; a secret is never shown', async () => {
    const { organisation, id, fake } = await connect('sendgrid');
    expect((await own(organisation, 'GET')).body).toEqual({
      connections: [
        {
          id,
          kind: 'sendgrid',
          url: `https://verify.example/integrations/sendgrid/${id}`,
          created_at: expect.any(Number),
          last_event_at: null,
          events: {},
          refused: 0,
        },
      ],
    });
    expect(JSON.stringify(await rowsOf('processor_connection', organisation.id))).not.toContain(fake.secret);
    const other = await service.createOrganisation();
    for (const [method, body] of [
      ['PATCH', { secret: fake.secret }],
      ['DELETE', undefined],
    ] as const)
      expect((await own(other, method, `/${id}`, body)).status).toBe(404);
    expect((await own(organisation, 'PATCH', `/${id}`, { secret: fake.secret })).body).toEqual({
      connection: { id, kind: 'sendgrid', url: `https://verify.example/integrations/sendgrid/${id}` },
    });
    expect((await own(organisation, 'DELETE', `/${id}`)).body).toEqual({ done: true });
    expect((await own(organisation, 'GET')).body).toEqual({ connections: [] });
  });

  it('take a new secret beside the one before, and no other service’s webhooks', async () => {
    const { organisation, id, send, fake } = await connect('mailgun');
    const next = FAKES.mailgun(Date.now());
    await own(organisation, 'PATCH', `/${id}`, { secret: next.secret });
    expect((await send(eventAt('mailgun', 'delivered'))).body).toEqual({ accepted: 1 });
    const signed = next.sign(eventAt('mailgun', 'complaint'), Date.now());
    const post = (path: string) => service.call('POST', path, null, signed.body, signed.headers);
    expect((await post(`/integrations/mailgun/${id}`)).body).toEqual({ accepted: 1 });
    expect((await post(`/integrations/sendgrid/${id}`)).status).toBe(404);
    expect((await post(`/integrations/stripe/${id}`)).status).toBe(404);
    expect(fake.secret).not.toBe(next.secret);
  });

  it('are seen by operators, who replace the secrets of payment processors alone', async () => {
    const { organisation, id } = await connect('resend');
    const operator = (method: string, path: string, body?: object) =>
      service.call(
        method,
        `/operator/v1/organisations/${organisation.id}/connections${path}`,
        service.operatorKey,
        body,
      );
    expect((await operator('GET', '')).body.connections).toMatchObject([{ id, kind: 'resend' }]);
    expect((await operator('PATCH', `/${id}`, { webhook_secret: 'whsec_0123456789abcdef' })).status).toBe(400);
    expect((await operator('DELETE', `/${id}`)).status).toBe(200);
    expect((await own(organisation, 'GET')).body).toEqual({ connections: [] });
  });

  it.each([
    ['stripe', 'sk_live_0123456789'],
    ['resend', 'whsec_!'],
    ['sendgrid', 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE'],
    ['mailgun', 'short'],
    ['postmark', 'user:short'],
    ['postmark', 'no-colon-in-this-one'],
    ['ses', 'arn:aws:sqs:eu-central-1:123456789012:mail'],
    ['paddle', 'whsec_0123456789abcdef'],
  ])('refuse a secret of another form: %s %s, without repeating it', async (kind, secret) => {
    const { status, body } = await own(await service.createOrganisation(), 'POST', '', { kind, secret });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).not.toContain(secret);
  });

  it('count a redelivered event once, and what was refused', async () => {
    const { fake, deliver, listed, id } = await connect('resend');
    const bounce = eventAt('resend', 'hard bounce');
    const webhook = fake.sign(bounce, Date.now());
    for (let i = 0; i < 3; i += 1) expect((await deliver(webhook)).body).toEqual({ accepted: 1 });
    expect((await deliver(fake.sign(bounce, Date.now()))).body).toEqual({ accepted: 1 });
    await deliver(fake.sign(eventAt('resend', 'delivered'), Date.now()));
    expect((await deliver({ ...webhook, body: webhook.body.replace('ada@', 'eve@') })).status).toBe(401);
    expect((await deliver({ headers: { 'content-type': 'application/json' }, body: webhook.body })).status).toBe(401);
    const first = await listed();
    expect(first).toMatchObject({ id, events: { hard_bounce: 1, delivered: 1 }, refused: 1 });
    expect(Math.abs((first.last_event_at ?? 0) - Date.now() / 1_000)).toBeLessThan(60);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * MINUTE_MS });
    await deliver({ ...webhook, body: '{}' });
    expect(await listed()).toMatchObject({ events: { hard_bounce: 1, delivered: 1 }, refused: 3 });
  });
});

describe.each(MAIL_SERVICES)('a webhook of %s', (kind) => {
  let stage: Connected;
  beforeAll(async () => {
    stage = await connect(kind);
  });
  const reports = () => rowsOf('mail_report', stage.organisation.id);

  it('gives the newest verification before it its outcome, and is kept without the address', async () => {
    const { organisation, send } = stage;
    const older = await verify(organisation);
    const newer = await verify(organisation, '/v1/decide');
    expect((await send(eventAt(kind, 'hard bounce'))).body).toEqual({ accepted: 1 });
    expect(await outcomeOf(organisation, newer.verification.trace_id)).toMatchObject({
      outcome: 'hard_bounce',
      smtp: { code: '550', enhanced: '5.1.1' },
    });
    expect(await outcomeOf(organisation, older.trace_id)).toBeNull();
    const { storage } = service.objectOf(organisation.id);
    const [known] = storage.sql.exec<{ facts: string }>('select facts from address_facts').toArray();
    expect((JSON.parse(known?.facts ?? '{}') as AddressFacts).reports).toMatchObject([
      { class: 'user_unknown', source: sourceTag(stage.id) },
    ]);
    const [report] = await reports();
    expect(report).toMatchObject({
      outcome: 'hard_bounce',
      class: 'user_unknown',
      basic_code: '550',
      source: stage.id,
    });
    expect(JSON.stringify(await reports())).not.toContain('business.test');
  });

  it('belongs to no later verification, and stays with the address', async () => {
    const { organisation, send } = stage;
    const before = (await reports()).length;
    const email = `late.${kind}@business.test`;
    const { trace_id } = await verify(organisation, '/v1/verify', email);
    expect((await send(eventAt(kind, 'complaint', Date.now() - DAY_MS, email))).body).toEqual({ accepted: 1 });
    expect(await outcomeOf(organisation, trace_id)).toBeNull();
    expect(await reports()).toHaveLength(before + 1);
  });

  it('changes nothing when it is forged, cut, too large or for a removed connection', async () => {
    const { organisation, fake, deliver, id } = stage;
    const before = await reports();
    const sent = fake.sign(eventAt(kind, 'delivered'), Date.now());
    const stranger = FAKES[kind](Date.now()).sign(eventAt(kind, 'delivered'), Date.now());
    if (kind !== 'ses') expect((await deliver(stranger)).status).toBe(401);
    expect((await deliver({ ...sent, headers: { 'content-type': 'application/json' }, body: '{}' })).status).toBe(401);
    const cut = { ...sent, body: sent.body.slice(0, -3) };
    expect([400, 401]).toContain((await deliver(cut)).status);
    expect((await deliver({ ...sent, body: sent.body + ' '.repeat(2 ** 20) })).status).toBe(413);
    const gone = await connect(kind, organisation);
    await own(organisation, 'DELETE', `/${gone.id}`);
    expect((await gone.send(eventAt(kind, 'delivered'))).status).toBe(404);
    expect(await reports()).toEqual(before);
    expect(id).toBe(stage.id);
  });

  it('must be sent again when it comes while Postgres is away, and then counts once', async () => {
    const { fake, deliver } = stage;
    const before = (await reports()).length;
    const sent = fake.sign(
      eventAt(
        kind,
        'soft bounce, mailbox full' in EVENTS[kind] ? 'soft bounce, mailbox full' : 'delivered',
        Date.now(),
        `away.${kind}@business.test`,
      ),
      Date.now(),
    );
    service.faults.down = true;
    expect((await deliver(sent)).status).toBe(503);
    service.faults.down = false;
    for (let i = 0; i < 2; i += 1) expect((await deliver(sent)).body).toEqual({ accepted: 1 });
    expect(await reports()).toHaveLength(before + 1);
  });

  it('without a meaning for us, older than 400 days or dated ahead is answered and not stored', async () => {
    const { send } = stage;
    const before = await reports();
    const silent = Object.entries(EVENTS[kind]).filter(([, { reads }]) => reads === null);
    for (const [name] of silent) expect((await send(eventAt(kind, name))).body, name).toEqual({ accepted: 0 });
    for (const at of [Date.now() - 401 * DAY_MS, Date.now() + 2 * DAY_MS])
      expect((await send(eventAt(kind, 'delivered', at))).body).toEqual({ accepted: 0 });
    expect(await reports()).toEqual(before);
  });
});

describe('what was suppressed before it was sent', () => {
  it('stays with the address alone: no message was tried', async () => {
    const { organisation, send } = await connect('sendgrid');
    const { trace_id } = await verify(organisation);
    expect((await send(eventAt('sendgrid', 'dropped, bounced before'))).body).toEqual({ accepted: 1 });
    expect(await outcomeOf(organisation, trace_id)).toBeNull();
    expect(await rowsOf('mail_report', organisation.id)).toHaveLength(1);
  });
});

describe('what was opened', () => {
  it('counts as delivered, and any other report counts more, in whatever order they come', async () => {
    const { organisation, send } = await connect('sendgrid');
    const { trace_id } = await verify(organisation);
    await send(eventAt('sendgrid', 'open', Date.now() + MINUTE_MS));
    expect(await outcomeOf(organisation, trace_id)).toMatchObject({ outcome: 'delivered' });
    await send(eventAt('sendgrid', 'hard bounce'));
    await send(eventAt('sendgrid', 'click', Date.now() + 2 * MINUTE_MS));
    expect(await outcomeOf(organisation, trace_id)).toMatchObject({ outcome: 'hard_bounce' });
  });
});

describe('Mailgun’s token', () => {
  it('proves one body: with another it is refused, though the signature holds', async () => {
    const { organisation, fake, deliver } = await connect('mailgun');
    const sent = fake.sign(eventAt('mailgun', 'unsubscribe'), Date.now());
    expect((await deliver(sent)).body).toEqual({ accepted: 0 });
    const { signature } = JSON.parse(sent.body);
    const forged = JSON.stringify({ signature, 'event-data': eventAt('mailgun', 'hard bounce') });
    expect((await deliver({ ...sent, body: forged })).status).toBe(401);
    expect(await rowsOf('mail_report', organisation.id)).toEqual([]);
  });
});

describe('a topic of Amazon’s', () => {
  it('is confirmed when it is the connection’s own', async () => {
    const { fake, deliver, listed } = await connect('ses');
    const before = amazon.confirmed.length;
    expect((await deliver((fake as FakeSes).confirmation(Date.now()))).body).toEqual({ accepted: 0 });
    expect(amazon.confirmed).toHaveLength(before + 1);
    const other = fakeSes(Date.now());
    expect((await deliver(other.confirmation(Date.now()))).status).toBe(503);
    expect(amazon.confirmed).toHaveLength(before + 1);
    expect((await listed()).events).toEqual({});
  });
});

describe('an address that is forgotten', () => {
  it('takes its reports with it when its organisation is deleted', async () => {
    const { organisation, send } = await connect('mailgun');
    await send(eventAt('mailgun', 'hard bounce'));
    await service.call('DELETE', `/operator/v1/organisations/${organisation.id}`, service.operatorKey);
    for (const table of ['mail_report', 'webhook_token', 'processor_connection'])
      expect(await rowsOf(table, organisation.id)).toEqual([]);
  });
});

describe('what a mail service or an import reports about a person', () => {
  const MARK = 'zebra.secret';
  const EMAIL = `${MARK}@business.test`;

  it('leaves no address in Postgres, in the object, in a queue or in the log', async () => {
    const lines = captureLog();
    const organisation = await service.createOrganisation();
    for (const kind of MAIL_SERVICES) {
      const { send, deliver, fake } = await connect(kind, organisation);
      for (const name of Object.keys(EVENTS[kind])) await send(eventAt(kind, name, Date.now(), EMAIL));
      await deliver({ ...fake.sign(eventAt(kind, 'delivered', Date.now(), EMAIL), 0), headers: {} });
      service.faults.down = true;
      await send(eventAt(kind, 'delivered', Date.now(), EMAIL));
      service.faults.down = false;
    }
    const at = Math.floor(Date.now() / 1_000);
    const smtp_code = `550 5.1.1 <${EMAIL}> unknown`;
    const post = (path: string, body: object) => service.call('POST', path, organisation.keys.member, body);
    await post('/v1/outcomes/import', { outcomes: [{ email: EMAIL, outcome: 'hard_bounce', at, smtp_code }] });
    await post('/v1/outcome', { outcomes: [{ trace_id: 'vr_x', outcome: 'hard_bounce', smtp_code }] });

    const { storage } = service.objectOf(organisation.id);
    const ofObject = (sql: string) => storage.sql.exec(sql).toArray() as Record<string, unknown>[];
    const tables = ofObject("select name from sqlite_master where type = 'table'").map(({ name }) => String(name));
    const kept = tables.flatMap((table) => ofObject(`select * from "${table}"`));
    const { rows } = await service.database.query(
      "select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
      [],
    );
    const stored = await Promise.all(
      rows.map(
        async ([name]) => (await service.database.query(`select row_to_json(t)::text from "${name}" as t`, [])).rows,
      ),
    );
    expect(stored.flat().length).toBeGreaterThan(50);
    expect(lines.length).toBeGreaterThan(50);
    const places = { kept, stored, lines, queues: [service.wakes, service.jobs, service.nights] };
    for (const [place, content] of Object.entries(places)) expect(JSON.stringify(content), place).not.toContain(MARK);
  });
});

describe('a stream of batches', () => {
  it('loses no event and counts none twice while Postgres comes and goes', async () => {
    const { organisation, fake, deliver, listed } = await connect('sendgrid');
    const now = Date.now();
    const batch = (number: number): object =>
      Array.from({ length: 200 }, (_, i) => {
        const [event] = eventAt('sendgrid', 'delivered', now, `user${i}@business.test`) as object[];
        return { ...event, sg_event_id: `${number} ${i}` };
      });
    const refused: FakeWebhook[] = [];
    for (let number = 0; number < 12; number += 1) {
      const sent = fake.sign(batch(number), now);
      service.faults.down = number % 3 === 1;
      const cut = setTimeout(() => (service.faults.down = true), number % 3 === 2 ? 25 : 60_000);
      const { status } = await deliver(sent);
      clearTimeout(cut);
      service.faults.down = false;
      expect([200, 503]).toContain(status);
      if (status === 503) refused.push(sent);
      else if (number % 2 === 0) await deliver(sent);
    }
    expect(refused.length).toBeGreaterThanOrEqual(4);
    for (const sent of refused) expect((await deliver(sent)).body).toEqual({ accepted: 200 });
    expect(await rowsOf('mail_report', organisation.id)).toHaveLength(12 * 200);
    expect((await listed()).events).toEqual({ delivered: 12 * 200 });
  });
});
