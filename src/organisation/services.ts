import type { InvitationRecord, MemberRecord } from '../domain/access/member-records.ts';
import type { ObservationContext } from '../domain/belief/facts.ts';
import type { Model } from '../domain/belief/model.ts';
import type { JobRecord } from '../domain/bulk/job-record.ts';
import type { Alert } from '../domain/metering/alerts.ts';
import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import type { Usage } from '../domain/metering/usage.ts';
import type { Clock } from '../kernel/clock.ts';
import type { WrittenCounters } from '../kernel/counters.ts';
import type { Id } from '../kernel/ids.ts';
import type { OutboxRow, WriteFailure } from '../storage/outbox-row.ts';

/** The addresses of traces, by the traces' ids. Those whose history takes no part are left out. */
export type TracedAddresses = ReadonlyMap<
  string,
  { readonly addressHash: string; readonly context: ObservationContext }
>;

/** What an organisation's object needs beyond its own storage. */
export interface ObjectServices {
  readonly now: Clock;
  /** How far service time is ahead of the machine's clock, which alarms follow. */
  readonly clockOffsetMs: number;
  readonly counters: WrittenCounters;
  /** The tables that groups are learned by. */
  readonly model: Model;
  /** Tells the operators' object that this organisation's has work that is due soon. False: it does not know. */
  noteWork(organisation: Id<'org'>): Promise<boolean>;
  wakeJobs(organisation: Id<'org'>, jobs: readonly Id<'bj'>[]): Promise<void>;
  deleteJobFiles(organisation: Id<'org'>, job: Id<'bj'>): Promise<void>;
  /** False: try again later. */
  sendJobMail(record: JobRecord): Promise<boolean>;
  /** False: try again later. */
  sendInvitation(organisation: OrganisationSettings, invitation: InvitationRecord): Promise<boolean>;
  /** Mails one admin. False: try again later. */
  sendAlert(organisation: OrganisationSettings, alert: Alert, usage: Usage, to: MemberRecord): Promise<boolean>;
  writeOutbox(kind: OutboxRow['kind'], rows: readonly OutboxRow[]): Promise<WriteFailure | null>;
  /** The addresses of these traces in Postgres, by the id that was asked for; rejects while it is away. */
  findTracedAddresses(organisation: Id<'org'>, ids: readonly Id<'vr' | 'dc'>[]): Promise<TracedAddresses>;
  /** Cuts addresses off from their rows in Postgres, by their hashes; false: try again later. */
  erase(organisation: Id<'org'>, erasures: readonly Erasure[]): Promise<boolean>;
}

/** An address whose rows in Postgres are still to be cut off. */
export interface Erasure {
  readonly addressHash: string;
  /** The organisation's own users with this address stay. */
  readonly keepsUsers: boolean;
}
