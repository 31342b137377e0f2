import { type Counters, log } from '../../kernel/log.ts';
import type { EnrichmentDeps } from './enrich.ts';

/** Counts enrichment's calls by source and logs each that failed: the source and the failure, never the person. */
export const countEnrichment =
  (counters: Counters): EnrichmentDeps['onEnrichment'] =>
  ({ source, result, ms, costMicros }) => {
    if (costMicros > 0) counters.add('enrichment_spend_micros', costMicros, source);
    if (result === 'found' || result === 'not_found') return counters.add('enrichment_ms', ms, source);
    counters.add('enrichment_failed', 1, `${source}:${result}`);
    log('warn', 'enrichment_failed', { source, failure: result, ms });
  };
