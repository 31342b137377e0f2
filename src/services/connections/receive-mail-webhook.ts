import { ROUTES } from '../../contract/routes.ts';
import { parseAddress } from '../../domain/address/parse.ts';
import type { MailEvent, MailService } from '../../domain/feedback/mail-event.ts';
import type { WebhookFault } from '../../integrations/mail-services/mail-service.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { DependencyError, DomainError } from '../../kernel/errors.ts';
import type { SignedBody } from '../../kernel/signed-body.ts';
import { addRefused, claimToken } from '../../storage/postgres/mail-reports.ts';
import type { MailWebhookReach, ServiceDeps } from '../deps.ts';
import { isInTime } from '../../domain/belief/facts.ts';
import { type AddressReport, recordReports } from '../feedback/record-reports.ts';
import { openVerb } from '../verb.ts';
import { findOpenConnection } from './find-connection.ts';
import { noteRefusal, type OpenConnection } from './memory.ts';

/** Some services count a webhook as failed after five seconds. */
const LOOK_UP_MS = 2 * SECOND_MS;

type MailDeps = Pick<ServiceDeps, MailWebhookReach>;

/** What a service is told, by what is wrong with its proof. */
const REFUSALS: Readonly<Record<Exclude<WebhookFault, 'unavailable'>, string>> = {
  unsigned: 'The signature is missing or malformed.',
  forged: 'The signature is wrong.',
  out_of_time: 'The signature is out of time.',
};

/**
 * Takes a webhook of a mail service's. A service repeats it for hours until the answer is 2xx, so none is lost while Postgres
 * is away; nothing of it is kept but words, codes, times and the address's keyed hash.
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
  const proof = await deps.mailServices[service].verify(signed, connection.secrets, deps.now());
  if (!proof.ok && proof.fault === 'unavailable')
    throw new DependencyError('mail_service', 'what proves the webhook could not be fetched');
  const fault = proof.ok ? await reuseOf(deps, connection, proof.once, signed.body) : proof.fault;
  if (fault === null || fault === 'unavailable') return;
  const count = noteRefusal(deps.connections, connection.id, deps.now());
  // For people to look at: a count that is lost refuses the webhook all the same.
  if (count > 0) await addRefused(deps.db, connection.id, count).catch(() => undefined);
  throw new DomainError('unauthorized', REFUSALS[fault]);
}

/** A token that was used for another body is somebody's who has seen it. The same body again is a repeat. */
async function reuseOf(
  { db, now, hashReference }: MailDeps,
  { organisationId }: OpenConnection,
  once: string | null,
  body: string,
): Promise<'forged' | null> {
  if (once === null) return null;
  const hashes = { token: hashReference(organisationId, once), body: hashReference(organisationId, body) };
  return (await claimToken(db, { organisationId, ...hashes, seenAt: now() })) === hashes.body ? null : 'forged';
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
