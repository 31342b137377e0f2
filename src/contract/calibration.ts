import * as z from 'zod';
import { EpochSeconds, Probability } from './common.ts';
import { Calibration } from './vocabulary.ts';

const Count = z.number().int().min(0);
const LogLoss = z.number().min(0).nullable();

const OutcomeSource = z.object({
  source: z.string().describe('`api`: reports that name a trace; `import`; or the id of a connection.'),
  kind: z.string().nullable().describe('The connection’s service; null for the others, and once it is deleted.'),
  outcomes: Count.describe('All that are kept (400 days), usable or not.'),
  hard_bounces: Count.describe('Of these.'),
});

const Sends = z
  .object({
    days: Count.describe('The days counted, up to the run.'),
    verified: Count.describe(
      'Addresses verified or decided on that were not to be dropped; the newest 200,000 at most.',
    ),
    reported: Count.describe('Of these, those whose outcome is known.'),
    share: Probability.nullable().describe('`reported` of `verified`; null without any.'),
  })
  .nullable()
  .describe('How much of what may have been sent has a known outcome; null before the first run.');
export type Sends = z.infer<typeof Sends>;

/** Outcomes whose predictions were near each other. */
const ReliabilityBin = z.object({
  predicted: Probability.describe('Mean bounce probability of these addresses.'),
  observed: Probability.describe('Share of them that hard-bounced.'),
  ci: z.tuple([Probability, Probability]).describe('90 % credible interval of the rate behind `observed`.'),
  count: Count.describe('Outcomes in the bin.'),
});

const HistoryWorth = z
  .object({
    outcomes: Count.describe(
      'Reports of bounces and deliveries that predictions are held against; of a sample of addresses where there are many.',
    ),
    log_loss: z
      .object({
        without: LogLoss.describe(
          'Without any history: host, purpose, the address itself and answers of the same day.',
        ),
        address: LogLoss.describe('With the address’s own earlier answers and reports.'),
        domain: LogLoss.describe('With other addresses of its domain.'),
        list: LogLoss.describe('With other addresses of its list.'),
        all: LogLoss.describe('With all three.'),
      })
      .describe(
        'Of the seeded table, by what it reads. The report that is predicted, and what the address showed later, take no part.',
      ),
  })
  .nullable()
  .describe(
    'What the account’s history is worth to its predictions; null before the first run, and without such reports.',
  );

/** What one way of asking providers costs an address, on the average. */
const AskingCost = z.object({
  spend_usd: z.number().min(0).describe('Paid to providers.'),
  loss_usd: z.number().min(0).describe('Expected cost of mistakes, by the account’s own losses.'),
});

const Routing = z
  .object({
    days: Count.describe('The days counted, up to the run.'),
    addresses: Count.describe('Judgements that had a provider to ask; the newest 5,000 at most.'),
    router: AskingCost.describe('What happened.'),
    always: AskingCost.describe('Had the best provider been asked also where the service decided at once.'),
    never: AskingCost.describe('Had no provider been asked.'),
  })
  .nullable()
  .describe(
    'What asking providers cost beside two simpler ways, of an address; null before the first run, and without such judgements.',
  );
export type Routing = z.infer<typeof Routing>;

const Progressive = z
  .object({
    outcomes: Count.describe('Answers of the last 90 days whose outcome came after them; the newest 2,000 at most.'),
    log_loss: z
      .object({
        without: LogLoss.describe(
          'Without any history: host, purpose, the address itself, and what vendors said to the request.',
        ),
        address: LogLoss.describe('With what was known of the address itself: answers, reports, proofs of life.'),
        neighbours: LogLoss.describe('With what was known of its domain and its list, and the shared flag.'),
        all: LogLoss.describe('With both: as it was answered.'),
      })
      .describe('By what of the time each prediction reads.'),
  })
  .nullable()
  .describe(
    'Progressive validation: answers as they were given, made again from their traces, held against outcomes that came later. Null before the first run, and without such outcomes.',
  );
export type Progressive = z.infer<typeof Progressive>;

export const CalibrationReport = z.object({
  version: z
    .string()
    .describe('The model in force, as `features.model_version` of traces names it; `seed-…`: the table.'),
  state: Calibration.describe(
    '`prior`: the seeded table is in force; `fitted`: a model of the account’s own outcomes.',
  ),
  computed_at: EpochSeconds.nullable().describe('When the nightly run began; null before the first.'),
  outcomes: Count.describe('Usable ones: about the mailbox, one an address. A fit takes 200.'),
  hard_bounces: Count.describe('Of these. A fit takes 10.'),
  missing: z
    .object({ outcomes: Count.describe('Usable outcomes.'), hard_bounces: Count.describe('Hard bounces.') })
    .describe('How many more usable ones a fit takes; both 0: there are enough.'),
  sources: z.array(OutcomeSource).describe('Where outcomes came from, as the run found them.'),
  sends: Sends,
  log_loss: z
    .object({
      prior: LogLoss.describe('Of the seeded table; null without outcomes.'),
      fitted: LogLoss.describe('Of the fit, on addresses it has not seen; null while there are too few outcomes.'),
    })
    .describe(
      'How far predictions were from what happened: mean of −ln(probability given to it). Less is better; 0.693 is a coin’s.',
    ),
  log_loss_nights: z
    .array(
      z.object({
        computed_at: EpochSeconds.describe('When the run began.'),
        prior: z.number().min(0).describe('Of the seeded table.'),
        fitted: LogLoss.describe('Of that night’s fit; null while there were too few outcomes.'),
      }),
    )
    .optional()
    .describe('`log_loss` as each run found it, oldest first: the last 90 nights that had outcomes.'),
  history: HistoryWorth.optional(),
  routing: Routing.optional(),
  progressive: Progressive.optional(),
  bins: z
    .array(ReliabilityBin)
    .describe('The model in force against the outcomes, by rising prediction. Ranges without outcomes are left out.'),
});
export type CalibrationReport = z.infer<typeof CalibrationReport>;
export type OutcomeSource = z.infer<typeof OutcomeSource>;
