import type { KindName } from './kinds.ts';
import { scoreWorld } from './score.ts';

export interface Job {
  readonly kind: KindName;
  readonly seed: number;
}

/** Started as a process of its own: a world a message, its scores back. */
process.on('message', ({ kind, seed }: Job) => {
  void scoreWorld(kind, seed).then((scores) => process.send?.(scores));
});
