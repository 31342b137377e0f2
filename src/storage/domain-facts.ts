import QuickLRU from 'quick-lru';
import * as z from 'zod';
import { Company } from '../contract/decision.ts';
import {
  type AcceptsAllFlag,
  endOfFlag,
  flagInForce,
  ORGANISATIONS_NEEDED,
  WEEKS_IN_FORCE,
} from '../domain/belief/accepts-all.ts';
import { type MailHosts, NO_MAIL_REASONS, type ResolvedMailHosts } from '../domain/dns/resolve.ts';
import { ENRICHMENT_VENDOR_IDS, type EnrichmentVendorId } from '../domain/policy/enrichment.ts';
import { DOMAIN_LABELS, type DomainLabel } from '../domain/screening/model.ts';
import { type Clock, LATE, MINUTE_MS, SECOND_MS, DAY_MS } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { type InvocationStore, KV_TTL_MIN_S, parseFact, readText, writeFact, type FactStore, readFact } from './kv.ts';

/** Up to twice as many entries of about 300 bytes: a few of an isolate's 128 MB. */
const DOMAINS_KEPT = 5_000;

/** Stored mail hosts this close to their end count as absent: the next request would ask again anyway. */
const NEARLY_EXPIRED_MS = 5 * SECOND_MS;

/** KV takes a minute to show a change, so an isolate may keep a flag as long: from the start of the invocation that read it. */
const FLAG_KNOWN_MS = MINUTE_MS;

/** The version in the key changes with the shape of the entry, or with its inputs. */
const entryKey = (domain: string): string => `domain:v2:${domain}`;

/** A failed look-up is no fact. */
type StoredMailHosts = Exclude<MailHosts, { kind: 'unresolved' }>;
const StoredMailHosts: z.ZodType<StoredMailHosts> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('found'),
    hosts: z.array(z.string()).min(1),
    implicit: z.boolean(),
    addresses: z.array(z.string()).exactOptional(),
  }),
  z.object({ kind: z.literal('none'), why: z.enum(NO_MAIL_REASONS) }),
]);

const Flag: z.ZodType<AcceptsAllFlag> = z.object({
  weeks: z
    .array(
      z.object({
        week: z.number().int(),
        accepts_all: z.boolean(),
        seen_by: z.array(z.string()).min(1).max(ORGANISATIONS_NEEDED),
      }),
    )
    .min(1)
    .max(WEEKS_IN_FORCE),
});

/** What organisations share of a domain. `until`: milliseconds of service time. */
const Entry = z.object({
  mail_hosts: z.object({ value: StoredMailHosts, until: z.number() }).exactOptional(),
  accepts_all: z.object({ value: Flag, until: z.number() }).exactOptional(),
});
type Entry = z.infer<typeof Entry>;

interface Kept<T> {
  readonly value: T;
  readonly until: number;
}

/** What an isolate knows of a domain, failed look-ups and missing flags too. It holds values, never promises. */
interface Known {
  readonly mailHosts?: Kept<MailHosts> | undefined;
  readonly acceptsAll?: Kept<AcceptsAllFlag | null> | undefined;
}

/** Shared by the requests of an isolate. */
export type DomainCache = QuickLRU<string, Known>;
export const createDomainCache = (): DomainCache => new QuickLRU({ maxSize: DOMAINS_KEPT });

const inForce = <T>(kept: Kept<T> | undefined, now: number): Kept<T> | undefined =>
  kept !== undefined && kept.until > now ? kept : undefined;

/**
 * The facts of domains that all organisations share, as one invocation reads and writes them: the isolate's cache, then one entry of
 * KV a domain. Nothing rejects.
 */
export class DomainFacts {
  private readonly store: InvocationStore;
  private readonly cache: DomainCache;
  private readonly now: Clock;
  private readonly openedAt: number;
  private readonly learnt = new Map<string, Entry>();
  /** Domains of which KV has no mail hosts, until they are found. */
  private readonly asked = new Set<string>();

  constructor(store: InvocationStore, cache: DomainCache, now: Clock) {
    this.store = store;
    this.cache = cache;
    this.now = now;
    this.openedAt = now();
  }

  /** What the isolate knows by itself. */
  knownMailHosts(domain: string): MailHosts | null {
    return inForce(this.cache.get(domain)?.mailHosts, this.now())?.value ?? null;
  }

  async mailHosts(domain: string): Promise<MailHosts | null> {
    const known = this.knownMailHosts(domain) ?? (await this.read(domain)).mailHosts?.value ?? null;
    if (known === null) this.asked.add(domain);
    return known;
  }

  putMailHosts(domain: string, { mailHosts, ttlS }: ResolvedMailHosts): void {
    const until = this.now() + ttlS * SECOND_MS;
    this.asked.delete(domain);
    this.remember(domain, { mailHosts: { value: mailHosts, until } });
    // Writes are the dearest thing KV sells: a fact that lives shorter than KV's minimum is not worth one.
    if (mailHosts.kind !== 'unresolved' && ttlS >= KV_TTL_MIN_S)
      this.learn(domain, { mail_hosts: { value: mailHosts, until } });
  }

  /** Whether what this invocation finds of a domain costs a write, also where it is still being found. */
  isNew(): boolean {
    return this.asked.size + this.learnt.size > 0;
  }

  /** The invocation is refused: nothing that it has found is stored. */
  drop(): void {
    this.store.drop();
  }

  /** The flag without expired weeks; null without one. */
  async acceptsAll(domain: string): Promise<AcceptsAllFlag | null> {
    const known = inForce(this.cache.get(domain)?.acceptsAll, this.now()) ?? (await this.read(domain)).acceptsAll;
    return flagInForce(known?.value ?? null, this.now());
  }

  putAcceptsAll(domain: string, flag: AcceptsAllFlag): void {
    this.remember(domain, { acceptsAll: { value: flag, until: this.now() + FLAG_KNOWN_MS } });
    this.learn(domain, { accepts_all: { value: flag, until: endOfFlag(flag) } });
  }

  /** Both facts come with one read. One that fails, or takes too long, is a miss and is not remembered. */
  private async read(domain: string): Promise<Known> {
    const stored = await readText(this.store, entryKey(domain));
    const { mail_hosts, accepts_all } = this.merged(domain, stored === LATE ? null : stored);
    const now = this.now();
    const cached = this.cache.get(domain);
    const read = { value: accepts_all?.value ?? null, until: this.openedAt + FLAG_KNOWN_MS };
    const found: Known = {
      mailHosts: inForce(mail_hosts, now + NEARLY_EXPIRED_MS) ?? inForce(cached?.mailHosts, now),
      // KV may not show yet what this isolate has written.
      acceptsAll: inForce(cached?.acceptsAll, now) ?? read,
    };
    if (stored !== LATE) this.cache.set(domain, found);
    return found;
  }

  private remember(domain: string, facts: Known): void {
    this.cache.set(domain, { ...this.cache.get(domain), ...facts });
  }

  private learn(domain: string, facts: Entry): void {
    this.learnt.set(domain, { ...this.learnt.get(domain), ...facts });
    const key = entryKey(domain);
    this.store.writeOnce(key, async (store) => {
      // The other fact stays what it was.
      const entry = this.merged(domain, await this.store.get(key).catch(() => null));
      const end = Math.max(...Object.values(entry).map(({ until }) => until));
      if (end > this.now()) await writeFact(store, key, entry, end - this.now());
    });
  }

  /** The unexpired parts of the stored entry and of this invocation's observations. */
  private merged(domain: string, stored: string | null): Entry {
    const entry = { ...parseFact(stored, Entry), ...this.learnt.get(domain) };
    return Object.fromEntries(Object.entries(entry).filter(([, fact]) => fact.until > this.now()));
  }
}

/** Isolates that know a fact of it keep that until it expires. */
export const forgetDomain = (kv: { delete(key: string): Promise<void> }, domain: string): Promise<void> =>
  kv.delete(entryKey(domain));

/** Each organisation has its own entries: a free answer would show that another organisation asked about the domain. */
export interface OwnDomain {
  readonly organisationId: Id<'org'>;
  readonly domain: string;
}

/** The versions change with the shape of the value, and the meaning of the labels. */
const companyKey = ({ organisationId, domain }: OwnDomain): string => `company:v1:${organisationId}:${domain}`;
const labelKey = ({ organisationId, domain }: OwnDomain): string => `domain-check:v1:${organisationId}:${domain}`;

/** A company changes slowly. What a vendor does not know may be in its next release, so gaps are kept for less time. */
const WHOLE_MS = 30 * DAY_MS;
const PART_MS = 7 * DAY_MS;
const UNKNOWN_MS = 7 * DAY_MS;
const LABEL_MS = 30 * DAY_MS;

const time = z.number();

/** What is kept of a domain's company. People are not kept: where they work is personal data. */
const KeptCompany = z.object({
  known: z.object({ expires_at: time, company: Company }).nullable(),
  /** Until when each vendor that was asked by domain counts as not knowing the company. */
  unknown_to: z.partialRecord(z.enum(ENRICHMENT_VENDOR_IDS), time),
});
export type KeptCompany = z.infer<typeof KeptCompany>;

export const NOTHING_KEPT: KeptCompany = { known: null, unknown_to: {} };

const StoredLabel = z.object({ label: z.enum(DOMAIN_LABELS) });

/** What is kept and has not expired. Never rejects. */
export async function readCompany(kv: FactStore, of: OwnDomain, now: number): Promise<KeptCompany> {
  const { known, unknown_to, ...rest } = (await readFact(kv, companyKey(of), KeptCompany)) ?? NOTHING_KEPT;
  return {
    ...rest,
    known: known !== null && known.expires_at > now ? known : null,
    unknown_to: Object.fromEntries(Object.entries(unknown_to).filter(([, until]) => until > now)),
  };
}

/** Adds new facts to the stored ones. One of two concurrent writes may be lost and is learnt again later. Never rejects. */
export function keepCompany(
  kv: FactStore,
  of: OwnDomain,
  kept: KeptCompany,
  learnt: { readonly company: Company | null; readonly unknownTo: readonly EnrichmentVendorId[] },
  now: number,
): Promise<void> {
  const { company, unknownTo } = learnt;
  const value: Required<KeptCompany> = {
    known: company === null ? kept.known : { expires_at: now + lifetimeMs(company), company },
    unknown_to: { ...kept.unknown_to, ...Object.fromEntries(unknownTo.map((id) => [id, now + UNKNOWN_MS])) },
  };
  const until = Math.max(value.known?.expires_at ?? 0, ...Object.values(value.unknown_to));
  return writeFact(kv, companyKey(of), value, until - now);
}

const lifetimeMs = ({ industry, employees_range, country }: Company): number =>
  [industry, employees_range, country].includes(null) ? PART_MS : WHOLE_MS;

/** Never rejects. */
export const readDomainLabel = async (kv: FactStore, of: OwnDomain): Promise<DomainLabel | null> =>
  (await readFact(kv, labelKey(of), StoredLabel))?.label ?? null;

/** Never rejects. */
export const writeDomainLabel = (kv: FactStore, of: OwnDomain, label: DomainLabel): Promise<void> =>
  writeFact(kv, labelKey(of), { label }, LABEL_MS);

export const forgetOwnFacts = (kv: { delete(key: string): Promise<void> }, of: OwnDomain): Promise<unknown> =>
  Promise.all([kv.delete(companyKey(of)), kv.delete(labelKey(of))]);
