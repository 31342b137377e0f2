import { pause } from '../kernel/deadline.ts';

/**
 * Long work in steps, between which requests are served. `step`: true once all is done. `mayGoOn` is told how many steps are done.
 * Returns whether all was done.
 */
export async function inSteps(step: () => boolean, mayGoOn: (steps: number) => boolean): Promise<boolean> {
  for (let steps = 0; mayGoOn(steps); steps += 1) {
    if (step()) return true;
    await pause(0);
  }
  return false;
}
