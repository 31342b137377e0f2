import { sha256Hex } from '../../kernel/crypto.ts';

export type Arm = 'treatment' | 'control';

/** 32 bits of a hash, as 8 hex digits: a share in steps of a quarter of a billionth. */
const SHARE_DIGITS = 8;
const SHARES = 16 ** SHARE_DIGITS;

/**
 * Which arm of an experiment an address is in: always the same one, in treatment as often as `weight` (1 to 100 percent)
 * says, and independent of its arm in other experiments. `addressHash` is keyed, so a plain hash over it is enough. An
 * address that could not be parsed has no hash and is in control, unless everybody is in treatment.
 */
export function armOf(experiment: { readonly id: string; readonly weight: number }, addressHash: string | null): Arm {
  if (experiment.weight === 100) return 'treatment';
  if (addressHash === null) return 'control';
  const digits = sha256Hex(`experiment ${experiment.id} ${addressHash}`).slice(0, SHARE_DIGITS);
  return (Number.parseInt(digits, 16) / SHARES) * 100 < experiment.weight ? 'treatment' : 'control';
}
