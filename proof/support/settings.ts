const numberOf = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

/** What random cases follow from. */
export const SEED = numberOf('PROOF_SEED', 1);
/** How many requests are fuzzed. */
export const COUNT = numberOf('PROOF_COUNT', 100_000);
/** How many orders of steps are tried of what races. */
export const CASES = numberOf('PROOF_CASES', 300);
/** The files that are mutated; none: all of the parts. */
export const FILES = (process.env['PROOF_FILES'] ?? '').split(',').filter((file) => file !== '');
