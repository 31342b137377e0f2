import { ROUTES } from '../../contract/routes.ts';
import { calibrate } from '../../domain/calibration/calibrate.ts';
import { shownReport } from '../../domain/calibration/reliability.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { findCalibration } from '../../storage/postgres/calibration.ts';
import { verb } from '../verb.ts';

/**
 * Compares the account's predictions with its outcomes. Answers of test keys come from the seeded tables, so they have no
 * report.
 */
export const readCalibration = verb({
  route: ROUTES.calibration,
  run: async ({ deps, organisationId, admitted }) => {
    const found = admitted.key.mode === 'test' ? null : await findCalibration(deps.db, organisationId);
    if (found === null) return { ...calibrate([]).report, computed_at: null };
    return { ...shownReport(found.report), computed_at: epochSeconds(found.computedAt) };
  },
});
