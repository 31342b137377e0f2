import * as z from 'zod';
import { type Id, type IdPrefix, parseId } from '../kernel/ids.ts';

const id = <P extends IdPrefix>(prefix: P) =>
  z.custom<Id<P>>((text) => typeof text === 'string' && parseId(prefix, text) !== null);

/** The version of all queues' messages, and whose they are. */
const SHARED = { v: z.literal(1), organisationId: id('org') };

/** What a message asks for. It carries ids and times alone, and may be lost, late or doubled. */
const Wire = z.discriminatedUnion('kind', [
  /** Look at the timers of an organisation's object. */
  z.object({ ...SHARED, kind: z.literal('timers') }),
  /** Do chunks of a job. */
  z.object({ ...SHARED, kind: z.literal('job'), jobId: id('bj') }),
  /** Do a step of the nightly run as a whole that is too long for the cron. `organisationId`: the operators'. */
  z.object({ ...SHARED, kind: z.literal('step'), step: z.string(), runAt: z.number(), since: z.number() }),
  /** Do an organisation's part of the nightly run that began at `runAt`. Steps done from `since` on are not repeated. */
  z.object({ ...SHARED, kind: z.literal('night'), runAt: z.number(), since: z.number() }),
]);
export type WireMessage = z.output<typeof Wire>;

export type MessageOf<K extends WireMessage['kind']> = Omit<Extract<WireMessage, { kind: K }>, 'v'>;
export type QueueMessage = { [K in WireMessage['kind']]: MessageOf<K> }[WireMessage['kind']];

/** A message as it is sent. */
export const wireMessage = (message: QueueMessage): WireMessage => ({ v: 1, ...message });

const KINDS: ReadonlySet<string> = new Set(Wire.options.map(({ shape }) => shape.kind.value));
const Newer = z.object({ kind: z.string().refine((kind) => !KINDS.has(kind)) });

/** `newer`: of a kind that only a later release has, which sent it before it was rolled back. Null: it is malformed. */
export function readMessage(body: unknown): QueueMessage | 'newer' | null {
  const { data: wire } = Wire.safeParse(body);
  if (wire === undefined) return Newer.safeParse(body).success ? 'newer' : null;
  const { v: _, ...message } = wire;
  return message;
}
