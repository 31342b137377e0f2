import type { Calibration } from '../../contract/vocabulary.ts';
import { HISTORY_TABLE, type HistoryTable } from './history-table.ts';
import type { HostClass } from './host-class.ts';
import { PRIOR_TABLE, type PriorTable } from './prior-table.ts';
import type { ProviderId } from './provider.ts';
import { type AnswerRows, PROVIDER_TABLE, type ProviderTable } from './provider-table.ts';

/**
 * The tables that a belief is computed from: plain data, so that a fitted model is a JSON document with a version. A
 * trace names the version, which is enough to replay it.
 */
export interface Model {
  readonly version: string;
  /** `fitted` when the account's own outcomes moved the numbers. */
  readonly calibration: Calibration;
  readonly prior: PriorTable;
  readonly providers: ProviderTable;
  readonly history: HistoryTable;
  /**
   * The table from whose bounce rates the levels of lists are counted: the one that they were learnt by. A fit's own rates have the
   * account's level in them already, which would count twice.
   */
  readonly centre: PriorTable;
}

/** The seeded tables. A change of any number needs a new version. */
export const SEEDED_MODEL: Model = {
  version: 'seed-2',
  calibration: 'prior',
  prior: PRIOR_TABLE,
  providers: PROVIDER_TABLE,
  history: HISTORY_TABLE,
  centre: PRIOR_TABLE,
};

export const rowsAt = (model: Model, provider: ProviderId, host: HostClass): AnswerRows =>
  model.providers[provider].hosts[host] ?? model.providers[provider].anyHost;
