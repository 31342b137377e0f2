import type { Features } from '../../contract/traces.ts';
import type { PosteriorInputs } from '../../domain/answer/conclusion.ts';
import type { DatedAnswer } from '../../domain/belief/facts.ts';
import { epochSeconds, SECOND_MS } from '../../kernel/clock.ts';

type Replayable = Pick<
  Features,
  'model_version' | 'host_class' | 'known_answers' | 'known_outcomes' | 'x' | 't0' | 'neighbours'
>;

/** What the probability follows from beside the answers of the request itself. `stored`: answers that were known before. */
export function replayable(inputs: PosteriorInputs, stored: readonly DatedAnswer[]): Replayable {
  const { model, host, initial, reports, proofs, answers, errors = {}, now } = inputs;
  const ageS = (at: number): number => Math.max(0, (now - at) / SECOND_MS);
  return {
    model_version: model.version,
    host_class: host,
    known_answers: stored.map(({ provider, verdict, at, full }) => ({
      provider,
      verdict,
      age_s: ageS(at),
      ...(full && { full }),
    })),
    known_outcomes: [
      ...reports.map(({ at, class: kind, source }) => {
        const wrong = errors[source ?? ''];
        return { class: kind, age_s: ageS(at), ...(source !== undefined && wrong !== undefined && { source, wrong }) };
      }),
      ...proofs.map(({ at, class: kind }) => ({ class: kind, age_s: ageS(at) })),
    ],
    x: [...inputs.features],
    t0: epochSeconds(Math.min(now, ...[...answers, ...reports, ...proofs].map(({ at }) => at))),
    neighbours: {
      accepts_all: initial.acceptsAll,
      dead_strict: initial.bounceStrict,
      dead_accepts_all: initial.bounceAcceptsAll,
      var: initial.variance,
    },
  };
}
