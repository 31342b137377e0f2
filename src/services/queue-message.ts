import * as z from 'zod';
import { type Id, type IdPrefix, parseId } from '../kernel/ids.ts';

/** The version of all queues' messages. */
const MESSAGE_VERSION = 1;

/** What a message asks for. It carries ids and times alone, and may be lost, late or doubled. */
export type QueueMessage =
  /** Look at the timers of an organisation's object. */
  | { readonly kind: 'timers'; readonly organisationId: Id<'org'> }
  /** Do chunks of a job. */
  | { readonly kind: 'job'; readonly organisationId: Id<'org'>; readonly jobId: Id<'bj'> }
  /** Do a step of the nightly run as a whole that is too long for the cron. `organisationId`: the operators'. */
  | {
      readonly kind: 'step';
      readonly organisationId: Id<'org'>;
      readonly step: string;
      readonly runAt: number;
      readonly since: number;
    }
  /** Do an organisation's part of the nightly run that began at `runAt`. Steps done from `since` on are not repeated. */
  | {
      readonly kind: 'night';
      readonly organisationId: Id<'org'>;
      readonly runAt: number;
      readonly since: number;
    };

export type MessageOf<K extends QueueMessage['kind']> = Extract<QueueMessage, { kind: K }>;

const id = <P extends IdPrefix>(prefix: P) =>
  z.custom<Id<P>>((text) => typeof text === 'string' && parseId(prefix, text) !== null);

/** The fields of all kinds of message. */
const SHARED = { v: z.literal(MESSAGE_VERSION), organisation_id: id('org') };

const Wire = z.discriminatedUnion('kind', [
  z.object({ ...SHARED, kind: z.literal('timers') }),
  z.object({ ...SHARED, kind: z.literal('job'), job_id: id('bj') }),
  z.object({ ...SHARED, kind: z.literal('step'), step: z.string(), run_at: z.number(), since: z.number() }),
  z.object({ ...SHARED, kind: z.literal('night'), run_at: z.number(), since: z.number() }),
]);
export type WireMessage = z.output<typeof Wire>;

/** A message as it is sent. */
export function wireMessage(message: QueueMessage): WireMessage {
  const { kind, organisationId } = message;
  const shared = { v: MESSAGE_VERSION, organisation_id: organisationId } as const;
  switch (kind) {
    case 'timers':
      return { ...shared, kind };
    case 'job':
      return { ...shared, kind, job_id: message.jobId };
    case 'step':
      return { ...shared, kind, step: message.step, run_at: message.runAt, since: message.since };
    case 'night':
      return { ...shared, kind, run_at: message.runAt, since: message.since };
  }
}

const KINDS: ReadonlySet<string> = new Set(Wire.options.map(({ shape }) => shape.kind.value));
const Newer = z.object({ kind: z.string().refine((kind) => !KINDS.has(kind)) });

/** `newer`: of a kind that only a later release has, which sent it before it was rolled back. Null means it is malformed. */
export function readMessage(body: unknown): QueueMessage | 'newer' | null {
  const { data: wire } = Wire.safeParse(body);
  if (wire !== undefined) return messageOf(wire);
  return Newer.safeParse(body).success ? 'newer' : null;
}

function messageOf(wire: WireMessage): QueueMessage {
  const { kind, organisation_id: organisationId } = wire;
  switch (kind) {
    case 'timers':
      return { kind, organisationId };
    case 'job':
      return { kind, organisationId, jobId: wire.job_id };
    case 'step':
      return { kind, organisationId, step: wire.step, runAt: wire.run_at, since: wire.since };
    case 'night':
      return { kind, organisationId, runAt: wire.run_at, since: wire.since };
  }
}
