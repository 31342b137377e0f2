import { DecisionResult } from '../../contract/decision.ts';
import { inOrder } from '../../contract/field-order.ts';
import { correctionOf } from '../../domain/screening/typed-address.ts';
import { type LabelDeps, suggestionAgain } from '../screening/label.ts';

/**
 * What a repeat needs of an answer. Its body brings the address again, so neither the address nor a correction of it is
 * stored.
 */
interface DecisionForRepeat {
  readonly answer: DecisionResult;
  /** Of `typo_suggestion`. */
  readonly suggestedDomain: string | null;
  /** Of `did_you_mean`. */
  readonly meantDomain: string | null;
}

/** The paths whose values hold the address. */
const EMAIL = 'verification.email';
const MEANT = 'verification.did_you_mean';
const SUGGESTION = 'screening.typo_suggestion';

/** The domains in the answer's corrections: they tell nothing of the address. */
export type CorrectedDomains = Omit<DecisionForRepeat, 'answer'>;

/** The answer as JSON without the address. */
export function storedAnswer(answer: DecisionResult, domains: CorrectedDomains): string {
  const kept = withAddress(answer, { [EMAIL]: '', [MEANT]: null, [SUGGESTION]: '' });
  return JSON.stringify({ answer: kept, ...domains } satisfies DecisionForRepeat);
}

export function restoreAnswer(
  deps: Pick<LabelDeps, 'matchName'>,
  text: string,
  email: string,
  name: string | null,
): DecisionResult {
  const { answer, suggestedDomain, meantDomain } = JSON.parse(text) as DecisionForRepeat;
  const hasSuggestion = answer.screening !== undefined && answer.screening.typo_source !== null;
  const suggestion = hasSuggestion ? suggestionAgain(deps, email, name, suggestedDomain) : null;
  const values = { [EMAIL]: email, [MEANT]: correctionOf(email, meantDomain), [SUGGESTION]: suggestion };
  return inOrder(DecisionResult, withAddress(answer, values)) as DecisionResult;
}

/** Replaces the address and its corrections wherever the answer has them. */
function withAddress(
  answer: DecisionResult,
  values: Readonly<Record<typeof EMAIL, string> & Record<typeof MEANT | typeof SUGGESTION, string | null>>,
): DecisionResult {
  const { verification, screening, explanation } = answer;
  const { did_you_mean: _, ...verified } = verification;
  return {
    ...answer,
    verification: {
      ...verified,
      email: values[EMAIL],
      ...(values[MEANT] === null ? {} : { did_you_mean: values[MEANT] }),
    },
    ...(screening === undefined
      ? {}
      : {
          screening: { ...screening, typo_suggestion: screening.typo_suggestion === null ? null : values[SUGGESTION] },
        }),
    ...(explanation === undefined
      ? {}
      : {
          explanation: explanation.map((rule) => ({
            ...rule,
            conditions: rule.conditions.map((condition) => {
              const { path, actual } = condition;
              // Of the three this one is never "not asked for", so it is left out of what is kept.
              if (path === MEANT) return { ...condition, actual: values[path] };
              return actual !== null && (path === EMAIL || path === SUGGESTION)
                ? { ...condition, actual: values[path] }
                : condition;
            }),
          })),
        }),
  };
}
