import { askOperators, type DeadLetter } from '../../organisation/api.ts';
import type { BackgroundDeps } from '../deps.ts';

/** Keeps messages that a queue gave up on, for `status`. A letter recorded twice stays one. */
export const recordDeadLetters = ({ objects }: BackgroundDeps, letters: readonly DeadLetter[]): Promise<void> =>
  askOperators(objects).addDeadLetters(letters);
