import * as z from 'zod';
import { type Id, type IdPrefix, parseId } from '../kernel/ids.ts';
import { readableUpTo } from '../kernel/version.ts';

/** The version of all queues' messages. */
export const MESSAGE_VERSION = 1;

/**
 * What a message asks for. It carries ids and times alone, and may be lost, late or doubled. Each kind has a field that no
 * other kind has, except `timers`, which has none.
 */
export type QueueMessage =
  /** Look at the timers of an organisation's object. */
  | { readonly kind: 'timers'; readonly organisationId: Id<'org'> }
  /** Do ranges of a job. */
  | { readonly kind: 'job'; readonly organisationId: Id<'org'>; readonly jobId: Id<'bj'> }
  /** Do an organisation's part of the nightly run that began at `runAt`. Steps done from `since` on are not repeated. */
  | {
      readonly kind: 'night';
      readonly organisationId: Id<'org'>;
      readonly runAt: number;
      readonly since: number;
    };

type Kind = QueueMessage['kind'];

export type MessageOf<K extends Kind> = Extract<QueueMessage, { kind: K }>;
type Fields<K extends Kind> = Omit<MessageOf<K>, 'kind' | 'organisationId'>;
type KindWithFields = Exclude<Kind, 'timers'>;

const id = <P extends IdPrefix>(prefix: P) =>
  z.custom<Id<P>>((text) => typeof text === 'string' && parseId(prefix, text) !== null);

/** The fields of all kinds of message. */
const Wire = z.object({
  v: z.int().min(1).max(readableUpTo(MESSAGE_VERSION)),
  organisation_id: id('org'),
  job_id: id('bj').optional(),
  run_at: z.number().optional(),
  since: z.number().optional(),
});
export type WireMessage = z.output<typeof Wire>;

/** A message that only a release after the next reads. */
const Newer = z.object({ v: z.int().min(readableUpTo(MESSAGE_VERSION) + 1) });

interface Form<K extends KindWithFields> {
  write(message: Fields<K>): Partial<WireMessage>;
  /** Null: a message of another kind. */
  read(wire: WireMessage): Fields<K> | null;
}

/**
 * The wire form of each kind with fields. It does not name the kind: the first row that can read a message decides, and a
 * message that no row can read is `timers`.
 */
const FORMS: { readonly [K in KindWithFields]: Form<K> } = {
  job: {
    write: ({ jobId }) => ({ job_id: jobId }),
    read: ({ job_id: jobId }) => (jobId === undefined ? null : { jobId }),
  },
  night: {
    write: ({ runAt, since }) => ({ run_at: runAt, since }),
    // `since` came with a later release than `run_at`.
    read: ({ run_at: runAt, since = runAt }) => (runAt === undefined || since === undefined ? null : { runAt, since }),
  },
};

/** A message as it is sent. */
export function wireMessage<M extends QueueMessage>(message: M): WireMessage {
  const head = { v: MESSAGE_VERSION, organisation_id: message.organisationId };
  if (message.kind === 'timers') return head;
  const form = FORMS[message.kind] as unknown as { write(message: M): Partial<WireMessage> };
  return { ...head, ...form.write(message) };
}

/** `newer`: only a later release reads it. `malformed`: no release does. */
export function readMessage(body: unknown): QueueMessage | 'newer' | 'malformed' {
  if (Newer.safeParse(body).success) return 'newer';
  const { data } = Wire.safeParse(body);
  if (data === undefined) return 'malformed';
  for (const [kind, form] of Object.entries(FORMS)) {
    const fields = form.read(data);
    if (fields !== null) return { kind, organisationId: data.organisation_id, ...fields } as QueueMessage;
  }
  return { kind: 'timers', organisationId: data.organisation_id };
}
