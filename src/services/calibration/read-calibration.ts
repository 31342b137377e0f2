import { ROUTES } from '../../contract/routes.ts';
import { calibrate, missingOutcomes } from '../../domain/calibration/calibrate.ts';
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
    const report = found?.report ?? calibrate([]).report;
    const computed_at = found && epochSeconds(found.computedAt);
    return { sources: [], sends: null, ...shownReport(report), missing: missingOutcomes(report), computed_at };
  },
});
