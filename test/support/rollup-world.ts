import { sql } from 'drizzle-orm';
import type { TraceRecord } from '../../src/domain/traces/traces.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { type Id, idTimeMs, idToUuid, newId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/storage/postgres/client.ts';
import { createPartitions } from '../../src/storage/postgres/retention.ts';
import { writeTraces } from './write-traces.ts';

/** An event as it is stored. */
export interface WorldEvent {
  readonly id: Id<'ev'>;
  readonly event: string;
  readonly at: number;
  readonly traceId: string | null;
  readonly addressHash: string | null;
}

export interface World {
  readonly traces: TraceRecord[];
  readonly events: WorldEvent[];
  readonly hygieneJobs: ReadonlySet<string>;
}

export async function insertWorld(
  db: Database,
  organisationId: Id<'org'>,
  { traces, events }: Omit<World, 'hygieneJobs'>,
) {
  if (traces.length > 0) await writeTraces(db, traces);
  if (events.length === 0) return;
  await createPartitions(
    db,
    ['event'],
    events.map(({ id }) => idTimeMs(id)),
  );
  const rows = events.map((event) => ({ ...event, id: idToUuid(event.id), createdAt: idTimeMs(event.id) }));
  await db.execute(sql`
    insert into event (id, organisation_id, mode, source, event, at, created_at, trace_id, address_hash)
    select id, ${organisationId}, 'live', case when "addressHash" is null then 'api' else 'con_1' end, event, at, "createdAt",
      "traceId", "addressHash"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as e(id uuid, event text, at bigint, "createdAt" bigint, "traceId" uuid, "addressHash" text)`);
}

export const newEventId = (at: number): Id<'ev'> => newId('ev', at);

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
const endOfDay = (ms: number): number => (dayOf(ms) + 1) * DAY_MS;

type Dimensions = Readonly<Record<string, unknown>>;

interface Exposure {
  readonly trace: TraceRecord;
  readonly day: number;
  readonly dimensions: Dimensions;
  readonly isAdvisable: boolean;
}

function dimensionsOf({ policyDecision: made, ...trace }: TraceRecord): Dimensions {
  const all = {
    mailbox_type: trace.mailboxType,
    esp: trace.esp,
    actor_class: trace.actorClass,
    'signals.disposable': trace.disposable,
    'signals.role_account': trace.roleAccount,
    'company.industry': made?.company?.industry,
    'company.employees_range': made?.company?.employees_range,
    'company.country': made?.company?.country,
    'person.seniority': made?.person?.seniority,
    'icp.fit': made?.icp.fit,
    decision: made?.decision,
    rule_id: made?.rule_id,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && value !== undefined));
}

/** A naive roll-up: keeps nothing and reads everything again. */
export function naiveRollUp({ traces, events, hygieneJobs }: World, now: number) {
  const [fromDay, toDay] = [dayOf(now) - 364, dayOf(now)];
  const known = traces.filter(({ mode, id }) => mode === 'live' && idTimeMs(id) < (toDay + 2) * DAY_MS);
  const first = new Map<string, Exposure>();
  for (const trace of [...known].sort(
    (a, b) => a.createdAt - b.createdAt || (idToUuid(a.id) < idToUuid(b.id) ? -1 : 1),
  )) {
    if (trace.addressHash === null || trace.createdAt < fromDay * DAY_MS || first.has(trace.addressHash)) continue;
    const isHygiene = trace.kind === 'bulk' && hygieneJobs.has(trace.bulkJobId ?? '');
    const isAdvisable = trace.policyDecision?.decision !== 'deny' && !isHygiene;
    first.set(trace.addressHash, { trace, day: dayOf(trace.createdAt), dimensions: dimensionsOf(trace), isAdvisable });
  }
  const traceOf = (uuid: string) =>
    known.find(
      ({ id, verificationId }) => idToUuid(id) === uuid || (verificationId && idToUuid(verificationId) === uuid),
    );
  const tied = events.map((event) => {
    const trace = event.traceId === null ? undefined : traceOf(event.traceId);
    const byEmail =
      event.traceId === null &&
      known.some(
        ({ id, addressHash }) => addressHash === event.addressHash && idTimeMs(id) < endOfDay(idTimeMs(event.id)),
      );
    const tie = trace ? ('exact' as const) : byEmail ? ('by_email' as const) : ('unmatched' as const);
    return { ...event, tie, hash: trace ? trace.addressHash : event.addressHash };
  });
  const exposures = [...first.values()];
  const followed = new Set(
    tied.flatMap(({ event, hash, at }) => {
      const exposure = first.get(hash ?? '');
      return exposure && at >= Math.floor(exposure.trace.createdAt / 1000) * 1000 ? [`${event} ${hash}`] : [];
    }),
  );
  const has = ({ trace }: Exposure, metric: string): boolean => followed.has(`${metric} ${trace.addressHash}`);
  const isIn = (exposure: Exposure, windowDays: number): boolean =>
    exposure.day <= toDay && exposure.day > toDay - windowDays;
  const year = exposures.filter((exposure) => isIn(exposure, 365));

  /** The attribute values that are shown by name. */
  const attributes = year.flatMap(({ trace }) => Object.entries(trace.policyDecision?.attributes ?? {}));
  const tally = (list: readonly string[], most: number): string[] => {
    const counts = new Map<string, number>();
    for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1);
    return [...counts]
      .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
      .slice(0, most)
      .map(([one]) => one);
  };
  const names = tally(
    attributes.map(([name]) => name),
    10,
  );
  const values = new Map(
    names.map((name) => [
      name,
      tally(
        attributes.filter(([each]) => each === name).map(([, value]) => JSON.stringify(value)),
        50,
      ),
    ]),
  );
  const singlesOf = ({ dimensions, trace }: Exposure): Dimensions[] => [
    ...Object.entries(dimensions).map(([name, value]) => ({ [name]: value })),
    ...Object.entries(trace.policyDecision?.attributes ?? {})
      .filter(([name]) => names.includes(name))
      .map(([name, value]) => ({
        [`attributes.${name}`]: values.get(name)?.includes(JSON.stringify(value)) ? value : 'other',
      })),
  ];
  const pairsOf = ({ dimensions }: Exposure): Dimensions[] => {
    const entries = Object.entries(dimensions);
    return entries.flatMap((a, i) => entries.slice(i + 1).map((b) => Object.fromEntries([a, b])));
  };
  const keyText = (key: Dimensions): string => JSON.stringify(Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1)));
  const yearly = new Map<string, number>();
  for (const exposure of year)
    for (const pair of pairsOf(exposure)) yearly.set(keyText(pair), (yearly.get(keyText(pair)) ?? 0) + 1);

  return {
    cells(metric: string, windowDays: number) {
      const counts = new Map<string, { exposures: number; events: number }>();
      for (const exposure of exposures) {
        if (!isIn(exposure, windowDays)) continue;
        const pairs = pairsOf(exposure).filter((pair) => (yearly.get(keyText(pair)) ?? 0) >= 100);
        for (const key of [{}, ...singlesOf(exposure), ...pairs]) {
          const count = counts.get(keyText(key)) ?? { exposures: 0, events: 0 };
          counts.set(keyText(key), count);
          count.exposures += 1;
          count.events += has(exposure, metric) ? 1 : 0;
        }
      }
      return Object.fromEntries(counts);
    },
    advisable(metric: string, windowDays: number) {
      const counted = exposures.filter((exposure) => isIn(exposure, windowDays) && exposure.isAdvisable);
      return { exposures: counted.length, events: counted.filter((exposure) => has(exposure, metric)).length };
    },
    join(metric: string, windowDays: number) {
      const join = { exact: 0, by_email: 0, unmatched: 0 };
      for (const { event, id, tie } of tied) {
        const day = dayOf(idTimeMs(id));
        if (event === metric && day <= toDay && day > toDay - windowDays) join[tie] += 1;
      }
      return join;
    },
    keyText,
  };
}
