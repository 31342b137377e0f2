import TABLE from './subprocessors.json' with { type: 'json' };
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import type { ProviderId } from '../belief/provider.ts';
import { RETENTION_MS } from '../bulk/job.ts';
import type { PrivacySettings, RetentionDays } from '../metering/organisation-settings.ts';
import { enrichmentId, type EnrichmentVendorId } from '../policy/enrichment.ts';

/** How long the service keeps each kind of record, in days. No account keeps more. */
export const KEPT_DAYS: RetentionDays = { traces: 400, outcomes: 400, events: 400, history: 400, details: 90 };
/** No account keeps less: what caches have ends by itself in this time. */
export const KEPT_LEAST_DAYS = 30;

/** How long an account keeps each kind. What replays a trace goes with its trace. */
export function retentionOf(privacy: PrivacySettings | null | undefined): RetentionDays {
  const kept = { ...KEPT_DAYS, ...privacy?.retention };
  return { ...kept, details: Math.min(kept.details, kept.traces) };
}

/** How long what can't be erased at once may still hold an address. */
export const FREE_AFTER = {
  /** KV shows a deletion everywhere within this time. */
  cachesMs: MINUTE_MS,
  /** Files of a bulk job that was made just before. */
  bulkFilesMs: RETENTION_MS,
  /** Point-in-time recovery of an object's storage reaches back this far; Postgres' own not farther. */
  restorePointsMs: 30 * DAY_MS,
} as const;

/** What another company gets, and what its own page says about it. */
export interface Subprocessor {
  readonly id: string;
  readonly kind: 'verification' | 'enrichment' | 'model' | 'mail' | 'dns' | 'database' | 'platform';
  readonly name: string;
  /** What it is sent, in words. */
  readonly sent: readonly string[];
  /** The address itself is sent. */
  readonly getsAddress: boolean;
  /** An account can do without it. */
  readonly isSwitchable: boolean;
  /** Where requests go, unless settings name another host. */
  readonly host: string | null;
  /**
   * How long it keeps what it is sent, as its own page said on a day; without a source no page says it. Null means it is the
   * operator's own.
   */
  readonly retention: { readonly says: string; readonly source: string | null; readonly readOn: string } | null;
}

type Row = Omit<Subprocessor, 'id' | 'kind' | 'getsAddress' | 'isSwitchable' | 'sent'>;

const VERIFICATION: Readonly<Record<ProviderId, Row>> = TABLE.verification;
const ENRICHMENT: Readonly<Record<EnrichmentVendorId, Row>> = TABLE.enrichment;
/** Public resolvers by their host. */
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

/** All that the code knows how to use; which of them are on is a matter of settings. */
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
