import type { Observation, ObservationContext } from '../../domain/belief/facts.ts';
import { MEMORY_MS } from '../../domain/belief/facts.ts';
import { listOfCalls, rowName } from '../../domain/belief/names.ts';
import { isHostClass } from '../../domain/belief/prior-table.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Database } from '../../storage/postgres/client.ts';
import type { NewestTrace, StoredMailReport, TraceWanted } from '../../storage/postgres/mail-reports.ts';
import type { HashDeps } from '../verification/observe.ts';
import { findTracedAddresses } from './traced-address.ts';

const secondOf = (ms: number): number => Math.floor(ms / SECOND_MS) * SECOND_MS;

/** The traces that a report may be about. Services give whole seconds: a verification of the same second came before the message. */
export function wantedBy({ addressHash, at }: Pick<StoredMailReport, 'addressHash' | 'at'>): TraceWanted {
  const until = secondOf(at) + SECOND_MS;
  return { addressHash, from: until - MEMORY_MS.to, until };
}

/**
 * What is opened or clicked shows only that the message arrived: any other report of it counts more, in any order. Such a report
 * may be of the trace's own second.
 */
export const timeOf = ({ means, at }: Pick<StoredMailReport, 'means' | 'at'>, trace: NewestTrace | null): number =>
  means === 'seen' && trace !== null ? secondOf(trace.createdAt) - 1 : at;

/**
 * What reports say of mailboxes: of each as its trace has seen the address, else as the report found it. One report a trace
 * counts, the last; what was not sent, or has no trace, is a report of its own.
 */
export async function learntOfReports(
  deps: HashDeps & { readonly db: Database },
  organisationId: Id<'org'>,
  reports: readonly StoredMailReport[],
  traces: readonly (NewestTrace | null)[],
): Promise<Observation[]> {
  const ids = traces.flatMap((trace) => trace?.traceId ?? []);
  const traced = ids.length === 0 ? null : await findTracedAddresses(deps, organisationId, [...new Set(ids)]);
  return reports.flatMap((report, place): Observation[] => {
    const trace = traces[place] ?? null;
    const context = trace === null ? contextOfReport(report) : (traced?.get(trace.traceId)?.context ?? null);
    if (context === null || report.class === null) return [];
    const of = trace === null || report.means === 'suppressed' ? report.id : trace.traceId;
    const said = { class: report.class, at: timeOf(report, trace), of, source: report.source };
    return [{ context, answers: [], report: said, proof: null }];
  });
}

/** Null: its domain was not looked up, or takes no mail. A connection's messages are a list of their own, as an import's are. */
function contextOfReport({ addressHash, domain, hostClass, source, at }: StoredMailReport): ObservationContext | null {
  if (domain === null || hostClass === null || !isHostClass(hostClass)) return null;
  const purpose = 'outbound';
  return {
    address: rowName(addressHash),
    domain,
    list: listOfCalls(source, purpose),
    at,
    host: hostClass,
    features: [],
    purpose,
  };
}
