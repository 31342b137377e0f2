import type { Id } from '../../kernel/ids.ts';
import { type Limits, type Usage, screeningQuota, usd, verificationQuota } from './usage.ts';

export const ALLOWANCES = ['verifications', 'screenings', 'enrichment', 'providers'] as const;
export type Allowance = (typeof ALLOWANCES)[number];

/** The shares that trigger an alert, in percent. */
export const SHARES = [100, 80] as const;
export type Share = (typeof SHARES)[number];

/** A share that a month has used, alerted once. */
export interface Alert {
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  readonly of: Allowance;
  readonly share: Share;
}

/** The use of an allowance; null if it is unbounded, or allows nothing. */
function usedOf(of: Allowance, usage: Usage, limits: Limits): { readonly used: number; readonly limit: number } | null {
  const bounded = (used: number, limit: number | null) => (limit === null || limit <= 0 ? null : { used, limit });
  switch (of) {
    case 'verifications':
      return bounded(verificationQuota(usage, limits).used, limits.verificationQuota);
    case 'screenings':
      return bounded(screeningQuota(usage, limits).used, limits.screeningAllowance);
    case 'enrichment':
      return bounded(usage.enrichmentMicros, limits.enrichmentBudgetMicros);
    case 'providers':
      return bounded(usage.providerMicros, limits.providerBudgetMicros);
  }
}

/** The shares reached this month, the highest of each allowance first. */
export const reachedAlerts = (usage: Usage, limits: Limits): Alert[] =>
  ALLOWANCES.flatMap((of) => {
    const found = usedOf(of, usage, limits);
    if (found === null) return [];
    return SHARES.filter((share) => found.used * 100 >= found.limit * share).map((share) => ({
      month: usage.month,
      of,
      share,
    }));
  });

const NAMES: Record<Allowance, string> = {
  verifications: 'verification quota',
  screenings: 'screening allowance',
  enrichment: 'enrichment budget',
  providers: 'provider budget',
};

const WHEN_SPENT: Record<Allowance, string> = {
  verifications: 'Verifications and decisions are refused (402) until the month ends, and bulk jobs pause.',
  screenings: 'Screenings are refused (402) until the month ends. Verifications go on.',
  enrichment: 'Decisions go on without enrichment until the month ends.',
  providers: 'Verifications go on without asking providers until the month ends, and say so.',
};

/** The alert's mail: numbers only. */
export function alertMail(
  { month, of, share }: Alert,
  usage: Usage,
  limits: Limits,
  organisationName: string,
): { readonly subject: string; readonly text: string } {
  const { used = 0, limit = 0 } = usedOf(of, usage, limits) ?? {};
  const isMoney = of === 'enrichment' || of === 'providers';
  const shown = (amount: number): string => (isMoney ? `$${usd(amount).toFixed(2)}` : amount.toLocaleString('en'));
  // A header is one line.
  const name = organisationName.replace(/\s+/g, ' ');
  return {
    subject: `${share} % of the ${NAMES[of]} is used: ${name}`,
    text: [
      `"${name}" has used ${share} % of its ${NAMES[of]} of ${month} (UTC): ${shown(used)} of ${shown(limit)}.`,
      '',
      share === 100 ? WHEN_SPENT[of] : `Once all is used: ${WHEN_SPENT[of]}`,
      '',
      'You get this mail as a member of the organisation, once a month for each share. An admin chooses in the settings who gets it.',
      '',
    ].join('\n'),
  };
}

/** An organisation's settings, as its object stores them. */
export interface OrganisationSettings {
  readonly id: Id<'org'>;
  readonly accountId: Id<'acct'>;
  readonly name: string;
  readonly limits: Limits;
  /** Null means the service's defaults. */
  readonly privacy: PrivacySettings | null;
  /** Null means every alert, to every admin. */
  readonly alerts: AlertSettings | null;
  readonly secondFactor: boolean;
  readonly createdAt: number;
  /** Increases with every change, so that the projection never goes back. */
  readonly version: number;
}

/** Days that each kind of record is stored. */
export interface RetentionDays {
  readonly traces: number;
  readonly outcomes: number;
  readonly events: number;
  readonly history: number;
  /** The detail that replays a trace. */
  readonly details: number;
}

/** An account's deviations from the service's defaults. */
export interface PrivacySettings {
  readonly off: readonly string[];
  readonly retention: Partial<RetentionDays>;
}

/** A requested change: a vendor's switch, or kinds of records; null restores the service's retention. */
export interface PrivacyChange {
  readonly vendor?: { readonly id: string; readonly enabled: boolean };
  readonly retention?: { readonly [K in keyof RetentionDays]?: number | null };
}

export function withPrivacy(before: PrivacySettings | null, { vendor, retention }: PrivacyChange): PrivacySettings {
  const { off, retention: kept } = before ?? { off: [], retention: {} };
  const others = vendor === undefined ? off : off.filter((id) => id !== vendor.id);
  const days = Object.entries({ ...kept, ...retention }).filter(([, value]) => value !== null);
  return {
    off: vendor?.enabled === false ? [...others, vendor.id].sort() : others,
    retention: Object.fromEntries(days),
  };
}

export type AlertKind = Pick<Alert, 'of' | 'share'>;

/** Which alerts an account gets, and who receives them. */
export interface AlertSettings {
  readonly off: readonly AlertKind[];
  /** Ids of members; null means every admin. */
  readonly recipients: readonly Id<'u'>[] | null;
}

/** Omitted fields stay. */
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

/** The changed settings; of two changes of one alert the later counts. */
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
