import type * as contract from '../../contract/losses.ts';
import { type LossesVersion, lossesBody, lossesInForce } from '../../domain/router/losses.ts';
import { epochSeconds } from '../../kernel/clock.ts';

/** Null means the service's own. */
export function accountLosses(own: LossesVersion | null): contract.AccountLosses {
  const { version, table } = lossesInForce(own);
  return {
    version,
    outbound: lossesBody(table.outbound),
    signup: lossesBody(table.signup),
    list_hygiene: lossesBody(table.list_hygiene),
    created_at: own && epochSeconds(own.createdAt),
    created_by: own && own.createdBy,
  };
}
