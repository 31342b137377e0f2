import { type Limits, screeningQuota, type Usage, usd, verificationQuota } from './usage.ts';

/** A month's allowances that an alert is about. */
export const ALLOWANCES = ['verifications', 'screenings', 'enrichment', 'providers'] as const;
export type Allowance = (typeof ALLOWANCES)[number];

/** The shares of an allowance that are told of, in percent. */
export const SHARES = [100, 80] as const;
export type Share = (typeof SHARES)[number];

/** A share that a month has used, told of once. */
export interface Alert {
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  readonly of: Allowance;
  readonly share: Share;
}

/** What of each allowance is used; null: it has no bound, or allows nothing. */
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

/** The shares that the month has used by now, the highest of each allowance first. */
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

/** What happens once all is used. */
const WHEN_SPENT: Record<Allowance, string> = {
  verifications: 'Verifications and decisions are refused (402) until the month ends, and bulk jobs pause.',
  screenings: 'Screenings are refused (402) until the month ends. Verifications go on.',
  enrichment: 'Decisions go on without enrichment until the month ends.',
  providers: 'Verifications go on without asking providers until the month ends, and say so.',
};

/** The mail that tells of it: numbers alone. */
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
