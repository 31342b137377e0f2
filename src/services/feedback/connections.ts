import QuickLRU from 'quick-lru';
import type * as z from 'zod';
import type * as contract from '../../contract/operator.ts';
import { parseAddress } from '../../domain/address/parse.ts';
import { isConnectionId, MAC_SINCE_MS, mayLackMac, newConnectionId } from '../../domain/feedback/connection-id.ts';
import { isSignedByStripe } from '../../integrations/stripe/signature.ts';
import { type ProcessorReport, readStripeWebhook } from '../../integrations/stripe/webhook.ts';
import { type Clock, DAY_MS, epochSeconds, MINUTE_MS } from '../../kernel/clock.ts';
import { DependencyError, DomainError } from '../../kernel/errors.ts';
import { type Id, idFromBytes, parseId, stampUuidV7 } from '../../kernel/ids.ts';
import { sha256Bytes } from '../../kernel/keyed-hash.ts';
import { openSealed, sealText } from '../../kernel/sealed-text.ts';
import type { SignedBody } from '../../kernel/signed-body.ts';
import type { ObjectDeps } from '../../organisation/api.ts';
import type { Database } from '../../storage/postgres/client.ts';
import * as store from '../../storage/postgres/feedback.ts';
import { requireOrganisation } from '../operator/operator.ts';

type Hash = (organisationId: string, text: string) => string;
type Created = z.output<typeof contract.ConnectionSecret>;

/** A connection with its secrets, newest first: the one before stays good while Stripe rolls over to its successor. */
interface OpenConnection {
  readonly id: Id<'con'>;
  readonly organisationId: Id<'org'>;
  readonly secrets: readonly string[];
}

/** What an isolate has lately looked up. */
export interface ConnectionMemory {
  /** Null: there is none of this id. */
  readonly connections: QuickLRU<string, OpenConnection | null>;
  /** The ids that may lack a MAC (null: not known yet), and when they were last asked for. */
  early: { readonly at: number; readonly ids: ReadonlySet<string> | null };
}

/** So long a connection that was removed, or a secret replaced, may still be taken for good; what comes is not kept then. */
const REMEMBERED_MS = MINUTE_MS;
export const createConnectionMemory = (): ConnectionMemory => ({
  connections: new QuickLRU({ maxSize: 1_000, maxAge: REMEMBERED_MS }),
  early: { at: 0, ids: null },
});

export interface ConnectionDeps {
  readonly db: Database;
  readonly objects: ObjectDeps;
  readonly now: Clock;
  readonly memory: ConnectionMemory;
  /** Null: an answer shows the path alone. */
  readonly publicUrl: string | null;
  /** Seals secrets: at rest they are in nobody's clear text. */
  readonly sealKey: () => Uint8Array;
  /** Makes and knows ids of connections. */
  readonly idKey: () => Uint8Array;
  readonly hashAddress: Hash;
  readonly hashReference: Hash;
}

const NO_CONNECTION = new DomainError('not_found', 'There is no such connection.');

/** How far a webhook's own time may be off before it says nothing any more. */
const OLDEST_MS = 400 * DAY_MS;

/** So far back a list looks at what a connection brought. */
const ACTIVITY_MS = 30 * DAY_MS;

/** Payment processors whose webhooks become events: made by the operator, and what they send. */
export function connectionServices(deps: ConnectionDeps) {
  const { db, now } = deps;

  const shown = ({ id, kind, createdAt }: Omit<store.StoredConnection, 'secrets' | 'organisationId'>) => ({
    ...{ id, kind: kind as 'stripe', url: `${deps.publicUrl ?? ''}/integrations/stripe/${id}` },
    created_at: epochSeconds(createdAt),
  });
  const seal = (id: string, secrets: readonly string[]) => sealText(deps.sealKey(), id, JSON.stringify(secrets));
  const open = async ({ id, organisationId, secrets }: store.StoredConnection): Promise<OpenConnection> => ({
    ...{ id, organisationId },
    secrets: JSON.parse(await openSealed(deps.sealKey(), id, secrets)) as string[],
  });

  async function find(idText: string): Promise<OpenConnection> {
    const id = parseId('con', idText);
    if (id === null || !(isConnectionId(deps.idKey(), id) || (await isEarly(id)))) throw NO_CONNECTION;
    let known = deps.memory.connections.get(id);
    if (known === undefined) {
      const stored = await store.findConnection(db, id);
      known = stored === null ? null : await open(stored);
      deps.memory.connections.set(id, known);
    }
    if (known === null) throw NO_CONNECTION;
    return known;
  }

  /** Whether it is one of those that were made without a MAC. However many are made up, they are looked up once a minute. */
  async function isEarly(id: Id<'con'>): Promise<boolean> {
    if (!mayLackMac(id)) return false;
    const { memory } = deps;
    if (now() - memory.early.at >= REMEMBERED_MS) {
      // Noted first: those that come meanwhile, or after a failure, don't ask as well.
      memory.early = { ...memory.early, at: now() };
      memory.early = { ...memory.early, ids: new Set(await store.listConnectionIds(db, MAC_SINCE_MS)) };
    }
    if (memory.early.ids === null) throw new DependencyError('postgres', 'ids of connections are not known yet');
    return memory.early.ids.has(id);
  }

  async function requireStored(organisation: string, idText: string): Promise<store.StoredConnection> {
    const { id: organisationId } = await requireOrganisation(deps.objects, organisation);
    const id = parseId('con', idText);
    const stored = id === null ? null : await store.findConnection(db, id);
    if (stored?.organisationId !== organisationId) throw NO_CONNECTION;
    return stored;
  }

  /**
   * Once an `evt_` id, whichever connection it comes through: its event's id is made of it, and of its own time, which does
   * not change when it comes again.
   */
  const record = ({ id, organisationId }: OpenConnection, report: ProcessorReport): Promise<void> => {
    const address = report.email === null ? null : parseAddress(report.email);
    const bytes = sha256Bytes(`${organisationId} ${report.id}`).slice(0, 16);
    return store.recordReport(db, {
      connectionId: id,
      id: idFromBytes('ev', stampUuidV7(bytes, report.createdAt)),
      ...{ mode: report.mode, event: report.event, at: report.createdAt, createdAt: now() },
      addressHash: address?.ok ? deps.hashAddress(organisationId, address.address.normalised) : null,
      references: report.references.map((reference) => deps.hashReference(organisationId, reference)),
    });
  };

  return {
    async create(organisation: string, { kind, webhook_secret }: Created & { kind: string }) {
      const { id: organisationId } = await requireOrganisation(deps.objects, organisation);
      const id = newConnectionId(deps.idKey(), now());
      const connection = { id, organisationId, kind, createdAt: now() };
      await store.insertConnection(db, { ...connection, secrets: await seal(id, [webhook_secret]) });
      return { connection: shown(connection) };
    },

    async list(organisation: string) {
      const { id } = await requireOrganisation(deps.objects, organisation);
      const activity = await store.listActivity(db, id, now() - ACTIVITY_MS);
      const connections = (await store.listConnections(db, id)).map((connection) => {
        const { lastAt = null, live = 0, test = 0 } = activity.get(connection.id) ?? {};
        const last_received_at = lastAt === null ? null : epochSeconds(lastAt);
        return { ...shown(connection), last_received_at, live_events: live, test_events: test };
      });
      return { connections };
    },

    async replaceSecret(organisation: string, idText: string, { webhook_secret }: Created) {
      const stored = await requireStored(organisation, idText);
      const { secrets } = await open(stored);
      const kept = secrets.filter((secret) => secret !== webhook_secret).slice(0, 1);
      await store.changeSecrets(db, stored.id, await seal(stored.id, [webhook_secret, ...kept]));
      deps.memory.connections.delete(stored.id);
      return { connection: shown(stored) };
    },

    async remove(organisation: string, idText: string) {
      const { id } = await requireStored(organisation, idText);
      await store.deleteConnection(db, id);
      deps.memory.connections.delete(id);
      return { done: true as const };
    },

    /** Stripe sends again, for days, what is not answered 2xx: so nothing is lost while Postgres is away. */
    async receive(idText: string, signed: SignedBody) {
      const connection = await find(idText);
      if (!isSignedByStripe(signed, connection.secrets, now()))
        throw new DomainError('invalid_request', 'The signature is missing, wrong or out of time.');
      const report = readStripeWebhook(signed.body);
      if (report === null) throw new DomainError('invalid_request', 'The body is no Stripe event.');
      const saysWhose = report.email !== null && report.references.length > 0;
      const isTimely = report.createdAt > now() - OLDEST_MS && report.createdAt < now() + DAY_MS;
      if (isTimely && (report.event !== null || saysWhose)) await record(connection, report);
      return { received: true as const };
    },
  };
}
