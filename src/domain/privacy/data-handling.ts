import TABLE from './subprocessors.json' with { type: 'json' };
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import type { ProviderId } from '../belief/provider.ts';
import { RETENTION_MS } from '../bulk/job.ts';
import type { PrivacySettings, RetentionDays } from '../metering/organisation-settings.ts';
import { enrichmentId, type EnrichmentVendorId } from '../policy/enrichment.ts';

/** Days that each kind of record is stored, at most. */
export const KEPT_DAYS: RetentionDays = { traces: 400, outcomes: 400, events: 400, history: 400, details: 90 };
/** The shortest retention: caches expire by themselves within it. */
export const KEPT_LEAST_DAYS = 30;

/** An account's retention. A trace's detail goes with its trace. */
export function retentionOf(privacy: PrivacySettings | null | undefined): RetentionDays {
  const kept = { ...KEPT_DAYS, ...privacy?.retention };
  return { ...kept, details: Math.min(kept.details, kept.traces) };
}

/** How long an address may remain where it can't be erased at once. */
export const FREE_AFTER = {
  /** KV shows a deletion everywhere within this time. */
  cachesMs: MINUTE_MS,
  /** Files of a bulk job that was just made. */
  bulkFilesMs: RETENTION_MS,
  /** Point-in-time recovery of an object's storage; Postgres' is no longer. */
  restorePointsMs: 30 * DAY_MS,
} as const;

/** What another company receives, and what its own page says about it. */
export interface Subprocessor {
  readonly id: string;
  readonly kind: 'verification' | 'enrichment' | 'model' | 'mail' | 'dns' | 'database' | 'platform';
  readonly name: string;
  readonly sent: readonly string[];
  readonly getsAddress: boolean;
  /** An account can switch it off. */
  readonly isSwitchable: boolean;
  /** The default host of its requests. */
  readonly host: string | null;
  /** Its retention by its own page as of a day; without a source no page says it. Null means the operator's own. */
  readonly retention: { readonly says: string; readonly source: string | null; readonly readOn: string } | null;
}

type Row = Omit<Subprocessor, 'id' | 'kind' | 'getsAddress' | 'isSwitchable' | 'sent'>;

const VERIFICATION: Readonly<Record<ProviderId, Row>> = TABLE.verification;
const ENRICHMENT: Readonly<Record<EnrichmentVendorId, Row>> = TABLE.enrichment;
const RESOLVERS: Readonly<Record<string, Subprocessor['retention']>> = TABLE.resolvers;

/** An account has one model. */
export const MODEL_ID = 'model';

const OF_VENDORS = { getsAddress: true, isSwitchable: true } as const;

const MODEL = {
  id: MODEL_ID,
  kind: 'model',
  sent: ['the name alone, to tell an invented one', 'the domain alone, to tell a suspicious one'],
  getsAddress: false,
  isSwitchable: true,
} as const;

/** All that the code can use; settings enable them. */
export const SUBPROCESSORS = {
  verification: (id: ProviderId): Subprocessor => ({
    id,
    kind: 'verification',
    sent: ['the email address'],
    ...OF_VENDORS,
    ...VERIFICATION[id],
  }),
  enrichment: (id: EnrichmentVendorId): Subprocessor => ({
    id: enrichmentId(id),
    kind: 'enrichment',
    sent: ['the domain, for a company', 'the email address, for a person'],
    ...OF_VENDORS,
    ...ENRICHMENT[id],
  }),
  model: {
    openai: { ...MODEL, ...TABLE.model.openai },
    'workers-ai': { ...MODEL, ...TABLE.model['workers-ai'] },
  },
  resend: TABLE.resend as Subprocessor,
  resolver: (host: string): Subprocessor => ({
    id: `dns_${host}`,
    kind: 'dns',
    name: `DNS over HTTPS at ${host}`,
    sent: ['the domain'],
    getsAddress: false,
    isSwitchable: false,
    host,
    retention: RESOLVERS[host] ?? TABLE.notFound,
  }),
  neon: TABLE.neon as Subprocessor,
  cloudflare: TABLE.cloudflare as Subprocessor,
} as const satisfies Record<string, Subprocessor | Record<string, Subprocessor> | ((...of: never[]) => Subprocessor)>;
