import { MODEL } from '../../src/domain/belief/model.ts';
import { NEAR, type Origin } from '../population/population.ts';
import { type ReuseScores, scoreReuse } from './domain-reuse.ts';
import { type PopulationScores, scorePopulation } from './population-scores.ts';

/** What is scored in a population of this seed, over so many addresses (`reuse`: domains). */
export interface Job {
  readonly kind: 'near' | 'far' | 'counts' | 'reuse';
  readonly seed: number;
  readonly size: number;
}

/** Where the populations of a kind come from. `far` is held to no target: it shows what a table twice as wrong would cost. */
const ORIGINS: Readonly<Record<Exclude<Job['kind'], 'reuse'>, Origin>> = { near: NEAR, far: 1, counts: 'counts' };

export type Done = { readonly job: Job } & (
  | { readonly population: PopulationScores; readonly reuse: null }
  | { readonly population: null; readonly reuse: ReuseScores }
);

function work(job: Job): Done {
  const { kind, seed, size } = job;
  if (kind === 'reuse') return { job, population: null, reuse: scoreReuse(MODEL, seed, size) };
  const population = scorePopulation(MODEL, ORIGINS[kind], seed, { size, costs: kind === 'near' });
  return { job, population, reuse: null };
}

/** Started as a process of its own: a job a message, its result back. */
process.on('message', (job: Job) => process.send?.(work(job)));
