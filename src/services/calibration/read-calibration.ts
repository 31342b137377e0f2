import { ROUTES } from '../../contract/routes.ts';
import { MODELS, modelOf } from '../../domain/belief/model.ts';
import { numbersReport } from '../../domain/feedback/calibration.ts';
import { shownReport } from '../../domain/feedback/reliability.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { findCalibration } from '../../storage/postgres/calibration.ts';
import { verb } from '../verb.ts';

/**
 * Compares the account's predictions with its outcomes. Answers of test keys learn from nothing, so they have no report.
 */
export const readCalibration = verb({
  route: ROUTES.calibration,
  run: async ({ deps, organisationId, admitted }) => {
    const found = admitted.key.mode === 'test' ? null : await findCalibration(deps.db, organisationId);
    const none = {
      ...numbersReport([], false, (version) => modelOf(version, MODELS)),
      sources: [],
      sends: null,
      unread: [],
    };
    return { ...shownReport(found?.report ?? none), computed_at: found && epochSeconds(found.computedAt) };
  },
});
