import { frozenService } from './frozen.ts';
import type { KindName } from './kinds.ts';
import { drawAccount } from './lives.ts';
import { type Answered, type Served, serve } from './run.ts';
import { service } from './service.ts';
import { drawWorld } from './world.ts';

export type JudgeName = 'model' | 'frozen';

/** Sums over the answers whose number lies in one bin. */
export interface Bin {
  count: number;
  probability: number;
  low: number;
  high: number;
  truth: number;
}

/** A judge's result in a world, without the single answers. */
export interface Score extends Omit<Served, 'answered'> {
  readonly bins: readonly Bin[];
  /** 90 % intervals that hold the exact probability, where it can be had. */
  readonly coverage: { readonly held: number; readonly of: number };
}

export interface WorldScores {
  readonly kind: KindName;
  readonly seed: number;
  readonly scores: Readonly<Record<JudgeName, Score>>;
}

const BINS = 20;
/** Twenty bins of about equal width in log-odds, where most numbers lie. */
const binOf = (probability: number): number => {
  const logOdds = Math.log(probability / (1 - probability));
  return Math.max(0, Math.min(BINS - 1, Math.floor((logOdds + 6) * 2)));
};

function binned(answered: readonly Answered[]): Bin[] {
  const bins = Array.from({ length: BINS }, (): Bin => ({ count: 0, probability: 0, low: 0, high: 0, truth: 0 }));
  for (const { probability, interval, exact, gone } of answered) {
    const bin = bins[binOf(probability)];
    if (bin === undefined) continue;
    bin.count += 1;
    bin.probability += probability;
    bin.low += interval[0];
    bin.high += interval[1];
    bin.truth += exact ?? (gone ? 1 : 0);
  }
  return bins;
}

function scoreOf({ answered, ...served }: Served): Score {
  const exact = answered.filter((each) => each.exact !== null);
  const held = exact.filter((each) => each.interval[0] <= (each.exact ?? 0) && (each.exact ?? 0) <= each.interval[1]);
  return { ...served, bins: binned(answered), coverage: { held: held.length, of: exact.length } };
}

/** One world, served by the model and by the frozen one. */
export async function scoreWorld(name: KindName, seed: number): Promise<WorldScores> {
  const world = drawWorld(name, seed);
  const account = drawAccount(world);
  const frozen = frozenService();
  return {
    kind: name,
    seed,
    scores: {
      model: scoreOf(serve(world, service(world), account)),
      frozen: scoreOf(serve(world, frozen(world), account)),
    },
  };
}
