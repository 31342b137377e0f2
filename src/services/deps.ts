import type { Health } from '../contract/account.ts';
import type { StatusResponse } from '../contract/operator.ts';
import type { KeySecret } from '../domain/access/keys.ts';
import type { ProviderId } from '../domain/belief/provider.ts';
import type { MailService } from '../domain/feedback/outcomes.ts';
import type { SuspectedBackEnds } from '../domain/mailbox-provider/back-ends.ts';
import type { EnrichmentVendorId } from '../domain/policy/enrichment.ts';
import type { MailServices } from '../integrations/mail-services/mail-services.ts';
import type { Id } from '../kernel/ids.ts';
import type { Counters } from '../kernel/log.ts';
import type { ObjectDeps, OperatorsDeps } from '../organisation/api.ts';
import type { Database } from '../storage/postgres/client.ts';
import type { DomainFacts } from '../storage/domain-facts.ts';
import type { Blobs } from '../storage/r2.ts';
import type { AddressTables } from './bulk/stored-files.ts';
import type { ConnectionMemory } from './connection-memory.ts';
import type { ListRefreshDeps } from './disposable-lists.ts';
import type { KeyCaller } from './object-exchange.ts';
import type { DecideDeps } from './policy/apply-policy.ts';
import type { QueueMessage } from './queue-message.ts';
import type { LabelDeps } from './screening/label.ts';

/** The companies that requests go to. `host` null means the vendor's own. */
export interface ConfiguredVendors {
  readonly providers: readonly { readonly id: ProviderId; readonly host: string | null }[];
  readonly enrichment: readonly { readonly id: EnrichmentVendorId; readonly host: string | null }[];
  readonly model: { readonly backend: 'openai' | 'workers-ai'; readonly host: string | null } | null;
  readonly mail: { readonly host: string | null } | null;
  readonly resolvers: readonly string[];
}

/** What a verb may use once its request is authorized. Functions below a verb name the parts that they take. */
export interface Deps extends DecideDeps, LabelDeps {
  readonly faults: Readonly<StatusResponse['settings']>;
  /** Sends this isolate's counts to the operators’ object. Never rejects. */
  flushCounters(): Promise<void>;
  readonly db: Database;
  readonly objects: ObjectDeps & OperatorsDeps;
  readonly blobs: Blobs;
  readonly kv: { delete(key: string): Promise<void> };
  /** The other companies that settings enable. */
  readonly vendors: ConfiguredVendors;
  /** The service's own URL; null: answers contain only paths. */
  readonly publicUrl: string | null;
  /** Verifications, and as many screenings, a month for an organisation that a person makes. */
  readonly signupQuota: number;
  readonly disposableLists: Omit<ListRefreshDeps, 'db'>;
}

/** What a verb may use before authorization: enough to read the input and build the object's call. */
export type InputDeps = Pick<Deps, 'hashAddress'>;

/** Everything, as runtime/wiring.ts makes it. Only the frame and the verbs in `Reach` get more of it than `Deps`. */
export interface ServiceDeps extends Deps {
  /** This invocation's look-ups of domains new to the service. */
  readonly newDomains: Pick<DomainFacts, 'isNew' | 'drop'>;
  readHealth(): Health;
  /** A key's claims by its MAC alone; null for a malformed or forged key. Throws if a required setting is wrong. */
  readKey(key: string): KeyCaller | null;
  /** Remembers in this isolate, for some seconds, that the object refuses the key. */
  refuseKey(key: string): void;
  /** To be called after the answer: writes domain facts and counters. Later look-ups are written at once. */
  endInvocation(): void;
  /** The current secret of keys first, then the previous ones. Throws if a setting is wrong. */
  keySecrets(): readonly [KeySecret, ...KeySecret[]];
  /** The setting itself (base64), for the bootstrap token. */
  serviceSecret(): string;
  /** Both under `HASH_SECRET`: the key in use, then those of before a rotation. */
  sealKeys(): readonly [Uint8Array, ...Uint8Array[]];
  connectionIdKeys(): readonly [Uint8Array, ...Uint8Array[]];
  /** With opened secrets. */
  readonly connections: ConnectionMemory;
  /** Hash ids that a payment processor gives people, under the present secret first. */
  readonly hashReferences: readonly ((organisationId: Id<'org'>, reference: string) => string)[];
  readonly mailServices: MailServices;
  /** Fetches the URL that confirms a mail service's subscription. False: not confirmed. */
  confirmSubscription(url: string): Promise<boolean>;
}

/**
 * Finds the connection, opens its secret to check the proof, flushes the object's outbox, looks up the addresses’ mail
 * hosts, and stores reports under hashes.
 */
export type MailWebhookReach =
  | 'connectionIdKeys'
  | 'sealKeys'
  | 'connections'
  | 'mailServices'
  | 'confirmSubscription'
  | 'lists'
  | 'findMailHosts'
  | 'classifyMailHosts'
  | 'db'
  | 'objects'
  | 'now'
  | 'hashAddress'
  | 'earlierHashes'
  | 'counters'
  | 'hashReferences';

/**
 * What a verb uses beyond the others, by its route's method and path. For a route without a key it is all that the verb
 * uses.
 */
export interface Reach extends Record<`post /integrations/${MailService}/:connection_id`, MailWebhookReach> {
  /** Reports that the Worker is up. */
  'get /health': 'readHealth';
  /** Makes the operators' organisation and its first key, for a token that proves the service secret. */
  'post /operator/v1/bootstrap': 'serviceSecret' | 'keySecrets' | 'db' | 'objects' | 'now';
  /**
   * Finds the connection, opens its secret to check the signature, stores the report under hashes, and has the object
   * learn what a payment proves.
   */
  'post /integrations/stripe/:connection_id':
    | 'connectionIdKeys'
    | 'sealKeys'
    | 'connections'
    | 'lists'
    | 'findMailHosts'
    | 'classifyMailHosts'
    | 'objects'
    | 'db'
    | 'now'
    | 'hashAddress'
    | 'earlierHashes'
    | 'hashReferences';
  /** Makes the connection's id, and seals its secret. */
  'post /v1/connections': 'connectionIdKeys' | 'sealKeys';
  /** Opens the replaced secret, and drops it in this isolate. */
  'patch /v1/connections/:id': 'sealKeys' | 'connections';
  /** Drops the connection in this isolate. */
  'delete /v1/connections/:id': 'connections';
  /** Both issue a key. */
  'post /v1/keys': 'keySecrets';
  'post /v1/keys/:id/rotate': 'keySecrets';
  /** Issues a key. */
  'post /operator/v1/organisations/:id/keys': 'keySecrets';
  /** Both determine which keys a rotated secret still reads. */
  'get /operator/v1/organisations/:id/keys': 'keySecrets';
  'delete /operator/v1/organisations/:id/keys/:key_id': 'keySecrets';
  /** Makes the connection's id, and seals its secret. */
  'post /operator/v1/organisations/:id/connections': 'connectionIdKeys' | 'sealKeys';
  /** Opens the replaced secret, and drops it in this isolate. */
  'patch /operator/v1/organisations/:id/connections/:connection_id': 'sealKeys' | 'connections';
  /** Drops the connection in this isolate. */
  'delete /operator/v1/organisations/:id/connections/:connection_id': 'connections';
}

/** What queue messages and crons need: a verb's dependencies, and the queues. */
export interface BackgroundDeps extends Deps, Pick<ServiceDeps, 'endInvocation' | 'sealKeys'> {
  readonly counters: Counters;
  readonly addressTables: AddressTables;
  /** Puts the suspected back ends in force in all isolates. */
  publishBackEnds(suspected: SuspectedBackEnds): Promise<void>;
  /** One for each kind of message. */
  readonly queues: {
    readonly timers: Pick<Queue<QueueMessage>, 'sendBatch'>;
    readonly jobs: Pick<Queue<QueueMessage>, 'send'>;
    readonly nights: Pick<Queue<QueueMessage>, 'sendBatch'>;
  };
}
