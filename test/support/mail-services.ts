import { type FakeService, type FakeSes, type FakeWebhook } from '../../scripts/mail-fakes/services.ts';
import type { MailService } from '../../src/domain/feedback/outcomes.ts';
import { createMailServices, type MailServices } from '../../src/integrations/mail-services/mail-services.ts';
import type { SignedBody } from '../../src/kernel/crypto.ts';
import mailgun from '../fixtures/mail-services/mailgun.json' with { type: 'json' };
import postmark from '../fixtures/mail-services/postmark.json' with { type: 'json' };
import resend from '../fixtures/mail-services/resend.json' with { type: 'json' };
import sendgrid from '../fixtures/mail-services/sendgrid.json' with { type: 'json' };
import ses from '../fixtures/mail-services/ses.json' with { type: 'json' };

/** The time of every fixture's event. */
export const EVENT_MS = Date.UTC(2026, 10, 18, 9, 46, 40);

interface Fixture {
  readonly with: object;
  /** Null means the event has no meaning for us. */
  readonly reads: object | null;
}
type Fixtures = Readonly<Record<string, Fixture>>;

/** Each service's events by their name: what it sends, and what we read. */
export const EVENTS: Readonly<
  Record<MailService, Readonly<Record<string, { readonly event: object; readonly reads: object | null }>>>
> = {
  sendgrid: eventsOf(sendgrid.events, (each, name) => [{ ...sendgrid.whole, sg_event_id: idOf(name), ...each }]),
  postmark: eventsOf(postmark.events, (each) => ({ ...postmark.whole, ...each })),
  mailgun: eventsOf(mailgun.events, (each, name) => ({ ...mailgun.whole, id: idOf(name), ...each })),
  ses: eventsOf(ses.events, (each) => ({ ...ses.whole, ...each })),
  resend: eventsOf(resend.events, (each) => ({
    ...resend.whole,
    ...each,
    data: { ...resend.data, ...(each as { data?: object }).data },
  })),
};

function eventsOf(fixtures: Fixtures, whole: (change: object, name: string) => object) {
  return Object.fromEntries(
    Object.entries(fixtures).map(([name, { with: change, reads }]) => [name, { event: whole(change, name), reads }]),
  );
}

/** Services give each event an id. */
function idOf(name: string): string {
  return Buffer.from(name).toString('base64url');
}

/** The headers that a route passes on. */
const HEADERS = [
  'X-Twilio-Email-Event-Webhook-Signature',
  'X-Twilio-Email-Event-Webhook-Timestamp',
  'Authorization',
  'svix-id',
  'svix-timestamp',
  'svix-signature',
];
export const signedBody = ({ headers, body }: FakeWebhook): SignedBody => ({
  headers: Object.fromEntries(HEADERS.map((name) => [name, headers[name] ?? null])),
  body,
});

/** Amazon's certificate host, and which paths it was asked for. */
export function certificateHost(...services: readonly Pick<FakeSes, 'certificate'>[]) {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    const found = services.find(({ certificate }) => url.endsWith(certificate.path));
    if (found !== undefined) return new Response(found.certificate.pem);
    return new Response('', { status: url.includes('Action=ConfirmSubscription') ? 200 : 404 });
  };
  return { asked, fetch };
}

export interface Stage {
  readonly fake: FakeService;
  readonly adapter: MailServices[MailService];
}

/** A fake service and its adapter. */
export function stageOf(service: MailService, make: (nowMs: number) => FakeService, nowMs: number): Stage {
  const fake = make(nowMs);
  const host = certificateHost(...('certificate' in fake ? [fake as FakeSes] : []));
  return { fake, adapter: createMailServices({ fetch: host.fetch, baseUrl: null })[service] };
}

/** A fixture's event with this time and address. */
export function eventAt(kind: MailService, name: string, atMs = Date.now(), email = 'ada@business.test'): object {
  const times: [string, string][] = [
    ['1794995200', String(Math.floor(atMs / 1_000))],
    ['ada@business.test', email],
  ];
  const iso = new Date(atMs).toISOString();
  const text = times.reduce((all, [from, to]) => all.replaceAll(from, to), JSON.stringify(EVENTS[kind][name]?.event));
  return JSON.parse(text.replaceAll(/2026-11-18T(?:09|10):46:4[^"]*/g, iso));
}
