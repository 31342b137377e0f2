const numberOf = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

/** What random cases follow from. */
export const SEED = numberOf('PROOF_SEED', 1);
/** How many cases a part tries that has no end of its own. `otherwise`: where the command line does not say. */
export const countOr = (otherwise: number): number => numberOf('PROOF_COUNT', otherwise);
/** How many orders of steps are tried of what races. */
export const CASES = numberOf('PROOF_CASES', 300);
/** The files that are mutated; none: all of the parts. */
export const FILES = (process.env['PROOF_FILES'] ?? '').split(',').filter((file) => file !== '');
