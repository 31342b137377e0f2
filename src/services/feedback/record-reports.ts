import type { MailEvent } from '../../domain/feedback/mail-event.ts';
import type { OutcomeRecord } from '../../domain/feedback/outcomes.ts';
import type { Learnt } from '../../domain/verification/history.ts';
import { DAY_MS, SECOND_MS } from '../../kernel/clock.ts';
import { DependencyError } from '../../kernel/errors.ts';
import { type Id, idFromBytes, idToUuid, stampUuidV7 } from '../../kernel/ids.ts';
import { sha256Bytes } from '../../kernel/keyed-hash.ts';
import { askObject } from '../../organisation/api.ts';
import { upsertOutcomes } from '../../storage/postgres/feedback.ts';
import {
  findNewestTraces,
  insertMailReports,
  type NewestTrace,
  type StoredMailReport,
} from '../../storage/postgres/mail-reports.ts';
import { flush, type HistoryDeps } from '../traces/history.ts';
import type { HashDeps } from '../verification/history.ts';
import { findTracedAddresses } from './sight-of-trace.ts';

/** A report about an address, which is known by its keyed hash alone. */
export interface AddressReport extends Omit<MailEvent, 'email'> {
  readonly addressHash: string;
}

/** Who reports, and for whom. */
export interface Reporter {
  readonly organisationId: Id<'org'>;
  /** Reports of one name are told apart by their ids: a mail service's events, whatever connection brings them. */
  readonly name: string;
  readonly source: StoredMailReport['source'];
  readonly keyId: Id<'key'> | null;
}

/** Reports of longer ago are not taken, and a report is not about a verification of longer before it. */
const OLDEST_REPORT_MS = 400 * DAY_MS;
/** Clocks differ. */
const AHEAD_MS = DAY_MS;

export const isTimely = (at: number, now: number): boolean => at > now - OLDEST_REPORT_MS && at < now + AHEAD_MS;

type ReportDeps = HistoryDeps & HashDeps & { readonly now: () => number };

/** Rows of one statement. */
const AT_ONCE = 500;

/**
 * Enters reports by address: each once, with the outcome of the newest verification or decision of its address before it.
 * Safe to repeat, whatever part of it failed. Returns the places of those that are new.
 */
export async function recordReports(
  deps: ReportDeps,
  reporter: Reporter,
  reports: readonly AddressReport[],
): Promise<ReadonlySet<number>> {
  if (reports.length === 0) return new Set();
  // A young trace may still be with the object.
  if (!(await flush(deps, reporter, null)).drained) throw new DependencyError('postgres', 'the outbox is not written');
  const fresh = new Set<number>();
  for (let from = 0; from < reports.length; from += AT_ONCE) {
    const part = reports.slice(from, from + AT_ONCE);
    for (const place of await recordPart(deps, reporter, part)) fresh.add(from + place);
  }
  return fresh;
}

async function recordPart(deps: ReportDeps, reporter: Reporter, reports: readonly AddressReport[]): Promise<number[]> {
  const { db, now } = deps;
  const named = reports.map((report) => ({ ...report, bytes: nameOf(reporter, report) }));
  const traces = await findNewestTraces(db, named.map(wantedBy));
  const outcomes = named.flatMap((report, place) => {
    const trace = traces[place] ?? null;
    return trace === null || report.means === 'suppressed' ? [] : [outcomeOf(reporter, report, trace)];
  });
  if (outcomes.length > 0)
    await upsertOutcomes(
      db,
      outcomes.map((record) => JSON.stringify(record)),
    );
  await learn(deps, reporter, named, traces);
  const receivedAt = now();
  // Last: what failed before comes again, and is new then.
  const entered = await insertMailReports(
    db,
    named.map((report) => storedReport(reporter, report, receivedAt)),
  );
  const counted = new Set<string>();
  return named.flatMap(({ bytes }, place) => {
    const id = uuidOf(bytes);
    const isFirst = entered.has(id) && !counted.has(id);
    counted.add(id);
    return isFirst ? [place] : [];
  });
}

/** Enters what reports say of a mailbox into the history of its address, as the trace has seen it. A repeat changes nothing. */
async function learn(
  deps: ReportDeps,
  { organisationId, source }: Reporter,
  named: readonly Named[],
  traces: readonly (NewestTrace | null)[],
): Promise<void> {
  const ids = traces.flatMap((trace) => trace?.traceId ?? []);
  const traced = ids.length === 0 ? null : await findTracedAddresses(deps, organisationId, [...new Set(ids)]);
  const learnt = named.flatMap((report, place): Learnt[] => {
    const trace = traces[place] ?? null;
    const sight = trace === null ? undefined : traced?.get(trace.traceId)?.sight;
    if (trace === null || sight === undefined || report.class === null) return [];
    // Of the reports of one trace the last counts; what was not sent is a report of its own.
    const of = report.means === 'suppressed' ? uuidOf(report.bytes) : trace.traceId;
    return [
      { sight, answers: [], report: { class: report.class, at: timeOf(report, trace), of, source }, proof: null },
    ];
  });
  if (learnt.length > 0) await askObject(deps.objects, organisationId).restoreHistory({ learnt });
}

type Named = AddressReport & { readonly bytes: Uint8Array };

/** 16 bytes that stay the same when the report comes again. One event of a service may be about several addresses. */
const nameOf = ({ organisationId, name }: Reporter, { id, addressHash }: AddressReport): Uint8Array =>
  sha256Bytes(`${organisationId} ${name} ${id} ${addressHash}`).slice(0, 16);

const uuidOf = (bytes: Uint8Array): string => idToUuid(idFromBytes('oc', bytes));

const secondOf = (ms: number): number => Math.floor(ms / SECOND_MS) * SECOND_MS;

/** Services give whole seconds: a verification of the same second came before the message. */
function wantedBy({ addressHash, at }: AddressReport) {
  const until = secondOf(at) + SECOND_MS;
  return { addressHash, from: until - OLDEST_REPORT_MS, until };
}

const storedReport = ({ organisationId, source }: Reporter, report: Named, receivedAt: number): StoredMailReport => ({
  organisationId,
  id: uuidOf(report.bytes),
  source,
  addressHash: report.addressHash,
  outcome: report.outcome,
  class: report.class,
  basicCode: report.codes?.code ?? null,
  enhancedCode: report.codes?.enhanced ?? null,
  at: report.at,
  receivedAt,
});

/**
 * What is opened or clicked shows only that the message arrived: any other report of it counts more, in any order. Such a report
 * may be of the trace's own second.
 */
const timeOf = (report: AddressReport, trace: NewestTrace): number =>
  report.means === 'seen' ? secondOf(trace.createdAt) - 1 : report.at;

function outcomeOf({ organisationId, keyId }: Reporter, report: Named, trace: NewestTrace): OutcomeRecord {
  return {
    id: idFromBytes('oc', stampUuidV7(Uint8Array.from(report.bytes), report.at)),
    organisationId,
    mode: 'live',
    traceId: trace.traceId,
    keyId,
    outcome: report.outcome,
    basicCode: report.codes?.code ?? null,
    enhancedCode: report.codes?.enhanced ?? null,
    reportedAt: timeOf(report, trace),
  };
}
