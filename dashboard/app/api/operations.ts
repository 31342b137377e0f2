export interface Waiting {
  readonly outbox_rows: number;
  readonly outbox_age_s: number | null;
  readonly outbox_dead: number;
  readonly erasures: number;
  readonly jobs_failed: number;
}

/** `GET /operator/v1/status` without its counters. */
export interface ServiceStatus {
  /** Parts of the status that could not be read. */
  readonly unread: readonly string[];
  readonly totals: Waiting & {
    readonly organisations: number;
    readonly unreachable: number;
    readonly dead_letters: number;
  };
  readonly organisations: readonly (Waiting & { readonly id: string; readonly provider_spend_usd: number })[];
  readonly unreachable: readonly string[];
  readonly providers: readonly {
    readonly provider: string;
    readonly calls: number;
    readonly failed: number;
    readonly error_rate: number;
    readonly mean_ms: number | null;
    readonly max_ms: number | null;
  }[];
  readonly dead_letters: readonly {
    readonly queue: string;
    readonly count: number;
    readonly newest_age_s: number;
    readonly newest: string;
  }[];
  readonly cron: readonly { readonly step: string; readonly age_s: number; readonly report: unknown }[];
  readonly settings: readonly { readonly setting: string; readonly problem: string; readonly off: string }[];
}

/** An organisation in the directory. */
export interface DirectoryEntry {
  readonly id: string;
  readonly name: string;
  readonly verification_quota: number;
  readonly provider_budget_usd: number | null;
  readonly created_at: number;
}

export interface Operations {
  readonly status: ServiceStatus;
  /** Newest first; null: the directory can't be read. */
  readonly directory: readonly DirectoryEntry[] | null;
}
