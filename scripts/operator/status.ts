import type { StatusResponse } from '../../src/contract/operator.ts';
import { type Connection, callService } from './api.ts';

/** The status of all organisations: each call answers for one page of them and for the whole service. */
export async function readStatus(connection: Connection): Promise<StatusResponse> {
  const readPage = async (cursor: string | null): Promise<StatusResponse> => {
    const from = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    return (await callService(connection, 'GET', `/operator/v1/status${from}`)) as StatusResponse;
  };
  let status = await readPage(null);
  while (status.cursor !== null) status = joined(status, await readPage(status.cursor));
  return status;
}

function joined(before: StatusResponse, page: StatusResponse): StatusResponse {
  const [one, other] = [before.totals, page.totals];
  const ages = [one.outbox_age_s, other.outbox_age_s].filter((age) => age !== null);
  return {
    ...page,
    // What a page could not read stays missing, whatever a later one reads.
    unread: [...new Set([...before.unread, ...page.unread])],
    totals: {
      ...other,
      organisations: one.organisations + other.organisations,
      unreachable: one.unreachable + other.unreachable,
      outbox_rows: one.outbox_rows + other.outbox_rows,
      outbox_age_s: ages.length === 0 ? null : Math.max(...ages),
      outbox_dead: one.outbox_dead + other.outbox_dead,
      erasures: one.erasures + other.erasures,
      jobs_failed: one.jobs_failed + other.jobs_failed,
    },
    organisations: [...before.organisations, ...page.organisations],
    unreachable: [...before.unreachable, ...page.unreachable],
  };
}
