import { ROUTES } from '../../contract/routes.ts';
import { writtenBy } from '../../domain/access/written-by.ts';
import { screeningRow } from '../../domain/screening/record.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseId } from '../../kernel/ids.ts';
import { findScreening } from '../../storage/postgres/screening.ts';
import { flush } from '../traces/history.ts';
import { verb } from '../verb.ts';

const NO_SCREENING = new DomainError('not_found', 'This screening does not exist.');

/** Reads a screening by its `sc_` id. A key sees those that its list has. */
export const readScreening = verb({
  route: ROUTES.screening,
  run: async (context, { params: { trace_id: id } }) => {
    const { deps, organisationId, admitted } = context;
    const { key } = admitted;
    const known = parseId('sc', id);
    const by = writtenBy(key, undefined);
    if (known === null || by === 'none') throw NO_SCREENING;

    await flush(deps, context, null);
    const found = await findScreening(deps.db, organisationId, { mode: key.mode, keyId: by }, known);
    if (found === null) throw NO_SCREENING;
    return { screening: screeningRow(found) };
  },
});
