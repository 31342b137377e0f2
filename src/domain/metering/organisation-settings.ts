import type { Id } from '../../kernel/ids.ts';
import type { Alert } from './alerts.ts';
import type { Limits } from './usage.ts';

/** An organisation as its object keeps it. */
export interface OrganisationSettings {
  readonly id: Id<'org'>;
  readonly accountId: Id<'acct'>;
  readonly name: string;
  readonly limits: Limits;
  /** Null: as the service does it. */
  readonly privacy: PrivacySettings | null;
  /** Null: every alert, to every admin. */
  readonly alerts: AlertSettings | null;
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

/** The settings with a change. */
export function withPrivacy(before: PrivacySettings | null, { vendor, retention }: PrivacyChange): PrivacySettings {
  const { off, retention: kept } = before ?? { off: [], retention: {} };
  const others = vendor === undefined ? off : off.filter((id) => id !== vendor.id);
  const days = Object.entries({ ...kept, ...retention }).filter(([, value]) => value !== null);
  return {
    off: vendor?.enabled === false ? [...others, vendor.id].sort() : others,
    retention: Object.fromEntries(days),
  };
}

/** One of an organisation's alerts: a share of an allowance. */
export type AlertKind = Pick<Alert, 'of' | 'share'>;

/** Which alerts an account wants, and who gets them. */
export interface AlertSettings {
  readonly off: readonly AlertKind[];
  /** Members, by id alone; null: every admin. */
  readonly recipients: readonly Id<'u'>[] | null;
}

/** What is asked to change. What is left out stays. */
export interface AlertsChange {
  readonly alerts?: readonly (AlertKind & { readonly enabled: boolean })[];
  readonly recipients?: readonly Id<'u'>[] | null;
}

const isKind =
  ({ of, share }: AlertKind) =>
  (other: AlertKind): boolean =>
    other.of === of && other.share === share;

export const isAlertOff = (settings: AlertSettings | null | undefined, kind: AlertKind): boolean =>
  settings?.off.some(isKind(kind)) === true;

/** The settings with a change; of two changes of one alert the later counts. */
export function withAlerts(before: AlertSettings | null, { alerts = [], recipients }: AlertsChange): AlertSettings {
  const off = alerts.reduce<readonly AlertKind[]>((left, { of, share, enabled }) => {
    const others = left.filter((kind) => !isKind({ of, share })(kind));
    return enabled ? others : [...others, { of, share }];
  }, before?.off ?? []);
  return {
    off: off.toSorted((one, other) => one.of.localeCompare(other.of) || one.share - other.share),
    recipients: recipients === undefined ? (before?.recipients ?? null) : recipients && [...new Set(recipients)].sort(),
  };
}
