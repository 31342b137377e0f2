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

/** Which companies requests go to. `host` null means the vendor's own. */
export interface ConfiguredVendors {
  readonly providers: readonly { readonly id: ProviderId; readonly host: string | null }[];
  readonly enrichment: readonly { readonly id: EnrichmentVendorId; readonly host: string | null }[];
  readonly model: { readonly backend: 'openai' | 'workers-ai'; readonly host: string | null } | null;
  readonly mail: { readonly host: string | null } | null;
  readonly resolvers: readonly string[];
}

/** What a verb reaches once its request is authorized. Functions below a verb name the parts that they take. */
export interface Deps extends DecideDeps, LabelDeps {
  /** What is wrong with the settings. */
  readonly faults: Readonly<StatusResponse['settings']>;
  /** Tells the operators’ object what this isolate has counted. Never rejects. */
  flushCounters(): Promise<void>;
  readonly db: Database;
  readonly objects: ObjectDeps & OperatorsDeps;
  readonly blobs: Blobs;
  readonly kv: { delete(key: string): Promise<void> };
  /** The other companies that settings have switched on. */
  readonly vendors: ConfiguredVendors;
  /** The service's own URL. Null means answers show paths alone. */
  readonly publicUrl: string | null;
  /** Verifications a month, and as many screenings, of an organisation that a person makes. */
  readonly signupQuota: number;
  readonly disposableLists: Omit<ListRefreshDeps, 'db'>;
}

/** What a verb reaches before its request is authorized: enough to read the input and build the call of the object. */
export type InputDeps = Pick<Deps, 'hashAddress'>;

/** Everything, as runtime/wiring.ts makes it. Only the frame and the verbs that `Reach` names get more of it than `Deps`. */
export interface ServiceDeps extends Deps {
  /** What this invocation finds of domains that the service did not know. */
  readonly newDomains: Pick<DomainFacts, 'isNew' | 'drop'>;
  readHealth(): Health;
  /** A key's claims, checked by its MAC alone. Null means malformed or forged. Throws where a required setting is wrong. */
  readKey(key: string): KeyCaller | null;
  /** The object refuses the key: for some seconds `readKey` does too, in this isolate. */
  refuseKey(key: string): void;
  /**
   * Call it once the invocation has its answer: writes, behind it, what was found of domains, and what was counted. What is found of
   * a domain later is written at once.
   */
  endInvocation(): void;
  /** The current secret of keys first, then the previous ones. Throws where a setting is wrong. */
  keySecrets(): readonly [KeySecret, ...KeySecret[]];
  /** The setting itself (base64), for the bootstrap token. */
  serviceSecret(): string;
  /** Both under `HASH_SECRET`: the key in use, then those of before a rotation. */
  sealKeys(): readonly [Uint8Array, ...Uint8Array[]];
  connectionIdKeys(): readonly [Uint8Array, ...Uint8Array[]];
  /** With the secrets of connections, opened. */
  readonly connections: ConnectionMemory;
  /** Hash ids that a payment processor gives people, under the present secret first. */
  readonly hashReferences: readonly ((organisationId: Id<'org'>, reference: string) => string)[];
  readonly mailServices: MailServices;
  /** Fetches the URL that begins a mail service's subscription. False: it did not begin. */
  confirmSubscription(url: string): Promise<boolean>;
}

/**
 * Finds the connection, opens its secret to check the proof, has the object write its outbox, looks up who takes the addresses’ mail,
 * and stores reports under hashes.
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
 * What a verb reaches that others do not, by its route's method and path. For a route without a key it is all that the verb
 * reaches.
 */
export interface Reach extends Record<`post /integrations/${MailService}/:connection_id`, MailWebhookReach> {
  /** Tells that the Worker is up. */
  'get /health': 'readHealth';
  /** Makes the operators' organisation and its first key, for a token that proves the service secret. */
  'post /operator/v1/bootstrap': 'serviceSecret' | 'keySecrets' | 'db' | 'objects' | 'now';
  /**
   * Finds the connection, opens its secret to check the signature, stores the report under hashes, and has the object learn what a
   * payment proves.
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
  /** Opens the secret that it replaces, and forgets it in this isolate. */
  'patch /v1/connections/:id': 'sealKeys' | 'connections';
  /** Forgets the connection in this isolate. */
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
  /** Opens the secret that it replaces, and forgets it in this isolate. */
  'patch /operator/v1/organisations/:id/connections/:connection_id': 'sealKeys' | 'connections';
  /** Forgets the connection in this isolate. */
  'delete /operator/v1/organisations/:id/connections/:connection_id': 'connections';
}

/** What queue messages and crons need: all that a verb needs, and the queues. */
export interface BackgroundDeps extends Deps, Pick<ServiceDeps, 'endInvocation' | 'sealKeys'> {
  readonly counters: Counters;
  readonly addressTables: AddressTables;
  /** Puts the suspected back ends in force in all isolates. */
  publishBackEnds(suspected: SuspectedBackEnds): Promise<void>;
  /** One a kind of message. */
  readonly queues: {
    readonly timers: Pick<Queue<QueueMessage>, 'sendBatch'>;
    readonly jobs: Pick<Queue<QueueMessage>, 'send'>;
    readonly nights: Pick<Queue<QueueMessage>, 'sendBatch'>;
  };
}
