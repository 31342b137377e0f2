import type { Id } from '../../kernel/ids.ts';
import type { Limits } from './usage.ts';

/** An organisation as its object keeps it. */
export interface OrganisationSettings {
  readonly id: Id<'org'>;
  readonly accountId: Id<'acct'>;
  readonly name: string;
  readonly limits: Limits;
  /** Null: as the service does it. The release before leaves it out. */
  readonly privacy: PrivacySettings | null;
  readonly createdAt: number;
  /** Goes up with every change, so that the projection never goes back. */
  readonly version: number;
}

/** How long each kind of record is kept, in days. */
export interface RetentionDays {
  readonly traces: number;
  readonly outcomes: number;
  readonly events: number;
  readonly history: number;
  /** What replays a trace. */
  readonly details: number;
}

/** What an account does otherwise than the service. */
export interface PrivacySettings {
  /** Vendors that it has switched off. */
  readonly off: readonly string[];
  /** Kinds that it keeps for less time. */
  readonly retention: Partial<RetentionDays>;
}

/** What is asked to change: a vendor's switch, or kinds of records; null: kept as long as the service does. */
export interface PrivacyChange {
  readonly vendor?: { readonly id: string; readonly enabled: boolean };
  readonly retention?: { readonly [K in keyof RetentionDays]?: number | null };
}

/** The settings with a change; the same object where nothing changes. */
export function withPrivacy(before: PrivacySettings | null, { vendor, retention }: PrivacyChange): PrivacySettings {
  const { off, retention: kept } = before ?? { off: [], retention: {} };
  const others = vendor === undefined ? off : off.filter((id) => id !== vendor.id);
  const days = Object.entries({ ...kept, ...retention }).filter(([, value]) => value !== null);
  return {
    off: vendor?.enabled === false ? [...others, vendor.id].sort() : others,
    retention: Object.fromEntries(days),
  };
}
