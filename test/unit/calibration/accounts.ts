import { type PastTrace, pastOf, patternsOf } from '../../../scripts/calibration/history.ts';
import { exactBounceIn } from '../../../scripts/calibration/spending.ts';
import { PURPOSES } from '../../../scripts/calibration/world-scores.ts';
import { addressAt } from '../../../scripts/worlds/addresses.ts';
import { drawWorld, type Origin, type World } from '../../../scripts/worlds/world.ts';
import type { TracePattern } from '../../../src/domain/calibration/pattern.ts';
import { SEEDED_MODEL } from '../../../src/domain/verification/model.ts';

export const worldOf = (origin: Origin, seed: number): World => drawWorld(SEEDED_MODEL, origin, seed);

/** What an account of the world knows that the service served until it had so many outcomes. */
export const servedAccount = (world: World, outcomes: number): TracePattern[] =>
  patternsOf(pastOf(world, SEEDED_MODEL, exactBounceIn(world), PURPOSES, outcomes));

/** An account that asked every provider about every address. */
export const askedAll = (world: World, addresses: number, sent: (trace: Omit<PastTrace, 'sent'>) => boolean) =>
  patternsOf(
    Array.from({ length: addresses }, (_, at) => {
      const address = addressAt(world, at);
      const trace = { address, said: address.said };
      return { ...trace, sent: sent(trace) };
    }),
  );

/** One pattern of an account, with these outcomes in each fold. */
export const patternOf = (
  pattern: Pick<TracePattern, 'host' | 'answers'>,
  bounced: number,
  landed: number,
): TracePattern[] =>
  [0, 1, 2, 3, 4].map((fold) => ({
    ...pattern,
    fold,
    acceptsAllOdds: 1,
    weight: bounced + landed,
    bounced: { count: bounced, weight: bounced },
    landed: { count: landed, weight: landed },
  }));
