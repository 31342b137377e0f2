import type { ConnectionKind } from '../contract/connections.ts';
import { ROUTES } from '../contract/routes.ts';
import { parseAddress } from '../domain/address/parse.ts';
import { isInTime } from '../domain/belief/facts.ts';
import { type MailEvent, type MailService, isConnectionId, proofOf } from '../domain/feedback/outcomes.ts';
import type { WebhookFault } from '../integrations/mail-services/adapter.ts';
import { isSignedByStripe, type ProcessorReport, readStripeWebhook } from '../integrations/stripe.ts';
import { DAY_MS, SECOND_MS } from '../kernel/clock.ts';
import { type SignedBody, sha256Bytes } from '../kernel/crypto.ts';
import { DependencyError, DomainError } from '../kernel/errors.ts';
import { idFromBytes, parseId, stampUuidV7 } from '../kernel/ids.ts';
import { addRefused } from '../storage/postgres/connections.ts';
import * as store from '../storage/postgres/connections.ts';
import { claimToken, findSuppressed, findToken } from '../storage/postgres/mail-reports.ts';
import { noteRefusal, type OpenConnection, secretsInForce } from './connection-memory.ts';
import { NO_CONNECTION, openSecrets } from './connections.ts';
import type { MailWebhookReach, Reach, ServiceDeps } from './deps.ts';
import { type AddressReport, recordReports } from './mail-reports.ts';
import { learnProof } from './observations.ts';
import { requireWritten } from './traces.ts';
import { openVerb } from './verb.ts';

/** Some services count a webhook as failed after five seconds. */
const LOOK_UP_MS = 2 * SECOND_MS;

type MailDeps = Pick<ServiceDeps, MailWebhookReach>;

/** The answer to a service, by the fault of its proof. */
const REFUSALS: Readonly<Record<Exclude<WebhookFault, 'unavailable'>, string>> = {
  unsigned: 'The signature is missing or malformed.',
  forged: 'The signature is wrong.',
  out_of_time: 'The signature is out of time.',
};

/**
 * Accepts a mail service's webhook. A service repeats it for hours until the answer is 2xx, so none is lost while
 * Postgres is away; only words, codes, times and the address's keyed hash are stored.
 */
const receive =
  (service: MailService) =>
  async (
    deps: MailDeps,
    input: { readonly params: { readonly connection_id: string }; readonly signed: SignedBody },
  ) => {
    const connection = await findOpenConnection(deps, service, input.params.connection_id);
    await requireProof(deps, connection, service, input.signed);
    const reading = deps.mailServices[service].read(input.signed.body);
    if (reading === null) throw new DomainError('invalid_request', 'The body is not one of this service’s webhooks.');
    if (reading.confirm !== null && !(await deps.confirmSubscription(reading.confirm)))
      throw new DependencyError('mail_service', 'the subscription could not be confirmed');
    const reports = reading.events.flatMap((event) => reportOf(deps, connection, event));
    const overruled = reports.filter(({ isOverruled }) => isOverruled).length;
    if (overruled > 0) deps.counters.add('bounce_overruled', overruled, service);
    const { organisationId, id } = connection;
    await recordReports(deps, { organisationId, name: service, source: id, lookUpMs: LOOK_UP_MS }, reports);
    return { accepted: reports.length };
  };

async function requireProof(deps: MailDeps, connection: OpenConnection, service: MailService, signed: SignedBody) {
  const proof = await deps.mailServices[service].verify(signed, secretsInForce(connection, deps.now()), deps.now());
  if (!proof.ok && proof.fault === 'unavailable')
    throw new DependencyError('mail_service', 'what proves the webhook could not be fetched');
  const fault = proof.ok ? await reuseOf(deps, connection, proof.once, signed.body) : proof.fault;
  if (fault === null || fault === 'unavailable') return;
  const count = noteRefusal(deps.connections, connection.id, deps.now());
  // For people to look at: a lost count refuses the webhook all the same.
  if (count > 0) await addRefused(deps.db, connection.id, count).catch(() => undefined);
  throw new DomainError('unauthorized', REFUSALS[fault]);
}

/** A token used for another body is somebody's who has seen it. The same body is a repeat. */
async function reuseOf(
  { db, now, hashReferences }: MailDeps,
  { organisationId }: OpenConnection,
  once: string | null,
  body: string,
): Promise<'forged' | null> {
  if (once === null) return null;
  const [own, ...before] = hashReferences.map((hash) => ({
    organisationId,
    token: hash(organisationId, once),
    body: hash(organisationId, body),
    seenAt: now(),
  }));
  // A token may have been used just before a rotation.
  for (const use of before) {
    const used = await findToken(db, use);
    if (used !== null) return used === use.body ? null : 'forged';
  }
  return own === undefined || (await claimToken(db, own)) === own.body ? null : 'forged';
}

function reportOf(
  { now, hashAddress }: MailDeps,
  { organisationId }: OpenConnection,
  { email, ...event }: MailEvent,
): AddressReport[] {
  const parsed = parseAddress(email);
  if (!parsed.ok || !isInTime(event.at, now())) return [];
  return [{ ...event, address: parsed.address, addressHash: hashAddress(organisationId, parsed.address.normalised) }];
}

export const receiveSesWebhook = openVerb({ route: ROUTES.sesWebhook, answer: receive('ses') });
export const receiveSendgridWebhook = openVerb({ route: ROUTES.sendgridWebhook, answer: receive('sendgrid') });
export const receivePostmarkWebhook = openVerb({ route: ROUTES.postmarkWebhook, answer: receive('postmark') });
export const receiveMailgunWebhook = openVerb({ route: ROUTES.mailgunWebhook, answer: receive('mailgun') });
export const receiveResendWebhook = openVerb({ route: ROUTES.resendWebhook, answer: receive('resend') });

type StripeDeps = Pick<ServiceDeps, Reach['post /integrations/stripe/:connection_id']>;

/** Reports of older events are not stored. */
const OLDEST_MS = 400 * DAY_MS;

/** Accepts a Stripe webhook. Stripe repeats it for days until the answer is 2xx, so an outage loses none. */
export const receiveStripeWebhook = openVerb({
  route: ROUTES.stripeWebhook,
  answer: async (deps, { params, signed }) => {
    const now = deps.now();
    const connection = await findOpenConnection(deps, 'stripe', params.connection_id);
    if (!isSignedByStripe(signed, secretsInForce(connection, now), now))
      throw new DomainError('invalid_request', 'The signature is missing, wrong or expired.');
    const report = readStripeWebhook(signed.body);
    if (report === null) throw new DomainError('invalid_request', 'The body is not a Stripe event.');
    const saysWhose = report.email !== null && report.references.length > 0;
    const isTimely = report.createdAt > now - OLDEST_MS && report.createdAt < now + DAY_MS;
    if (isTimely && (report.event !== null || saysWhose)) await record(deps, connection, report);
    return { received: true as const };
  },
});

/**
 * Stores a report once for an `evt_` id, through any connection: the event's id is made of that id and the report's own
 * time, which are stable. Then adds what a payment proves to the address's history.
 */
async function record(
  deps: StripeDeps,
  { id, organisationId }: OpenConnection,
  report: ProcessorReport,
): Promise<void> {
  const parsed = report.email === null ? null : parseAddress(report.email);
  const address = parsed?.ok ? parsed.address : null;
  const namedHash = address && deps.hashAddress(organisationId, address.normalised);
  const references = report.references.map((reference) =>
    deps.hashReferences.map((hash) => hash(organisationId, reference)),
  );
  if (deps.objects.pendingRehashes) {
    await requireWritten(deps, { organisationId });
    await store.rehashReferences(deps.db, id, references);
  }
  if (namedHash !== null && (await findSuppressed(deps.db, organisationId, [namedHash])).has(namedHash)) return;
  const bytes = sha256Bytes(`${organisationId} ${report.id}`).slice(0, 16);
  const addressHash = await store.recordReport(deps.db, {
    connectionId: id,
    id: idFromBytes('ev', stampUuidV7(bytes, report.createdAt)),
    mode: report.mode,
    event: report.event,
    at: report.createdAt,
    createdAt: deps.now(),
    addressHash: namedHash,
    references: references.flatMap(([hash]) => hash ?? []),
  });
  const proves = report.event === null || report.mode !== 'live' ? null : proofOf(report.event);
  if (proves === null || addressHash === null) return;
  const proof = { class: proves, at: report.createdAt };
  await learnProof(deps, organisationId, { addressHash, address, proof });
}

/** A webhook's connection with its secrets. Refuses an unknown one, and one of another service. */
async function findOpenConnection(
  deps: Pick<ServiceDeps, 'connectionIdKeys' | 'sealKeys' | 'connections' | 'db'>,
  kind: ConnectionKind,
  idText: string,
): Promise<OpenConnection> {
  const id = parseId('con', idText);
  if (id === null || !deps.connectionIdKeys().some((key) => isConnectionId(key, id))) throw NO_CONNECTION;
  const { connections } = deps.connections;
  let known = connections.get(id);
  if (known === undefined) {
    const stored = await store.findConnection(deps.db, id);
    known = stored === null ? null : await openSecrets(deps, stored);
    connections.set(id, known);
  }
  if (known?.kind !== kind) throw NO_CONNECTION;
  return known;
}
