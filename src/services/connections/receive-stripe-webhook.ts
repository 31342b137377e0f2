import { ROUTES } from '../../contract/routes.ts';
import { parseAddress } from '../../domain/address/parse.ts';
import { proofOf } from '../../domain/feedback/proofs.ts';
import { isSignedByStripe } from '../../integrations/stripe/signature.ts';
import { type ProcessorReport, readStripeWebhook } from '../../integrations/stripe/webhook.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { idFromBytes, stampUuidV7 } from '../../kernel/ids.ts';
import { sha256Bytes } from '../../kernel/keyed-hash.ts';
import * as store from '../../storage/postgres/feedback.ts';
import { findSuppressed } from '../../storage/postgres/suppressed.ts';
import type { Reach, ServiceDeps } from '../deps.ts';
import { learnProof } from '../feedback/learn-proof.ts';
import { openVerb } from '../verb.ts';
import { findOpenConnection } from './find-connection.ts';
import type { OpenConnection } from './memory.ts';

type StripeDeps = Pick<ServiceDeps, Reach['post /integrations/stripe/:connection_id']>;

/** Reports of older events are not stored. */
const OLDEST_MS = 400 * DAY_MS;

/** Takes a webhook of Stripe's. Stripe repeats it for days until the answer is 2xx, so none is lost while Postgres is away. */
export const receiveStripeWebhook = openVerb({
  route: ROUTES.stripeWebhook,
  answer: async (deps, { params, signed }) => {
    const now = deps.now();
    const connection = await findOpenConnection(deps, 'stripe', params.connection_id);
    if (!isSignedByStripe(signed, connection.secrets, now))
      throw new DomainError('invalid_request', 'The signature is missing, wrong or out of time.');
    const report = readStripeWebhook(signed.body);
    if (report === null) throw new DomainError('invalid_request', 'The body is not a Stripe event.');
    const saysWhose = report.email !== null && report.references.length > 0;
    const isTimely = report.createdAt > now - OLDEST_MS && report.createdAt < now + DAY_MS;
    if (isTimely && (report.event !== null || saysWhose)) await record(deps, connection, report);
    return { received: true as const };
  },
});

/**
 * Stores a report once for an `evt_` id, through any connection: the event's id is made of that id and of the report's own
 * time, which stay the same when it comes again. Then the history of the address has what a payment proves.
 */
async function record(
  deps: StripeDeps,
  { id, organisationId }: OpenConnection,
  report: ProcessorReport,
): Promise<void> {
  const parsed = report.email === null ? null : parseAddress(report.email);
  const address = parsed?.ok ? parsed.address : null;
  const namedHash = address && deps.hashAddress(organisationId, address.normalised);
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
    references: report.references.map((reference) => deps.hashReference(organisationId, reference)),
  });
  const proves = report.event === null || report.mode !== 'live' ? null : proofOf(report.event);
  if (proves === null || addressHash === null) return;
  const proof = { class: proves, at: report.createdAt };
  await learnProof(deps, organisationId, { addressHash, address, proof });
}
