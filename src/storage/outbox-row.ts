/** A record on its way from the object to Postgres. */
export interface OutboxRow {
  readonly seq: number;
  readonly kind:
    | 'trace'
    | 'screening'
    | 'outcome'
    | 'event'
    | 'organisation'
    | 'api_key'
    | 'usage'
    | 'domain_rules'
    | 'address_rules'
    | 'policy'
    | 'losses'
    | 'member'
    | 'invitation'
    | 'audit'
    | 'bulk_job';
  readonly id: string;
  /** JSON. */
  readonly record: string;
  readonly at: number;
}

/** `rejected`: Postgres answered that a row's content is wrong; `unavailable`: anything else, so try again later. */
export interface WriteFailure {
  readonly kind: 'unavailable' | 'rejected';
  readonly error: unknown;
}
