import { describe, expect, it } from 'vitest';
import { FAKE_EVENTS, type FakeEvent, fakeEvent } from '../../../scripts/mail-fakes/events.ts';
import { FAKES, type FakeWebhook, fakeMailgun, fakeSes } from '../../../scripts/mail-fakes/services.ts';
import { MAIL_SERVICES, type MailService } from '../../../src/domain/feedback/outcomes.ts';
import { createMailServices } from '../../../src/integrations/mail-services/mail-services.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { certificateHost, EVENT_MS, EVENTS, signedBody, stageOf } from '../../support/mail-services.ts';

const NOW = EVENT_MS + MINUTE_MS;

describe.each(MAIL_SERVICES)('%s', (service) => {
  const { fake, adapter } = stageOf(service, FAKES[service], NOW);
  const readEvent = (event: object) => adapter.read(fake.sign(event, NOW).body);
  const verify = (webhook: FakeWebhook, secrets = [fake.secret], now = NOW) =>
    adapter.verify(signedBody(webhook), secrets, now);
  const { delivered } = EVENTS[service];
  const webhook = () => fake.sign(delivered?.event ?? {}, NOW);

  it.each(Object.entries(EVENTS[service]))('reads its documented event: %s', (_, { event, reads }) => {
    const reading = readEvent(event);
    if (reads === null) return expect(reading).toEqual({ events: [], confirm: null });
    expect(reading?.confirm).toBeNull();
    expect(reading?.events).toEqual([
      {
        isUnread: false,
        isOverruled: false,
        ...reads,
        id: expect.any(String),
        email: 'ada@business.test',
        at: expect.any(Number),
      },
    ]);
    expect(Math.abs((reading?.events[0]?.at ?? 0) - EVENT_MS)).toBeLessThan(1_000);
  });

  it('keeps of an event nothing but the address, codes, words and times', () => {
    for (const { event } of Object.values(EVENTS[service])) {
      const { events = [] } = readEvent(event) ?? {};
      expect(JSON.stringify(events)).not.toMatch(/shop\.example|Mozilla|198\.51|Welcome/);
    }
  });

  it('gives an event the same id whenever it is sent, and another event another', () => {
    const ids = (name: string) => readEvent(EVENTS[service][name]?.event ?? {})?.events.map(({ id }) => id);
    expect(ids('delivered')).toEqual(ids('delivered'));
    expect(ids('delivered')).not.toEqual(ids('hard bounce'));
  });

  it('accepts its own webhook, under the newest secret or the one before', async () => {
    expect(await verify(webhook())).toMatchObject({ ok: true });
    const other = FAKES[service](NOW).secret;
    expect(await verify(webhook(), [service === 'ses' ? `${other}-2` : other, fake.secret])).toMatchObject({
      ok: true,
    });
  });

  it('refuses a webhook of another account’s', async () => {
    const stranger = FAKES[service](NOW);
    const topic = service === 'ses' ? 'arn:aws:sns:eu-central-1:999999999999:mail-events' : stranger.secret;
    expect(await verify(webhook(), [topic])).toEqual({ ok: false, fault: 'forged' });
  });

  it('refuses a body without any proof', async () => {
    const bare = { headers: {}, body: JSON.stringify(delivered?.event) };
    expect(await verify(bare)).toEqual({ ok: false, fault: 'unsigned' });
  });

  it.each(['', '{', 'null', '[]', '"text"', '{"signature":{}}', '[null]', '{"Type":"Notification"}', '\u0000'])(
    'reads no event out of %j, and does not throw',
    (body) => {
      expect(adapter.read(body)?.events ?? []).toEqual([]);
    },
  );

  // Postmark’s user and password prove the sender of any body, at any time. Mailgun’s signature is not of the body.
  it.runIf(service !== 'postmark' && service !== 'mailgun')('refuses a body that was changed or cut', async () => {
    const sent = webhook();
    const changed = sent.body.replace('ada@business.test', 'eve@business.test');
    expect(changed).not.toBe(sent.body);
    expect(await verify({ ...sent, body: changed })).toEqual({ ok: false, fault: 'forged' });
    const cut = await verify({ ...sent, body: sent.body.slice(0, -2) });
    expect(cut.ok).toBe(false);
  });

  it.runIf(service !== 'postmark')('refuses a webhook of last month, which may be a replay', async () => {
    const sent = webhook();
    expect(await verify(sent, [fake.secret], NOW + 25 * DAY_MS)).toEqual({ ok: false, fault: 'out_of_time' });
    expect(await verify(sent, [fake.secret], NOW - 25 * DAY_MS)).toEqual({ ok: false, fault: 'out_of_time' });
  });
});

const FAKED = {
  delivered: { outcome: 'delivered', means: 'sent' },
  hard_bounce: { outcome: 'hard_bounce', class: 'user_unknown' },
  soft_bounce: { outcome: 'soft_bounce', class: 'full' },
  block: { outcome: 'soft_bounce', means: 'sent' },
  complaint: { outcome: 'complaint', means: 'sent' },
  suppressed: { outcome: 'hard_bounce', means: 'suppressed' },
  open: { outcome: 'delivered', means: 'seen' },
  unsubscribe: null,
} satisfies Record<FakeEvent, object | null>;
describe.each(MAIL_SERVICES)('the fake of %s', (service) => {
  it.each(FAKE_EVENTS)('sends %s as the service does', (event) => {
    const { fake, adapter } = stageOf(service, FAKES[service], NOW);
    const sent = fake.sign(fakeEvent(service, event, 'user@business.test', NOW), NOW);
    const { events } = adapter.read(sent.body) ?? {};
    const meant = FAKED[event];
    expect(events).toMatchObject(meant === null ? [] : [{ ...meant, email: 'user@business.test' }]);
    expect(events).toHaveLength(meant === null ? 0 : 1);
  });
});

const WAITS: readonly (readonly [MailService, number])[] = [
  ['ses', 23 * HOUR_MS],
  ['sendgrid', 24 * HOUR_MS],
  ['mailgun', 8 * HOUR_MS],
];
describe('a webhook that is repeated for as long as its service repeats it', () => {
  it.each(WAITS)('is still accepted: %s', async (service, ms) => {
    const { fake, adapter } = stageOf(service, FAKES[service], NOW);
    const sent = fake.sign(EVENTS[service].delivered?.event ?? {}, NOW);
    expect(await adapter.verify(signedBody(sent), [fake.secret], NOW + ms)).toMatchObject({ ok: true });
  });
});

describe('a batch of SendGrid’s', () => {
  it('is read event by event: one without meaning costs no other', () => {
    const events = Object.values(EVENTS.sendgrid).flatMap(({ event }) => event as object[]);
    const { adapter } = stageOf('sendgrid', FAKES.sendgrid, NOW);
    const meant = Object.values(EVENTS.sendgrid).filter(({ reads }) => reads !== null);
    expect(adapter.read(JSON.stringify([null, 7, ...events, { event: 'delivered' }]))?.events).toHaveLength(
      meant.length,
    );
  });
});

describe('Postmark’s list of suppressions', () => {
  it('tells the bounce again that put an address there: both have one id', () => {
    const { adapter } = stageOf('postmark', FAKES.postmark, NOW);
    const idOf = (name: string) => adapter.read(JSON.stringify(EVENTS.postmark[name]?.event))?.events[0]?.id;
    expect(idOf('put on the list after a bounce')).toBe(idOf('hard bounce'));
    expect(idOf('transient')).not.toBe(idOf('hard bounce'));
  });
});

describe('Mailgun’s token', () => {
  it('is handed on, because the signature does not cover the body', async () => {
    const fake = fakeMailgun();
    const { adapter } = stageOf('mailgun', () => fake, NOW);
    const sent = fake.sign({}, NOW);
    const { token } = (JSON.parse(sent.body) as { signature: { token: string } }).signature;
    expect(await adapter.verify(signedBody(sent), [fake.secret], NOW)).toEqual({ ok: true, once: token });
  });
});

describe('Amazon’s certificate', () => {
  const EVENT = EVENTS.ses.delivered?.event ?? {};
  const stage = (fake = fakeSes(NOW)) => {
    const host = certificateHost(fake);
    const { ses } = createMailServices({ fetch: host.fetch, baseUrl: null });
    return {
      fake,
      host,
      ses,
      verify: (webhook: FakeWebhook, now = NOW) => ses.verify(signedBody(webhook), [fake.secret], now),
    };
  };
  const changed = (webhook: FakeWebhook, change: object): FakeWebhook => ({
    ...webhook,
    body: JSON.stringify({ ...JSON.parse(webhook.body), ...change }),
  });

  it.each(['1', '2'] as const)('proves a signature of version %s', async (version) => {
    const { fake, verify } = stage(fakeSes(NOW, version));
    expect(await verify(fake.sign(EVENT, NOW))).toEqual({ ok: true, once: null });
  });

  it('is fetched once for many messages', async () => {
    const { fake, host, verify } = stage();
    await verify(fake.sign(EVENT, NOW));
    await verify(fake.sign(EVENT, NOW));
    expect(host.asked).toEqual([`https://sns.eu-central-1.amazonaws.com${fake.certificate.path}`]);
  });

  it.each([
    ['another host', 'https://sns.evil.example'],
    ['a host that begins alike', 'https://sns.eu-central-1.amazonaws.com.evil.example'],
    ['a user before the host', 'https://sns.eu-central-1.amazonaws.com@evil.example'],
    ['another region', 'https://sns.us-east-1.amazonaws.com'],
    ['a bucket at Amazon', 'https://evil.s3.amazonaws.com'],
    ['plain HTTP', 'http://sns.eu-central-1.amazonaws.com'],
    ['another port', 'https://sns.eu-central-1.amazonaws.com:8443'],
  ])('is not fetched from %s', async (_, place) => {
    const { fake, host, verify } = stage();
    const webhook = changed(fake.sign(EVENT, NOW), { SigningCertURL: place + fake.certificate.path });
    expect(await verify(webhook)).toEqual({ ok: false, fault: 'forged' });
    expect(host.asked).toEqual([]);
  });

  it.each(['/x.pem', '/../x', '/?Action=Publish', '/SimpleNotificationService-0.pem?x=1'])(
    'is not fetched from the path %s',
    async (path) => {
      const { fake, host, verify } = stage();
      const webhook = changed(fake.sign(EVENT, NOW), {
        SigningCertURL: `https://sns.eu-central-1.amazonaws.com${path}`,
      });
      expect(await verify(webhook)).toEqual({ ok: false, fault: 'forged' });
      expect(host.asked).toEqual([]);
    },
  );

  it('is not fetched for another topic, nor for a message of last month', async () => {
    const { fake, host, verify } = stage();
    const foreign = changed(fake.sign(EVENT, NOW), { TopicArn: 'arn:aws:sns:eu-central-1:999999999999:mail-events' });
    expect(await verify(foreign)).toEqual({ ok: false, fault: 'forged' });
    await verify(fake.sign(EVENT, NOW), NOW + 2 * DAY_MS);
    expect(host.asked).toEqual([]);
  });

  it('is asked for a few times a minute at most, whatever names are made up', async () => {
    const { fake, host, verify } = stage();
    for (let i = 0; i < 20; i += 1) {
      const path = `/SimpleNotificationService-${String(i).padStart(32, '0')}.pem`;
      const webhook = changed(fake.sign(EVENT, NOW), {
        SigningCertURL: `https://sns.eu-central-1.amazonaws.com${path}`,
      });
      expect(await verify(webhook)).toEqual({ ok: false, fault: 'unavailable' });
    }
    expect(host.asked).toHaveLength(6);
    expect(await verify(fake.sign(EVENT, NOW), NOW + MINUTE_MS)).toMatchObject({ ok: true });
  });

  it('is asked for a few times by a burst of messages, and proves all of them', async () => {
    const { fake, host } = stage();
    const answered = Promise.withResolvers<void>();
    const slow = async (url: string) => {
      const answer = await host.fetch(url);
      await answered.promise;
      return answer;
    };
    const { ses } = createMailServices({ fetch: slow, baseUrl: null });
    const sent = Array.from({ length: 64 }, async () =>
      ses.verify(signedBody(fake.sign(EVENT, NOW)), [fake.secret], NOW),
    );
    answered.resolve();
    expect(await Promise.all(sent)).toEqual(Array.from({ length: 64 }, () => ({ ok: true, once: null })));
    expect(host.asked).toHaveLength(6);
  });

  it('has the message sent again when it is away, and proves nothing when out of its time', async () => {
    const { fake } = stage();
    const away = createMailServices({ fetch: () => Promise.reject(new Error('away')), baseUrl: null });
    const sent = signedBody(fake.sign(EVENT, NOW));
    expect(await away.ses.verify(sent, [fake.secret], NOW)).toEqual({ ok: false, fault: 'unavailable' });
    const old = stage(fakeSes(NOW - 60 * DAY_MS));
    expect((await old.verify(old.fake.sign(EVENT, NOW))).ok).toBe(false);
  });

  it('begins a subscription at the topic’s own service, whatever URL the message brings', async () => {
    const { fake, ses, verify } = stage();
    const sent = fake.confirmation(NOW);
    expect(await verify(sent)).toEqual({ ok: true, once: null });
    expect(await verify(changed(sent, { SubscribeURL: 'https://evil.example/' }))).toEqual({
      ok: false,
      fault: 'forged',
    });
    const { events, confirm } = ses.read(sent.body) ?? {};
    expect(events).toEqual([]);
    expect(confirm).toMatch(
      /^https:\/\/sns\.eu-central-1\.amazonaws\.com\/\?Action=ConfirmSubscription&TopicArn=arn%3Aaws/,
    );
  });
});
