import type { Experiments } from '../../api/schema.ts';
import { formatShares } from '../../lib/format.ts';
import { isFewerBetter, label } from '../../lib/vocabulary.ts';

type Guardrail = Experiments['experiments'][number]['guardrails'][number];

const widthOf = ([low = 0, high = 1]: readonly number[]): number => high - low;

export interface Loss {
  /** Chance alone would cause this in fewer than 1 of 20 cases. */
  readonly isClear: boolean;
  readonly text: string;
}

/**
 * That the rule makes worse what must not get worse; null: it does not look so. Beside half the width that both 90% intervals have
 * together, a difference of this size is chance in 1 of 20 cases; beside a quarter of it, in 1 of 5.
 */
export function guardrailText({ event, arms }: Guardrail): Loss | null {
  const [treatment, control] = [arms.find(({ arm }) => arm === 'treatment'), arms.find(({ arm }) => arm === 'control')];
  if (!treatment?.ci || !control?.ci || treatment.rate === null || control.rate === null) return null;
  const rise = treatment.rate - control.rate;
  const isHigher = isFewerBetter(event);
  const loss = isHigher ? rise : -rise;
  const width = Math.hypot(widthOf(treatment.ci), widthOf(control.ci));
  if (loss <= width / 4) return null;
  const [own = '', other = ''] = formatShares([treatment.rate, control.rate]);
  const isClear = loss > width / 2;
  const text = `“${label(event)}”, a guardrail, is ${isClear ? 'clearly' : 'probably'} ${isHigher ? 'higher' : 'lower'}: ${own} with the rule, ${other} without it`;
  return { isClear, text };
}
