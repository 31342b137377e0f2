import * as z from 'zod';
import { EpochSeconds, Probability } from './common.ts';
import { Calibration } from './vocabulary.ts';

const Count = z.number().int().min(0);
const LogLoss = z.number().min(0).nullable();

const OutcomeSource = z.object({
  source: z.string().describe('`api`: reports that name a trace; `import`; or the id of a connection.'),
  kind: z.string().nullable().describe('The connection’s service; null for the others, and once it is deleted.'),
  outcomes: Count.describe('All stored ones (400 days), usable or not.'),
  hard_bounces: Count.describe('Of these.'),
});

const Sends = z
  .object({
    days: Count.describe('The days counted, up to the run.'),
    verified: Count.describe('Verified addresses that were not `drop`; the newest 200,000 at most.'),
    reported: Count.describe('How many of these have a known outcome.'),
    share: Probability.nullable().describe('`reported` of `verified`; null without any.'),
  })
  .nullable()
  .describe('The share of possible sends with a known outcome; null before the first run.');
export type Sends = z.infer<typeof Sends>;

const ReliabilityBin = z.object({
  predicted: Probability.describe('Mean bounce probability of these addresses.'),
  observed: Probability.describe('Share of them that hard-bounced.'),
  ci: z.tuple([Probability, Probability]).describe('90 % credible interval of the rate behind `observed`.'),
  count: Count.describe('Outcomes in the bin.'),
});

/** Bounces of one kind that were not understood. */
const Unread = z.object({
  host_family: z
    .string()
    .describe('The operator of the mail hosts: `google`, `microsoft`, …; `unknown` for any other.'),
  code: z.string().nullable().describe('Basic reply code (RFC 5321), or null.'),
  enhanced: z.string().nullable().describe('Enhanced status code (RFC 3463), or null.'),
  count: Count.describe('Reports.'),
});
export type Unread = z.infer<typeof Unread>;

/** The mean cost per address of one strategy of asking providers. */
const AskingCost = z.object({
  spend_usd: z.number().min(0).describe('Paid to providers.'),
  loss_usd: z.number().min(0).describe('Expected cost of mistakes, by the account’s own losses.'),
});

const Routing = z
  .object({
    days: Count.describe('The days counted, up to the run.'),
    addresses: Count.describe('Judgements that had a provider to ask; the newest 5,000 at most.'),
    router: AskingCost.describe('What happened.'),
    always: AskingCost.describe('If the best provider had been asked each time.'),
    never: AskingCost.describe('If no provider had been asked.'),
  })
  .nullable()
  .describe(
    'The cost per address of asking providers, beside two simpler strategies; null before the first run, and without such judgements.',
  );
export type Routing = z.infer<typeof Routing>;

export const CalibrationReport = z.object({
  version: z.string().describe('The tables in force, as `features.model_version` of traces names them.'),
  state: Calibration.describe('`fitted` once reports of the account move its numbers; until then `prior`.'),
  computed_at: EpochSeconds.nullable().describe('When the nightly run began; null before the first.'),
  outcomes: Count.describe('Answers with a later outcome about the mailbox; the newest 20,000.'),
  hard_bounces: Count.describe('Of these.'),
  sources: z.array(OutcomeSource).describe('Outcomes by source.'),
  sends: Sends,
  log_loss: z
    .object({
      prior: LogLoss.describe('By the tables alone; null without outcomes.'),
      fitted: LogLoss.describe('By the numbers as answered, before each outcome came; null without outcomes.'),
    })
    .describe(
      'How far predictions were from outcomes: the mean of −ln(predicted probability of what happened). Lower is better; 0.693 is a coin toss.',
    ),
  coverage: Probability.nullable().describe(
    'The share of groups of 20 neighbouring predictions whose interval contains the observed rate; near 0.9 it is right. Null with too few outcomes.',
  ),
  log_loss_nights: z
    .array(
      z.object({
        computed_at: EpochSeconds.describe('When the run began.'),
        prior: z.number().min(0).describe('By the tables.'),
        fitted: LogLoss.describe('By the numbers as answered.'),
      }),
    )
    .optional()
    .describe('`log_loss` of each run, oldest first: the last 90 nights with outcomes.'),
  routing: Routing.optional(),
  unread: z
    .array(Unread)
    .describe('Bounces with an inconclusive text, from which nothing was learned; the 100 most frequent kinds.'),
  bins: z
    .array(ReliabilityBin)
    .describe('The answered numbers against the outcomes, by rising prediction. Ranges without outcomes are omitted.'),
});
export type CalibrationReport = z.infer<typeof CalibrationReport>;
export type OutcomeSource = z.infer<typeof OutcomeSource>;
