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

const READ_ON = '2026-11-23';

/** An honest row for a company whose pages could not be read, or say nothing of it. */
const NOT_FOUND = { says: 'No statement of it was found on its own pages.', source: null, readOn: READ_ON } as const;

const VERIFICATION: Readonly<Record<ProviderId, Row>> = {
  zerobounce: {
    name: 'ZeroBounce',
    host: 'api.zerobounce.net',
    retention: {
      says: 'Validation results are stored for up to 30 days, then deleted.',
      source: 'https://www.zerobounce.net/docs/email-list-validation/deleting-your-data',
      readOn: READ_ON,
    },
  },
  neverbounce: { name: 'NeverBounce', host: 'api.neverbounce.com', retention: NOT_FOUND },
  kickbox: { name: 'Kickbox', host: 'api.kickbox.com', retention: NOT_FOUND },
  emailable: {
    name: 'Emailable',
    host: 'api.emailable.com',
    retention: {
      says: 'Single verifications are kept for 3 or 7 days, as the account chooses; everything is deleted after 30 days.',
      source: 'https://emailable.com/docs/manage-your-account/account/data-retention/',
      readOn: READ_ON,
    },
  },
  bouncer: { name: 'Bouncer', host: 'api.usebouncer.com', retention: NOT_FOUND },
  hunter: { name: 'Hunter', host: 'api.hunter.io', retention: NOT_FOUND },
  reacher: { name: 'Reacher, run by the operator of this service', host: null, retention: null },
};

const ENRICHMENT: Readonly<Record<EnrichmentVendorId, Row>> = {
  hunter: { name: 'Hunter (enrichment)', host: 'api.hunter.io', retention: NOT_FOUND },
  pdl: { name: 'People Data Labs', host: 'api.peopledatalabs.com', retention: NOT_FOUND },
};

/** Public resolvers by their host. */
const RESOLVERS: Readonly<Record<string, Subprocessor['retention']>> = {
  'cloudflare-dns.com': {
    says: 'Logs of queries are deleted within 25 hours; counts of domains asked for may stay.',
    source: 'https://developers.cloudflare.com/1.1.1.1/privacy/public-dns-resolver/',
    readOn: READ_ON,
  },
};

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
    openai: {
      ...MODEL,
      name: 'A model behind an endpoint in the form of OpenAI',
      host: null,
      retention: {
        says: 'OpenAI itself keeps logs for abuse monitoring for up to 30 days, unless agreed otherwise. Another host has rules of its own.',
        source: 'https://developers.openai.com/api/docs/guides/your-data',
        readOn: READ_ON,
      },
    },
    'workers-ai': {
      ...MODEL,
      name: 'Cloudflare Workers AI',
      host: null,
      retention: {
        says: 'It names no time. What is sent is used for no training, and stored where one of its storage services is used with it; none is.',
        source: 'https://developers.cloudflare.com/workers-ai/platform/data-usage/',
        readOn: READ_ON,
      },
    },
  },
  resend: {
    id: 'resend',
    kind: 'mail',
    name: 'Resend',
    sent: ['the addresses of the account’s own members', 'a job’s name and counts, a link for signing in'],
    getsAddress: false,
    isSwitchable: false,
    host: 'api.resend.com',
    retention: NOT_FOUND,
  },
  resolver: (host: string): Subprocessor => ({
    id: `dns_${host}`,
    kind: 'dns',
    name: `DNS over HTTPS at ${host}`,
    sent: ['the domain'],
    getsAddress: false,
    isSwitchable: false,
    host,
    retention: RESOLVERS[host] ?? NOT_FOUND,
  }),
  neon: {
    id: 'neon',
    kind: 'database',
    name: 'Neon',
    sent: ['traces, screenings, outcomes and events under keyed hashes', 'the addresses of the account’s own members'],
    getsAddress: false,
    isSwitchable: false,
    host: null,
    retention: {
      says: 'Changes are kept for restoring, up to 30 days as the plan and its setting have it (1 day by default).',
      source: 'https://neon.com/docs/introduction/history-window',
      readOn: READ_ON,
    },
  },
  cloudflare: {
    id: 'cloudflare',
    kind: 'platform',
    name: 'Cloudflare',
    sent: ['every request and answer, which it carries', 'keyed hashes', 'files of bulk jobs, for 7 days'],
    getsAddress: true,
    isSwitchable: false,
    host: null,
    retention: {
      says: 'An object’s storage can be restored as it was at any time of the last 30 days.',
      source: 'https://developers.cloudflare.com/durable-objects/api/sqlite-storage-api/',
      readOn: READ_ON,
    },
  },
} as const satisfies Record<string, Subprocessor | Record<string, Subprocessor> | ((...of: never[]) => Subprocessor)>;
