/** The result of one request, with its limits. */
export interface ServedRequest {
  readonly maxCostUsd: number;
  /** The vendors' charges, by their own ledger. */
  readonly billedMicros: number;
  /** The cost in the answer. */
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
  /** The time of a request that calls no vendor, made after each of the others: the machine's overhead. */
  readonly bareMs: readonly number[];
}
