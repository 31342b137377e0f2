import QuickLRU from 'quick-lru';
import type { FindMailHosts, MailHosts, ResolvedMailHosts } from '../../domain/dns/mail-hosts.ts';
import { type Clock, SECOND_MS } from '../../kernel/clock.ts';
import { LATE, within } from '../../kernel/deadline.ts';
import { type FactStore, KV_TTL_MIN_S } from '../../storage/kv.ts';
import { type KeptMailHosts, readMailHosts, writeMailHosts } from '../../storage/mail-hosts.ts';

/** Up to twice as many entries of about 300 bytes: a few of an isolate's 128 MB. */
const MEMORY_ENTRIES = 5_000;

/** A stored fact this close to its end counts as absent: the next request would ask again anyway. */
const NEARLY_EXPIRED_MS = 5 * SECOND_MS;

/** MX, then addresses, each hedged, have 1.5 s each. It guards against a KV read that hangs as well. */
const WAIT_MAX_MS = 4 * SECOND_MS;

export interface FactMemory {
  get(domain: string): KeptMailHosts | undefined;
  set(domain: string, fact: KeptMailHosts): unknown;
}

export interface MailHostsFinderDeps {
  readonly resolve: (domain: string) => Promise<ResolvedMailHosts>;
  readonly kv: FactStore;
  /** Shared by the requests of an isolate. It holds values, never promises. */
  readonly memory: FactMemory;
  readonly now: Clock;
  /** Lets work go on behind the answer. */
  readonly defer: (work: Promise<unknown>) => void;
}

export const createFactMemory = (): FactMemory => new QuickLRU<string, KeptMailHosts>({ maxSize: MEMORY_ENTRIES });

function remembered(memory: FactMemory, domain: string, nowMs: number): MailHosts | null {
  const known = memory.get(domain);
  return known && known.expiresAtMs > nowMs ? known.mailHosts : null;
}

/** Asks KV, then DNS. What it finds goes into memory, and from DNS into KV behind the answer. */
async function lookUp({ resolve, kv, memory, now, defer }: MailHostsFinderDeps, domain: string): Promise<MailHosts> {
  const stored = await readMailHosts(kv, domain);
  if (stored && stored.expiresAtMs - now() > NEARLY_EXPIRED_MS) {
    memory.set(domain, stored);
    return stored.mailHosts;
  }
  const { mailHosts, ttlS } = await resolve(domain);
  // A request beside this one may have found what this one did not.
  const foundBeside = mailHosts.kind === 'unresolved' ? remembered(memory, domain, now()) : null;
  if (foundBeside) return foundBeside;
  const fact = { expiresAtMs: now() + ttlS * SECOND_MS, mailHosts };
  memory.set(domain, fact);
  // Writes are the dearest thing KV sells: a fact that lives shorter than KV's minimum is not worth one.
  if (mailHosts.kind !== 'unresolved' && ttlS >= KV_TTL_MIN_S)
    defer(writeMailHosts(kv, domain, fact, ttlS * SECOND_MS));
  return mailHosts;
}

/**
 * The look-up of one invocation: isolate memory, KV, DNS. Each call does its own I/O, because a promise of a request that has
 * answered never settles. At its deadline a call answers `unresolved: timeout`, and the look-up ends behind the answer for the
 * next.
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
