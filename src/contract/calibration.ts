import * as z from 'zod';
import { EpochSeconds, Probability } from './common.ts';
import { Calibration } from './vocabulary.ts';

const Count = z.number().int().min(0);
const LogLoss = z.number().min(0).nullable();

/** Outcomes whose predictions were near each other. */
const ReliabilityBin = z.object({
  predicted: Probability.describe('Mean of what was predicted.'),
  observed: Probability.describe('Share that hard-bounced.'),
  ci: z.tuple([Probability, Probability]).describe('90 % credible interval of the observed rate.'),
  count: Count,
});

export const CalibrationReport = z.object({
  version: z.string().describe('The model in force, as traces name it.'),
  state: Calibration,
  computed_at: EpochSeconds.nullable().describe('Null before the first nightly run.'),
  outcomes: Count.describe('Usable ones: about the mailbox, one an address.'),
  hard_bounces: Count,
  log_loss: z
    .object({
      prior: LogLoss.describe('Of the seeded table; null without outcomes.'),
      fitted: LogLoss.describe('Of the fit, on addresses it has not seen; null while there are too few outcomes.'),
    })
    .describe('Mean natural-log loss over the outcomes.'),
  bins: z.array(ReliabilityBin).describe('The model in force against the outcomes, by rising prediction.'),
});
export type CalibrationReport = z.infer<typeof CalibrationReport>;
