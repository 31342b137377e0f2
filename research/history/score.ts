import { withAcceptsAllLevel } from '../../src/domain/calibration/accepts-all-level.ts';
import { withListLevel } from '../../src/domain/calibration/list-level.ts';
import { modelInForce } from '../../src/domain/calibration/model-in-force.ts';
import { calibrateRows } from '../../src/domain/calibration/row-calibration.ts';
import { prepared } from '../../src/domain/calibration/row-counts.ts';
import { withVarianceFactor } from '../../src/domain/calibration/variance-factor.ts';
import { SEEDED_MODEL } from '../../src/domain/verification/model.ts';
import { calibrationError } from '../calibration/belief-scores.ts';
import type { Judge } from './judge.ts';
import { knowing } from './judges.ts';
import { KINDS, type KindName, lies } from './kinds.ts';
import type { Limit } from './limit.ts';
import { drawAccount } from './lives.ts';
import { type Served, serve } from './run.ts';
import { type Fitting, service } from './service.ts';
import { drawWorld, type World } from './world.ts';

/** Who serves a world. `limit`: knows its parameters. */
export type JudgeName = 'service' | 'fitted' | 'limit';
const JUDGES: Readonly<Record<JudgeName, (world: World, limit: Limit) => Judge>> = {
  service: (world) => service(world, levelled),
  fitted: (world) => service(world, fittedTo),
  limit: (_, limit) => knowing(limit),
};

/** What a judge did in a world, without the single answers. */
export interface Score extends Omit<Served, 'answered'> {
  readonly calibrationError: number;
}

export interface WorldScores {
  readonly kind: KindName;
  readonly seed: number;
  readonly scores: Readonly<Partial<Record<JudgeName, Score>>>;
}

/** Where the table is wrong, what happens is learnt first: by this day an account has had about 500 outcomes. */
const LEARNT_BY = 60;

/** Without a fit of rates: what neighbours say, of which where the account's lists and catch-alls lie is a part. */
const levelled: Fitting = (rows, now) => {
  const ready = prepared(rows, now);
  return withVarianceFactor(withAcceptsAllLevel(withListLevel(SEEDED_MODEL, rows, now), ready), ready);
};

const fittedTo: Fitting = (rows, now) => modelInForce(SEEDED_MODEL, calibrateRows(SEEDED_MODEL, rows, now));

/** The kinds of worlds in which a fit has something to find. */
export const isWrong = (kind: KindName): boolean =>
  KINDS[kind].group === 'far' || kind === 'twice as far from the table';

/** Where reports or all vendors together err, a fit finds out how often. */
export const errs = (kind: KindName): boolean => {
  const { leaked, forged, mislabelled, sharedMistakes } = KINDS[kind].kind;
  return leaked + forged + mislabelled + sharedMistakes > 0;
};

/** One world, served by each judge in turn. The limit serves only where it is not told what no account knows. */
export function scoreWorld(kind: KindName, seed: number): WorldScores {
  const world = drawWorld(kind, seed);
  const account = drawAccount(world);
  const isFitted = isWrong(kind) || errs(kind);
  const scoredFromDay = isWrong(kind) ? LEARNT_BY : 0;
  const serves = (name: JudgeName): boolean =>
    name === 'limit' ? !lies(world.kind) : name === 'fitted' ? isFitted : true;
  const names = (Object.keys(JUDGES) as JudgeName[]).filter(serves);
  const scores = names.map((name): [JudgeName, Score] => {
    const { answered, ...served } = serve(world, (limit) => JUDGES[name](world, limit), { account, scoredFromDay });
    return [
      name,
      { ...served, calibrationError: calibrationError(answered.map(([predicted, exact]) => [predicted, exact])) },
    ];
  });
  return { kind, seed, scores: Object.fromEntries(scores) };
}
