import { sha256Hex } from '../../kernel/keyed-hash.ts';

export type Arm = 'treatment' | 'control';

/** 32 bits of a hash, as 8 hex digits: a share in steps of a quarter of a billionth. */
const SHARE_DIGITS = 8;
const SHARES = 16 ** SHARE_DIGITS;

/**
 * Which arm of an experiment an address is in: always the same one, as often in treatment as the weight says, and
 * independent of its arm in any other experiment. The secret is in `addressHash`, the organisation's keyed hash of the
 * address, so a plain hash over it does not tell the arm to someone who lacks the address. An address that could not be parsed has none
 * and is in control, but where everybody is in treatment. `weight`: percent, 1 to 100.
 */
export function armOf(experiment: { readonly id: string; readonly weight: number }, addressHash: string | null): Arm {
  if (experiment.weight === 100) return 'treatment';
  if (addressHash === null) return 'control';
  const digits = sha256Hex(`experiment ${experiment.id} ${addressHash}`).slice(0, SHARE_DIGITS);
  return (Number.parseInt(digits, 16) / SHARES) * 100 < experiment.weight ? 'treatment' : 'control';
}
