/** What became of one request, beside what it allowed. */
export interface ServedRequest {
  readonly maxCostUsd: number;
  /** What the vendors charged for it, by their own ledger. */
  readonly billedMicros: number;
  /** What the answer says it cost. */
  readonly claimedMicros: number;
  /** What its trace says that failed calls may have cost beside that; null where the trace was not read. */
  readonly owedMicros: number | null;
  readonly maxLatencyMs: number;
  /** From its arrival to its answer, by the caller's clock. */
  readonly wallMs: number;
  /** The answer's own figure. */
  readonly latencyMs: number;
  readonly degraded: boolean;
}

export interface Run {
  readonly served: readonly ServedRequest[];
  /** Calls that reached a vendor. */
  readonly calls: number;
  /** How long a request took that asks for nothing, made after each of the others: what the machine adds. */
  readonly bareMs: readonly number[];
}
