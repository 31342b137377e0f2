import type { Health } from '../contract/account.ts';
import type { StatusResponse } from '../contract/operator.ts';
import type { KeyClaims, KeySecret } from '../domain/access/key-format.ts';
import type { Counters } from '../kernel/counters.ts';
import type { Id } from '../kernel/ids.ts';
import type { BulkPort, ObjectDeps, OperatorsPort, OrganisationStub } from '../organisation/api.ts';
import type { FactStore } from '../storage/kv.ts';
import type { Database } from '../storage/postgres/client.ts';
import type { Blobs } from '../storage/r2.ts';
import type { AddressTables } from './bulk/addresses.ts';
import type { ConnectionMemory } from './connections/memory.ts';
import type { ListRefreshDeps } from './nightly/disposable-lists.ts';
import type { DecideDeps } from './policy/deciding-policy.ts';
import type { WireMessage } from './queue-message.ts';
import type { LabelDeps } from './screening/label.ts';

/**
 * What verbs need of the world: one value for all, made by runtime/wiring.ts. Functions below a verb name the parts that they
 * take.
 */
export interface Deps extends DecideDeps, LabelDeps {
  readHealth(): Health;
  /** What is wrong with the settings. */
  readonly faults: Readonly<StatusResponse['settings']>;
  /** Tells the operators’ object what this isolate has counted. Never rejects. */
  flushCounters(): Promise<void>;
  readonly db: Database;
  readonly objects: ObjectDeps<OrganisationStub & BulkPort & OperatorsPort>;
  readonly blobs: Blobs;
  /** Facts and evidence. Losing some costs money, never truth. */
  readonly kv: FactStore & {
    get(keys: string[]): Promise<ReadonlyMap<string, string | null>>;
    delete(key: string): Promise<void>;
  };
  /** A key's claims, checked by its MAC alone. Null: malformed or forged. Throws where a required setting is wrong. */
  readKey(key: string): KeyClaims | null;
  /** The current secret of keys first, then the previous ones. Throws where a setting is wrong. */
  keySecrets(): readonly [KeySecret, ...KeySecret[]];
  /** The setting itself (base64), for the bootstrap token. */
  serviceSecret(): string;
  readonly connections: ConnectionMemory;
  /** The service's own URL. Null: answers show paths alone. */
  readonly publicUrl: string | null;
  /** Both under `HASH_SECRET`, which is never rotated. */
  sealKey(): Uint8Array;
  connectionIdKey(): Uint8Array;
  /** Hashes ids that a payment processor gives people. */
  hashReference(organisationId: Id<'org'>, reference: string): string;
  readonly disposableLists: Omit<ListRefreshDeps, 'db'>;
  /** Fetches the night's disposable lists where this isolate lacks them, until `deadlineMs` at most. Never rejects. */
  freshLists(deadlineMs?: number): Promise<void>;
}

/** What queue messages and crons need: all that a verb needs, and the queues. */
export interface BackgroundDeps extends Deps {
  readonly counters: Counters;
  readonly addressTables: AddressTables;
  /** One a kind of message. */
  readonly queues: {
    readonly timers: Pick<Queue<WireMessage>, 'sendBatch'>;
    readonly jobs: Pick<Queue<WireMessage>, 'send'>;
    readonly nights: Pick<Queue<WireMessage>, 'sendBatch'>;
  };
}
