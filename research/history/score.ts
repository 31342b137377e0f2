import { calibrationError } from '../calibration/belief-scores.ts';
import type { Judge } from './judge.ts';
import { knowing, release2 } from './judges.ts';
import { KINDS, type KindName, lies } from './kinds.ts';
import type { Limit } from './limit.ts';
import { drawAccount } from './lives.ts';
import { type Served, serve } from './run.ts';
import { drawWorld } from './world.ts';

/** Who serves a world. `limit`: knows its parameters. */
export type JudgeName = 'release 2' | 'limit';
const JUDGES: Readonly<Record<JudgeName, (limit: Limit) => Judge>> = { 'release 2': release2, limit: knowing };

/** What a judge did in a world, without the single answers. */
export interface Score extends Omit<Served, 'answered'> {
  readonly calibrationError: number;
}

export interface WorldScores {
  readonly kind: KindName;
  readonly seed: number;
  readonly scores: Readonly<Partial<Record<JudgeName, Score>>>;
}

/** What is far from the table is learnt first: these visits are not scored. */
const LEARNT_FROM = 500;

/** One world, served by each judge in turn. The limit serves only where it is not told what no account knows. */
export function scoreWorld(kind: KindName, seed: number): WorldScores {
  const world = drawWorld(kind, seed);
  const account = drawAccount(world);
  const scoredFrom = KINDS[kind].group === 'far' ? LEARNT_FROM : 0;
  const names = (Object.keys(JUDGES) as JudgeName[]).filter((name) => name !== 'limit' || !lies(world.kind));
  const scores = names.map((name): [JudgeName, Score] => {
    const { answered, ...served } = serve(world, JUDGES[name], { account, scoredFrom });
    return [
      name,
      { ...served, calibrationError: calibrationError(answered.map(([predicted, exact]) => [predicted, exact])) },
    ];
  });
  return { kind, seed, scores: Object.fromEntries(scores) };
}
