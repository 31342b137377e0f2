import type { KeyMode } from '../domain/access/keys.ts';
import type { Meter } from '../domain/metering/usage.ts';
import type { Id } from '../kernel/ids.ts';
import type { Completion } from '../organisation/api.ts';
import type { Authorization, Authorized } from './authorization.ts';
import type { ReserveBudget } from './reservation.ts';

/** A request before the object has answered: what its key says, and when it came. */
export interface Caller {
  readonly organisationId: Id<'org'>;
  readonly mode: KeyMode;
  readonly meter: Meter | null;
  /** Service time of its arrival, milliseconds. */
  readonly startedAt: number;
  /** The id of the record that this request may write. */
  readonly traceId: string;
  /** Defers work until after the answer. */
  readonly defer: (work: Promise<unknown>) => void;
}

export interface AuthorizedRequest<A extends Authorization = Authorized> extends Caller {
  readonly authorized: A;
  readonly reserveEnrichment: ReserveBudget;
  readonly reserveProviders: ReserveBudget;
  /**
   * Hands over the trace and the spend. Returns an earlier answer to the same request, which then stands. Rejects if
   * the trace may be lost, unless the request is served without the object.
   */
  commit(completion: Completion): Promise<string | null>;
}

/** The stored answer to the same request, or null. */
export const earlierAnswer = (authorization: Authorization): string | null =>
  authorization.reached ? (authorization.earlier?.answer ?? null) : null;

/** Refusal of what only a person in a fresh session may do. */
export const NEEDS_PERSON =
  'This needs a person who signed in to the dashboard within the last 10 minutes: a key can’t do it.';
