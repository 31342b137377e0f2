import type { AddressExport, KnownHistory } from '../contract/privacy.ts';
import { ROUTES } from '../contract/routes.ts';
import { authorOf } from '../domain/access/keys.ts';
import { maskAddress } from '../domain/address/parse.ts';
import { sourceTag } from '../domain/belief/names.ts';
import { reportedOutcome } from '../domain/feedback/outcomes.ts';
import { addressEntry } from '../domain/rules/rules.ts';
import { screeningRow } from '../domain/screening/record.ts';
import { evidenceOf } from '../domain/answer/replay.ts';
import { traceBody } from '../domain/traces/traces.ts';
import { epochSeconds } from '../kernel/clock.ts';
import { idToUuid } from '../kernel/ids.ts';
import { type AddressKept, askObject } from '../organisation/api.ts';
import { listEventsOf, listOutcomes } from '../storage/postgres/feedback.ts';
import { listExposuresOf } from '../storage/postgres/insights/read.ts';
import { findSuppressed, listMailReportsOf } from '../storage/postgres/mail-reports.ts';
import { listScreeningsOf } from '../storage/postgres/screening.ts';
import { listTracesOf } from '../storage/postgres/traces.ts';
import { noteChange } from './audit.ts';
import { requireAddress } from './request-values.ts';
import { requireWritten } from './traces.ts';
import { verb } from './verb.ts';

/** Rows of each kind. Only an address used for tests has more. */
const ROWS_MAX = 1_000;

/** Reads everything that every store of the account has under an address's hash. */
export const exportAddress = verb({
  route: ROUTES.exportAddress,
  parse: ({ body }) => requireAddress(body.email),
  run: async (context, address): Promise<AddressExport> => {
    const { deps, organisationId, authorized } = context;
    const { db } = deps;
    const hash = deps.hashAddress(organisationId, address.normalised);
    // What waits in the object, and what stands under an earlier hash, is found by its hash only once it is written.
    await requireWritten(deps, context);
    const own = { organisationId, hash };
    const [kept, traces, screenings, reports, exposures, suppressed] = await Promise.all([
      askObject(deps.objects, organisationId).addressKept({ addressHash: hash }),
      listTracesOf(db, own, ROWS_MAX + 1),
      listScreeningsOf(db, own, ROWS_MAX + 1),
      listMailReportsOf(db, own, ROWS_MAX + 1),
      listExposuresOf(db, own),
      findSuppressed(db, organisationId, [hash]),
    ]);
    // The log omits the address.
    await noteChange(deps, organisationId, authorOf(authorized.key), 'address.exported', organisationId);
    const shown = traces.slice(0, ROWS_MAX);
    const verifications = shown.map(({ id, verificationId }) => verificationId ?? id);
    const [outcomes, events] = await Promise.all([
      listOutcomes(db, organisationId, verifications),
      listEventsOf(
        db,
        own,
        shown.flatMap(({ id, verificationId }) => [id, verificationId ?? id].map(idToUuid)),
        ROWS_MAX + 1,
      ),
    ]);
    const outcomeOf = new Map(outcomes.map((record) => [`${record.mode} ${record.traceId}`, reportedOutcome(record)]));
    const counts = { traces, screenings, reports, events };
    return {
      display: maskAddress(address),
      exported_at: epochSeconds(deps.now()),
      suppressed: suppressed.has(hash),
      rules: kept.rule === null ? [] : [{ ...addressEntry(kept.rule), rule: kept.rule.rule }],
      history: historyBody(
        kept,
        reports.map(({ source }) => source),
      ),
      traces: shown.map((trace) =>
        traceBody(trace, outcomeOf.get(`${trace.mode} ${trace.verificationId ?? trace.id}`) ?? null, evidenceOf),
      ),
      screenings: screenings.slice(0, ROWS_MAX).map(screeningRow),
      reports: reports.slice(0, ROWS_MAX).map(({ source, outcome, means, basicCode, enhancedCode, at }) => ({
        source,
        outcome,
        smtp: { code: basicCode, enhanced: enhancedCode },
        means,
        at: epochSeconds(at),
      })),
      events: events.slice(0, ROWS_MAX).map(({ id, event, source, at, properties }) => ({
        id,
        event,
        source,
        at: epochSeconds(at),
        properties,
      })),
      exposures: exposures.map(({ at, attributes }) => ({ at: epochSeconds(at), attributes })),
      kept_answers: kept.answers.map((answer) => JSON.parse(answer) as unknown),
      truncated: (Object.keys(counts) as (keyof typeof counts)[]).filter((name) => counts[name].length > ROWS_MAX),
    };
  },
});

/** An address stores a tag of who reported. @param sources those that report by address; any other is a key */
function historyBody({ history: known }: AddressKept, sources: readonly string[]): KnownHistory | null {
  if (known === null) return null;
  const names = new Map(sources.map((source) => [sourceTag(source), source]));
  return {
    first_seen_at: epochSeconds(known.firstSeenAt),
    host_class: known.host,
    purpose: known.purpose,
    features: [...known.features],
    answers: known.answers.map(({ provider, verdict, full, warning, at }) => ({
      provider,
      verdict,
      ...(full && { full }),
      ...(warning !== undefined && { warning }),
      at: epochSeconds(at),
    })),
    reports: known.reports.map(({ source, class: kind, at }) => ({
      source: names.get(source) ?? 'api',
      class: kind,
      at: epochSeconds(at),
    })),
    proofs: known.proofs.map(({ class: kind, at }) => ({ class: kind, at: epochSeconds(at) })),
  };
}
