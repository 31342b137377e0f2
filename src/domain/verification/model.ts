import type { Calibration } from '../../contract/vocabulary.ts';
import type { HostClass } from './host-class.ts';
import { PRIOR_TABLE, type PriorTable } from './prior-table.ts';
import type { ProviderId } from './provider.ts';
import { type AnswerRows, PROVIDER_TABLE, type ProviderTable } from './provider-table.ts';

/**
 * All that a belief is made from: plain data, so that a fitted one is a JSON document under its version. A trace names the
 * version, and the version alone replays it.
 */
export interface Model {
  readonly version: string;
  /** `fitted` when the account's own outcomes moved the numbers. */
  readonly calibration: Calibration;
  readonly prior: PriorTable;
  readonly providers: ProviderTable;
}

/** The tables as seeded. A change of any of their numbers is a new version. */
export const SEEDED_MODEL: Model = {
  version: 'seed-1',
  calibration: 'prior',
  prior: PRIOR_TABLE,
  providers: PROVIDER_TABLE,
};

export const rowsAt = (model: Model, provider: ProviderId, host: HostClass): AnswerRows =>
  model.providers[provider].hosts[host] ?? model.providers[provider].anyHost;
