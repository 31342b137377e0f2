import { EVIDENCE_TABLE, type EvidenceTable } from './evidence-table.ts';
import type { HostClass } from './host-class.ts';
import { PRIOR_TABLE, type PriorTable } from './prior-table.ts';
import type { ProviderId } from './provider.ts';
import { type AnswerRows, PROVIDER_TABLE, type ProviderTable } from './provider-table.ts';

/** The tables that a belief is computed from. A trace names their version, which is enough to replay it. */
export interface Model {
  readonly version: string;
  readonly prior: PriorTable;
  readonly providers: ProviderTable;
  readonly evidence: EvidenceTable;
}

/** The model in force. A change of any number needs a new version, beside which the old one stays in `MODELS`. */
export const MODEL: Model = {
  version: '1',
  prior: PRIOR_TABLE,
  providers: PROVIDER_TABLE,
  evidence: EVIDENCE_TABLE,
};

/** Every model that stored traces may name. */
export const MODELS: readonly Model[] = [MODEL];

export const modelOf = (version: string, models = MODELS): Model | null =>
  models.find((model) => model.version === version) ?? null;

export const rowsAt = (model: Model, provider: ProviderId, host: HostClass): AnswerRows =>
  model.providers[provider].hosts[host] ?? model.providers[provider].anyHost;
