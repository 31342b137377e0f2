import type { DecideRequest, DecisionResult } from '../../contract/decision.ts';
import { type LabelDeps, suggestionAgain } from '../screening/label.ts';

/**
 * What a repeat needs of an answer. Its body brings the address again, so neither the address nor a correction of it is
 * stored.
 */
interface StoredAnswer {
  readonly answer: DecisionResult;
  readonly suggestedDomain: string | null;
}

/** The paths whose values hold the address. */
const EMAIL = 'verification.email';
const SUGGESTION = 'screening.typo_suggestion';

/** The answer as JSON without the address. `suggestedDomain`: the domain in its suggestion. */
export function storedResponse(answer: DecisionResult, suggestedDomain: string | null): string {
  const kept = withAddress(answer, { [EMAIL]: '', [SUGGESTION]: '' });
  return JSON.stringify({ answer: kept, suggestedDomain } satisfies StoredAnswer);
}

export function restoreResponse(
  deps: Pick<LabelDeps, 'matchName'>,
  text: string,
  { email, name }: DecideRequest,
): DecisionResult {
  const { answer, suggestedDomain } = JSON.parse(text) as StoredAnswer;
  const hasSuggestion = answer.screening !== undefined && answer.screening.typo_source !== null;
  const suggestion = hasSuggestion ? suggestionAgain(deps, email, name || null, suggestedDomain) : null;
  return withAddress(answer, { [EMAIL]: email, [SUGGESTION]: suggestion });
}

/** Replaces the address and its correction wherever the answer has them. */
function withAddress(
  answer: DecisionResult,
  values: Readonly<Record<typeof EMAIL, string> & Record<typeof SUGGESTION, string | null>>,
): DecisionResult {
  const { verification, screening, explanation } = answer;
  return {
    ...answer,
    verification: { ...verification, email: values[EMAIL] },
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
              return actual !== null && (path === EMAIL || path === SUGGESTION)
                ? { ...condition, actual: values[path] }
                : condition;
            }),
          })),
        }),
  };
}
