import type { Features } from '../../contract/traces.ts';
import type { DatedAnswer } from '../../domain/verification/answer.ts';
import type { PosteriorInputs } from '../../domain/verification/conclusion.ts';
import { epochSeconds, SECOND_MS } from '../../kernel/clock.ts';

type Replayable = Pick<
  Features,
  'model_version' | 'host_class' | 'known_answers' | 'known_outcomes' | 'x' | 't0' | 'neighbours'
>;

/** What the probability follows from beside the answers of the request itself. `stored`: answers that were known before. */
export function replayable(inputs: PosteriorInputs, stored: readonly DatedAnswer[]): Replayable {
  const { model, host, first, reports, proofs, answers, now } = inputs;
  const ageS = (at: number): number => Math.max(0, (now - at) / SECOND_MS);
  return {
    model_version: model.version,
    host_class: host,
    known_answers: stored.map(({ provider, verdict, at }) => ({ provider, verdict, age_s: ageS(at) })),
    known_outcomes: [
      ...reports.map(({ at, class: kind, source }) => ({
        class: kind,
        age_s: ageS(at),
        ...(source !== undefined && Object.hasOwn(model.history.sources, source) && { source }),
      })),
      ...proofs.map(({ at, class: kind }) => ({ class: kind, age_s: ageS(at) })),
    ],
    x: [...inputs.features],
    t0: epochSeconds(Math.min(now, ...[...answers, ...reports, ...proofs].map(({ at }) => at))),
    neighbours: {
      accepts_all: first.acceptsAll,
      dead_strict: first.deadStrict,
      dead_accepts_all: first.deadAcceptsAll,
      var: first.variance,
    },
  };
}
