import type { EventInput, EventsRequest } from '../../contract/feedback.ts';
import { DAY_MS, SECOND_MS } from '../../kernel/clock.ts';
import { type Id, idToUuid, newIdAt, parseId } from '../../kernel/ids.ts';
import type { KeyMode } from '../access/key-format.ts';

/** Events of one request on their way to Postgres: one record, so that all or none are kept. */
export interface EventBatch {
  readonly organisationId: Id<'org'>;
  readonly mode: KeyMode;
  /** `api`, or the processor's connection they came through. */
  readonly source: 'api' | Id<'con'>;
  /** When they were received, in epoch milliseconds. */
  readonly createdAt: number;
  readonly events: readonly EventRecord[];
}

export interface EventRecord {
  readonly id: Id<'ev'>;
  readonly event: string;
  /** When it happened, in epoch milliseconds. */
  readonly at: number;
  /** The UUID inside the trace's id; null where the id is not ours and matches no trace. */
  readonly traceId: string | null;
  readonly properties: EventInput['properties'] | null;
}

/** The fault of a request whose time lies ahead of the clock, in words for the caller; null without a fault. */
export function eventFault(request: EventsRequest, nowMs: number): string | null {
  const isAhead = ({ at }: EventInput): boolean => at * SECOND_MS > nowMs + DAY_MS;
  const index = eventsOf(request).findIndex(isAhead);
  if (index === -1) return null;
  const path = 'events' in request ? `events[${index}].at` : 'at';
  return `\`${path}\` is more than a day ahead: send epoch seconds, not milliseconds, of a clock that is right.`;
}

const eventsOf = (request: EventsRequest): readonly EventInput[] => ('events' in request ? request.events : [request]);

/** The records of a request received at `createdAt`: ids in its order. */
export function eventBatch(of: Pick<EventBatch, 'organisationId' | 'mode' | 'createdAt'>, request: EventsRequest) {
  const events = eventsOf(request).map((input, place): EventRecord => {
    const trace = parseId('vr', input.trace_id) ?? parseId('dc', input.trace_id);
    return {
      id: newIdAt('ev', of.createdAt, place),
      event: input.event,
      at: Math.round(input.at * SECOND_MS),
      traceId: trace === null ? null : idToUuid(trace),
      properties: input.properties ?? null,
    };
  });
  return { ...of, source: 'api', events } as const satisfies EventBatch;
}

/** A batch (JSON) that Postgres rejects is kept without `properties`: only traces there say whom they are about. */
export function withoutProperties(json: string): string {
  const { events, ...batch } = JSON.parse(json) as EventBatch;
  return JSON.stringify({ ...batch, events: events.map((event) => ({ ...event, properties: null })) });
}
