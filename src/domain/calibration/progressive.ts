import type { Progressive } from '../../contract/calibration.ts';
import type { Trace } from '../../contract/traces.ts';
import { stateAmong } from '../verification/first-state.ts';
import type { Model } from '../verification/model.ts';
import { bounceProbability } from '../verification/posterior.ts';
import { inputsOf } from '../verification/replay.ts';
import type { Prediction } from './cross-validation.ts';
import { meanLoss } from './reliability.ts';

/** An answer as its trace keeps it, and what became of the message after it. */
export interface Answered {
  readonly trace: Pick<Trace, 'features' | 'providers' | 'reasons' | 'context'>;
  readonly bounced: boolean;
}

/** Which of the evidence of the time a prediction reads beside what vendors said to the request itself. */
interface Reading {
  readonly address?: true;
  readonly neighbours?: true;
}

/**
 * The loss of answers on outcomes that came after them: each is made again from its own trace and the model of its time, so that nothing
 * of what came later can help. Null without such outcomes.
 * @param modelOf the model of this version; null where it is gone
 */
export function progressive(answered: readonly Answered[], modelOf: (version: string) => Model | null): Progressive {
  const made = answered.flatMap(({ trace, bounced }) => {
    const model = trace.features && modelOf(trace.features.model_version);
    const inputs = model && inputsOf(trace, model);
    return inputs === null || inputs.certain ? [] : [{ inputs, bounced, purpose: trace.context?.purpose ?? null }];
  });
  if (made.length === 0) return null;
  const loss = ({ address, neighbours }: Reading): number =>
    meanLoss(
      made.map(({ inputs, bounced, purpose }): Prediction => {
        const { model, host, features, first, answers, reports, proofs, now } = inputs;
        const predicted = bounceProbability({
          model,
          host,
          first: neighbours ? first : stateAmong(model, { host, features, purpose, acceptsAllOdds: 1 }, null, null),
          answers: address ? answers : answers.filter(({ at }) => at === now),
          reports: address ? reports : [],
          proofs: address ? proofs : [],
          now,
        });
        return { predicted, bounced: bounced ? 1 : 0, landed: bounced ? 0 : 1 };
      }),
    );
  return {
    outcomes: made.length,
    log_loss: {
      without: loss({}),
      address: loss({ address: true }),
      neighbours: loss({ neighbours: true }),
      all: loss({ address: true, neighbours: true }),
    },
  };
}
