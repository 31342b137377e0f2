export { type CompiledPolicy, compilePolicy } from './compile.ts';
export { DEFAULT_POLICY, DEFAULT_SLUG } from './default-policy.ts';
export { isPolicySlug, type ParsedPolicy, parsePolicy, type TextFault } from './document.ts';
export {
  type Enrichment,
  type EnrichmentCall,
  type EnrichmentDeps,
  type EnrichmentLimits,
  type EnrichmentReport,
  type EnrichmentSubject,
  openEnrichment,
  type ReserveBudget,
} from './enrichment/enrich.ts';
export { SOURCE_IDS, type Source, type SourceId } from './enrichment/source.ts';
export { createSources } from './enrichment/sources.ts';
export type { Exchange, SourceSettings } from './enrichment/vendor.ts';
export { type AssignArm, explain, type Verdict } from './evaluate.ts';
export { armOf } from './experiment.ts';
export { type AskedFacts, type Facts, type GivenFacts } from './facts.ts';
export { type Fault, faultsMessage } from './faults.ts';
export { type HighestCost, highestCost } from './highest-cost.ts';
export { type Asks, type Resolution, resolveDecision } from './resolve.ts';
export { openSimulation, type SimulationRun } from './simulate.ts';
