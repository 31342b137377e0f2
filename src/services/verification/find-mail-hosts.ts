import QuickLRU from 'quick-lru';
import * as z from 'zod';
import {
  type FindMailHosts,
  type MailHosts,
  NO_MAIL_REASONS,
  type ResolvedMailHosts,
} from '../../domain/dns/mail-hosts.ts';
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';
import { LATE, within } from '../../kernel/deadline.ts';
import { type FactStore, KV_TTL_MIN_S, readFact, writeFact } from '../../storage/kv.ts';

/** About 300 bytes an entry and up to twice as many entries as named here: a few megabytes of an isolate's 128. */
const MEMORY_ENTRIES = 5_000;

/** A stored fact this close to its end counts as absent: it would be asked again by the next request. */
const NEARLY_EXPIRED_MS = 5 * SECOND_MS;

/** Two questions in a row (MX, then addresses), each hedged, end well before. Guards against a KV read that hangs. */
const WAIT_MAX_MS = 4 * SECOND_MS;

/** The version in the key changes with the shape of the value. */
const kvKey = (domain: string): string => `mail-hosts:v1:${domain}`;

/** A settled finding; `expires_at` in milliseconds of service time. */
const domainFact = z.object({
  expires_at: z.number(),
  mail_hosts: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('found'), hosts: z.array(z.string()).min(1), implicit: z.boolean() }),
    z.object({ kind: z.literal('none'), why: z.enum(NO_MAIL_REASONS) }),
  ]),
});

interface Fact {
  readonly expiresAtMs: number;
  readonly mailHosts: MailHosts;
}

export interface FactMemory {
  get(domain: string): Fact | undefined;
  set(domain: string, fact: Fact): unknown;
}

export interface MailHostsFinderDeps {
  readonly resolve: (domain: string) => Promise<ResolvedMailHosts>;
  readonly kv: FactStore;
  /** Shared by the requests of an isolate. Holds settled findings only. */
  readonly memory: FactMemory;
  readonly now: Clock;
  /** Lets work go on behind the answer (`waitUntil`). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** One an isolate. */
export const createFactMemory = (): FactMemory => new QuickLRU<string, Fact>({ maxSize: MEMORY_ENTRIES });

/** What KV holds; a value that does not parse is a miss. */
async function readMailHosts(kv: FactStore, domain: string): Promise<Fact | null> {
  const stored = await readFact(kv, kvKey(domain));
  try {
    if (stored === null) return null;
    const { expires_at, mail_hosts } = domainFact.parse(JSON.parse(stored));
    return { expiresAtMs: expires_at, mailHosts: mail_hosts };
  } catch {
    return null;
  }
}

/** An isolate that knows the fact keeps it in memory until it ends by itself. */
export const forgetMailHosts = (kv: { delete(key: string): Promise<void> }, domain: string): Promise<void> =>
  kv.delete(kvKey(domain));

function remembered(memory: FactMemory, domain: string, nowMs: number): MailHosts | null {
  const known = memory.get(domain);
  return known && known.expiresAtMs > nowMs ? known.mailHosts : null;
}

/** KV, then DNS; what is learnt goes into memory, and from DNS into KV behind the answer. */
async function lookUp({ resolve, kv, memory, now, defer }: MailHostsFinderDeps, domain: string): Promise<MailHosts> {
  const stored = await readMailHosts(kv, domain);
  if (stored && stored.expiresAtMs - now() > NEARLY_EXPIRED_MS) {
    memory.set(domain, stored);
    return stored.mailHosts;
  }
  const { mailHosts, ttlS } = await resolve(domain);
  // A request beside this one may have been luckier; its finding outranks our failure.
  const finding = mailHosts.kind === 'unresolved' ? remembered(memory, domain, now()) : null;
  if (finding) return finding;
  const fact = { expiresAtMs: now() + ttlS * SECOND_MS, mailHosts };
  memory.set(domain, fact);
  // What lives shorter than KV keeps it is not worth a write, the dearest thing KV sells.
  if (mailHosts.kind !== 'unresolved' && ttlS >= KV_TTL_MIN_S) {
    const value = { expires_at: fact.expiresAtMs, mail_hosts: mailHosts };
    defer(writeFact(kv, kvKey(domain), value, ttlS * SECOND_MS));
  }
  return mailHosts;
}

/**
 * Builds the look-up a request uses: isolate memory, KV, DNS. Every call does its own I/O and waits for no other call:
 * a promise of a request that has answered never settles. At its deadline a call answers `unresolved: timeout` and
 * leaves the look-up to finish behind it, so that the next request finds the facts.
 */
export function createMailHostsFinder(deps: MailHostsFinderDeps): FindMailHosts {
  return async (domain, deadlineMs = Number.POSITIVE_INFINITY) => {
    const startedMs = deps.now();
    const known = remembered(deps.memory, domain, startedMs);
    if (known) return known;

    const work = lookUp(deps, domain);
    const found = await within(work, Math.min(deadlineMs - startedMs, WAIT_MAX_MS));
    if (found !== LATE) return found;
    deps.defer(work);
    return { kind: 'unresolved', why: 'timeout' };
  };
}
