import * as z from 'zod';
import { type Id, type IdPrefix, parseId } from '../kernel/ids.ts';

const VERSION = 1;

const id = <P extends IdPrefix>(prefix: P) =>
  z.custom<Id<P>>((text) => typeof text === 'string' && parseId(prefix, text) !== null);

const SHARED = { v: z.literal(VERSION), organisationId: id('org') };
/** The run that began at `runAt` does not repeat steps done from `since` on. */
const RUN = { runAt: z.number(), since: z.number() };

const Message = z.discriminatedUnion('kind', [
  /** Run an organisation's due timers. */
  z.object({ ...SHARED, kind: z.literal('timers') }),
  z.object({ ...SHARED, kind: z.literal('job'), jobId: id('bj') }),
  /** Do a nightly step that is too long for the cron. `organisationId`: the operators'. */
  z.object({ ...SHARED, kind: z.literal('step'), step: z.string(), ...RUN }),
  /** Do an organisation's part of the nightly run. */
  z.object({ ...SHARED, kind: z.literal('night'), ...RUN }),
]);

/** A message contains only ids and times, and may be lost, late or doubled. */
export type QueueMessage = z.output<typeof Message>;
export type MessageOf<K extends QueueMessage['kind']> = Extract<QueueMessage, { kind: K }>;
type Unversioned<M> = M extends QueueMessage ? Omit<M, 'v'> : never;

export const queueMessage = <M extends Unversioned<QueueMessage>>(message: M): M & { readonly v: typeof VERSION } => ({
  v: VERSION,
  ...message,
});

const KINDS: ReadonlySet<string> = new Set(Message.options.map(({ shape }) => shape.kind.value));
const Newer = z.union([
  z.object({ kind: z.string().refine((kind) => !KINDS.has(kind)) }),
  z.object({ v: z.number().gt(VERSION) }),
]);

/** `newer`: a later release sent it before a rollback. Null means malformed. */
export function readMessage(body: unknown): QueueMessage | 'newer' | null {
  const { data: message } = Message.safeParse(body);
  return message ?? (Newer.safeParse(body).success ? 'newer' : null);
}
