import { calibrate } from '../../src/domain/calibration/calibrate.ts';
import { fit } from '../../src/domain/calibration/fit.ts';
import type { Model } from '../../src/domain/belief/model.ts';
import { drawPopulation, NEAR } from '../population/population.ts';
import { pastOf, patternsOf } from './history.ts';
import { PURPOSES } from './population-scores.ts';
import { exactBounceIn } from './spending.ts';

const TRACES = 8_000;

function medianMs(runs: number, work: () => void): number {
  const times = Array.from({ length: runs }, () => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  });
  return times.sort((one, other) => one - other)[Math.floor(runs / 2)] ?? 0;
}

/** Milliseconds of one fit, and of all that a night does for an account. */
export function measureFit(model: Model, runs: number): { fitMs: number; calibrateMs: number; patterns: number } {
  const population = drawPopulation(model, NEAR, 1);
  const past = pastOf(population, model, exactBounceIn(population), PURPOSES, TRACES).slice(0, TRACES);
  const patterns = patternsOf(past);
  return {
    fitMs: medianMs(runs, () => fit(model, patterns, 1)),
    calibrateMs: medianMs(runs, () => calibrate(patterns)),
    patterns: patterns.length,
  };
}
