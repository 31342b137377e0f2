import { sha256Hex } from '../../kernel/keyed-hash.ts';
import type { Model } from '../verification/model.ts';
import type { RowCalibration } from './row-calibration.ts';

/**
 * What a night puts in force: the fit of rows where it is adopted. Otherwise the fit of patterns or the table, with how often sources
 * err; the table also with where the account's lists and catch-alls lie and how wide its intervals are, which takes no adoption.
 */
export function modelInForce(
  ofPatterns: Model,
  { fitted, isAdopted, sources, table }: Pick<RowCalibration, 'fitted' | 'isAdopted' | 'sources' | 'table'>,
): Model {
  if (isAdopted && fitted !== null) return fitted;
  // The rates of a fit of patterns have the account's level in them already, which would count twice.
  const isTable = ofPatterns.prior === ofPatterns.centre;
  const { listLevel, acceptsAllLevel, varianceFactor } = (isTable ? table : ofPatterns).history;
  const errs = Object.keys(sources).length > 0;
  if (!errs && listLevel === 0 && acceptsAllLevel === 0 && varianceFactor === 1) return ofPatterns;
  const wide = varianceFactor === 1 ? [] : [varianceFactor];
  const found = JSON.stringify([ofPatterns.version, listLevel, acceptsAllLevel, sources, ...wide]);
  const named = sha256Hex(found).slice(0, 16);
  const isFitted = errs || (isTable ? table : ofPatterns).calibration === 'fitted';
  return {
    ...ofPatterns,
    version: `${errs ? 'sources' : 'levels'}-${named}`,
    calibration: isFitted ? 'fitted' : 'prior',
    history: { ...ofPatterns.history, sources, listLevel, acceptsAllLevel, varianceFactor },
  };
}
