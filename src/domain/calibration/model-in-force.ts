import { sha256Hex } from '../../kernel/keyed-hash.ts';
import type { Model } from '../verification/model.ts';
import type { RowCalibration } from './row-calibration.ts';

/**
 * What a night puts in force: the fit of rows where it is adopted. Otherwise the fit of patterns or the table, with how often sources
 * err, and the table with where the account's lists lie too. That is what neighbours say, so it takes no adoption.
 */
export function modelInForce(
  ofPatterns: Model,
  { fitted, isAdopted, sources, table }: Pick<RowCalibration, 'fitted' | 'isAdopted' | 'sources' | 'table'>,
): Model {
  if (isAdopted && fitted !== null) return fitted;
  // The rates of a fit of patterns have the account's level in them already, which would count twice.
  const isTable = ofPatterns.prior === ofPatterns.centre;
  const listLevel = isTable ? table.history.listLevel : 0;
  const errs = Object.keys(sources).length > 0;
  if (!errs && listLevel === 0) return ofPatterns;
  const named = sha256Hex(`${ofPatterns.version} ${listLevel} ${JSON.stringify(sources)}`).slice(0, 16);
  const isFitted = errs || (isTable ? table : ofPatterns).calibration === 'fitted';
  return {
    ...ofPatterns,
    version: `${errs ? 'sources' : 'lists'}-${named}`,
    calibration: isFitted ? 'fitted' : 'prior',
    history: { ...ofPatterns.history, sources, listLevel },
  };
}
