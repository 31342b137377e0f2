import type { ImportedOutcome, ImportReceipt } from '../contract/feedback.ts';
import { ROUTES } from '../contract/routes.ts';
import { type Address, parseAddress } from '../domain/address/parse.ts';
import { isInTime } from '../domain/belief/facts.ts';
import type { HostClass } from '../domain/belief/host-class.ts';
import { rowName } from '../domain/belief/names.ts';
import { readReport } from '../domain/feedback/bounces/report.ts';
import type { MailEvent, OutcomeRecord } from '../domain/feedback/outcomes.ts';
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import { sha256Bytes } from '../kernel/crypto.ts';
import { type Id, idBytes, idFromBytes, idFromUuid, idToUuid, stampUuidV7 } from '../kernel/ids.ts';
import { tally } from '../kernel/probability.ts';
import { askObject } from '../organisation/api.ts';
import { upsertOutcomes } from '../storage/postgres/feedback.ts';
import {
  findNewestTraces,
  findReportIds,
  findSuppressed,
  insertMailReports,
  type NewestTrace,
  type StoredMailReport,
} from '../storage/postgres/mail-reports.ts';
import type { Deps } from './deps.ts';
import { observationsOfReports, timeOf, wantedBy } from './observations.ts';
import { type HistoryDeps, requireWritten } from './traces.ts';
import { type Context, verb } from './verb.ts';
import { findHost, type HostDeps } from './verification/find-host.ts';
import { hashDomain, type RotationDeps } from './verification/observe.ts';

type Rejected = ImportReceipt['rejected'][number];
type ReadRow = { readonly report: AddressReport } | { readonly rejected: Rejected };

/** A thousand imported rows may have hundreds of domains. */
const LOOK_UP_MS = 8 * SECOND_MS;

/** Imports outcomes of earlier messages. Only hashes of the addresses are stored. */
export const importOutcomes = verb({
  route: ROUTES.importOutcomes,
  run: async (context, { body }): Promise<ImportReceipt> => {
    const { deps, organisationId } = context;
    const rows = await Promise.all(body.outcomes.map((row, index) => readRow(deps, context, row, index)));
    const taken = rows.flatMap((row, index) => ('report' in row ? [{ index, report: row.report }] : []));
    const reporter = { organisationId, name: 'import', source: 'import', lookUpMs: LOOK_UP_MS } as const;
    const reports = taken.map(({ report }) => report);
    const { fresh, suppressed } = await recordReports(deps, reporter, reports);
    const keptOut = taken.flatMap(({ index }, place): Rejected[] =>
      suppressed.has(place) ? [{ index, reason: 'suppressed' }] : [],
    );
    const rejected = [...rows.flatMap((row) => ('rejected' in row ? [row.rejected] : [])), ...keptOut];
    return {
      accepted: fresh.size,
      duplicates: reports.length - fresh.size - suppressed.size,
      rejected: rejected.toSorted((one, other) => one.index - other.index),
      read_as: tally(reports.filter((_, place) => fresh.has(place)).flatMap((report) => report.class ?? [])),
    };
  },
});

async function readRow(
  { now, hashAddress }: Pick<Deps, 'now' | 'hashAddress'>,
  { organisationId }: Pick<Context, 'organisationId'>,
  { email, outcome, at: seconds, smtp_code }: ImportedOutcome,
  index: number,
): Promise<ReadRow> {
  const at = Math.round(seconds * SECOND_MS);
  const parsed = parseAddress(email);
  if (!parsed.ok) return { rejected: { index, reason: 'not_an_address' } };
  if (!isInTime(at, now())) return { rejected: { index, reason: at < now() ? 'too_old' : 'in_the_future' } };
  // Identifies the row together with the address's hash.
  const id = `${outcome} ${at}`;
  const { normalised } = parsed.address;
  const addressHash = hashAddress(organisationId, normalised);
  const read = await readReport(outcome, smtp_code, (other) => other === normalised);
  return {
    report: {
      id,
      address: parsed.address,
      addressHash,
      at,
      outcome,
      ...read,
      means: 'sent',
    },
  };
}

/** A report about an address, identified only by its keyed hash once its domain is looked up. */
export interface AddressReport extends Omit<MailEvent, 'email'> {
  readonly address: Address;
  readonly addressHash: string;
}

/** Who reports, and for whom. */
interface Reporter {
  readonly organisationId: Id<'org'>;
  /** Reports of one source have distinct ids: a mail service's events, whatever connection delivers them. */
  readonly name: string;
  readonly source: StoredMailReport['source'];
  /** How long the domains' mail hosts may be looked up. */
  readonly lookUpMs: number;
}

type ReportDeps = HistoryDeps & RotationDeps & HostDeps & { readonly now: () => number };

/** Indices of new reports, and of reports about suppressed addresses. */
interface Recorded {
  readonly fresh: ReadonlySet<number>;
  readonly suppressed: ReadonlySet<number>;
}
const NOTHING_RECORDED: Recorded = { fresh: new Set(), suppressed: new Set() };

const ROWS_AT_ONCE = 500;

/**
 * Stores reports by address: each once, with the outcome of the address's newest earlier verification or decision.
 * Idempotent, also after partial failure.
 */
export async function recordReports(
  deps: ReportDeps,
  reporter: Reporter,
  reports: readonly AddressReport[],
): Promise<Recorded> {
  if (reports.length === 0) return NOTHING_RECORDED;
  // A young trace may still be with the object.
  await requireWritten(deps, reporter);
  const hashes = reports.map(({ addressHash }) => addressHash);
  const suppressed = await findSuppressed(deps.db, reporter.organisationId, hashes);
  const places = reports.flatMap(({ addressHash }, place) => (suppressed.has(addressHash) ? [] : [place]));
  const fresh = await record(
    deps,
    reporter,
    places.flatMap((place) => reports[place] ?? []),
  );
  return {
    fresh: new Set(places.filter((_, at) => fresh.has(at))),
    suppressed: new Set(reports.keys().filter((place) => suppressed.has(hashes[place] ?? ''))),
  };
}

async function record(
  deps: ReportDeps,
  reporter: Reporter,
  reports: readonly AddressReport[],
): Promise<ReadonlySet<number>> {
  const traces: (NewestTrace | null)[] = [];
  for (const part of parts(reports)) traces.push(...(await findNewestTraces(deps.db, part.map(wantedBy))));
  const untraced = reports.filter((report, place) => (report.class !== null || report.isUnread) && !traces[place]);
  const addresses = untraced.map(({ address }) => address);
  const hosts = await findReportHosts(deps, addresses, deps.now() + reporter.lookUpMs);
  const idOf = await findIds(deps, reporter, reports);
  const rows = reports.map((report) =>
    storedReport(deps, reporter, report, idOf(report), hosts.get(report.address.domain) ?? null),
  );
  const fresh = new Set<number>();
  let from = 0;
  for (const part of parts(rows)) {
    const places = await recordPart(deps, reporter, part, traces.slice(from, from + part.length));
    for (const place of places) fresh.add(from + place);
    from += part.length;
  }
  return fresh;
}

function* parts<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += ROWS_AT_ONCE) yield all.slice(from, from + ROWS_AT_ONCE);
}

async function recordPart(
  deps: ReportDeps,
  { organisationId }: Reporter,
  rows: readonly StoredMailReport[],
  traces: readonly (NewestTrace | null)[],
): Promise<number[]> {
  const { db, objects } = deps;
  const outcomes = rows.flatMap((row, place) => {
    const trace = traces[place] ?? null;
    return trace === null || row.means === 'suppressed' ? [] : [JSON.stringify(outcomeOf(row, trace))];
  });
  if (outcomes.length > 0) await upsertOutcomes(db, outcomes);
  const observations = await observationsOfReports(deps, organisationId, rows, traces);
  if (observations.length > 0) await askObject(objects, organisationId).restoreHistory({ observations });
  // Last: what failed before comes again, and is new then.
  const entered = await insertMailReports(db, rows);
  const counted = new Set<string>();
  return rows.flatMap(({ id }, place) => {
    const isFirst = entered.has(id) && !counted.has(id);
    counted.add(id);
    return isFirst ? [place] : [];
  });
}

/** The reports' ids. One that has come under an earlier hash of its address keeps the id that it got then. */
async function findIds(
  deps: ReportDeps,
  reporter: Reporter,
  reports: readonly AddressReport[],
): Promise<(report: AddressReport) => string> {
  const { organisationId } = reporter;
  const idsBefore = (report: AddressReport): readonly string[] =>
    deps
      .earlierHashes(organisationId, report.address.normalised)
      .map((addressHash) => uuidOf(reporter, { ...report, addressHash }));
  const asked = reports.flatMap(idsBefore);
  const known = asked.length === 0 ? new Set() : await findReportIds(deps.db, organisationId, asked);
  return (report) => idsBefore(report).find((id) => known.has(id)) ?? uuidOf(reporter, report);
}

/** A UUID that is stable across deliveries. One event of a service may be about several addresses. */
const uuidOf = ({ organisationId, name }: Reporter, { id, addressHash }: AddressReport): string =>
  idToUuid(idFromBytes('oc', sha256Bytes(`${organisationId} ${name} ${id} ${addressHash}`).slice(0, 16)));

function storedReport(
  deps: ReportDeps,
  reporter: Reporter,
  report: AddressReport,
  id: string,
  hostClass: HostClass | null,
): StoredMailReport {
  const { organisationId, source } = reporter;
  const { address, addressHash, outcome, codes, means } = report;
  const receivedAt = deps.now();
  return {
    organisationId,
    id,
    source,
    addressHash,
    domain: hostClass && rowName(hashDomain(deps, organisationId, address.domain)),
    hostClass,
    outcome,
    class: report.class,
    unread: report.isUnread,
    means,
    basicCode: codes?.code ?? null,
    enhancedCode: codes?.enhanced ?? null,
    at: Math.min(report.at, receivedAt),
    receivedAt,
  };
}

function outcomeOf(row: StoredMailReport, trace: NewestTrace): OutcomeRecord {
  return {
    id: idFromBytes('oc', stampUuidV7(idBytes(idFromUuid('oc', row.id)), row.at)),
    organisationId: row.organisationId,
    mode: 'live',
    traceId: trace.traceId,
    // Only a report that names its trace has a key.
    keyId: null,
    outcome: row.outcome,
    class: row.class,
    unread: row.unread,
    basicCode: row.basicCode,
    enhancedCode: row.enhancedCode,
    reportedAt: timeOf(row, trace),
  };
}

/** Domains looked up in one call. Each takes a KV read and write: half of an invocation's 1,000 operations. */
export const DOMAINS_MAX = 240;
/** Concurrent look-ups. The platform lets six wait for DNS; the others wait for KV. */
const LOOK_UPS_AT_ONCE = 24;

const findNothing: HostDeps['findMailHosts'] = async () => ({ kind: 'unresolved', why: 'timeout' });

/**
 * Each domain's mail hosts by lists and DNS. A late look-up counts as unresolved; a domain without mail is left out.
 * Never rejects.
 */
async function findReportHosts(
  deps: HostDeps & { readonly now: Clock },
  addresses: readonly Address[],
  deadlineMs: number,
): Promise<ReadonlyMap<string, HostClass>> {
  const found = new Map<string, HostClass>();
  const ofEachDomain = [...new Map(addresses.map((address) => [address.domain, address])).values()];
  // The workers share one iterator.
  const left = ofEachDomain.entries();
  const work = async (): Promise<void> => {
    for (const [place, address] of left) {
      const isLate = place >= DOMAINS_MAX || deps.now() >= deadlineMs;
      const { host, precheck } = await findHost(
        isLate ? { ...deps, findMailHosts: findNothing } : deps,
        address,
        deadlineMs,
      );
      if (!precheck.certain) found.set(address.domain, host);
    }
  };
  await Promise.all(Array.from({ length: LOOK_UPS_AT_ONCE }, work));
  return found;
}
