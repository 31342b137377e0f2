import { DOMAIN_LABELS } from '../contract/words.ts';
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
import type { DomainLabel } from '../domain/screening/model.ts';
import { type Clock, LATE, MINUTE_MS, SECOND_MS, DAY_MS } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { type InvocationStore, KV_TTL_MIN_S, parseFact, readText, writeFact, type FactStore, readFact } from './kv.ts';

/** Up to twice as many entries of about 300 bytes: a few of an isolate's 128 MB. */
const DOMAINS_KEPT = 5_000;

/** Stored mail hosts this close to their expiry count as absent: the next request would ask again anyway. */
const NEARLY_EXPIRED_MS = 5 * SECOND_MS;

/** How long an isolate may keep a flag: KV itself takes a minute to show a change. */
const FLAG_KNOWN_MS = MINUTE_MS;

/** The version changes with the entry's shape or inputs. */
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

/** A domain's shared facts. `until`: milliseconds of service time. */
const Entry = z.object({
  mail_hosts: z.object({ value: StoredMailHosts, until: z.number() }).exactOptional(),
  accepts_all: z.object({ value: Flag, until: z.number() }).exactOptional(),
});
type Entry = z.infer<typeof Entry>;

interface Kept<T> {
  readonly value: T;
  readonly until: number;
}

/** An isolate's knowledge of a domain, including failed look-ups and missing flags. Contains values, never promises. */
interface Known {
  readonly mailHosts?: Kept<MailHosts> | undefined;
  readonly acceptsAll?: Kept<AcceptsAllFlag | null> | undefined;
}

export type DomainCache = QuickLRU<string, Known>;
export const createDomainCache = (): DomainCache => new QuickLRU({ maxSize: DOMAINS_KEPT });

const inForce = <T>(kept: Kept<T> | undefined, now: number): Kept<T> | undefined =>
  kept !== undefined && kept.until > now ? kept : undefined;

/**
 * One invocation's view of the domain facts that all organisations share: the isolate's cache, then one KV entry a
 * domain. Nothing rejects.
 */
export class DomainFacts {
  private readonly store: InvocationStore;
  private readonly cache: DomainCache;
  private readonly now: Clock;
  private readonly openedAt: number;
  private readonly learnt = new Map<string, Entry>();
  /** Domains without mail hosts in KV, until they are found. */
  private readonly asked = new Set<string>();

  constructor(store: InvocationStore, cache: DomainCache, now: Clock) {
    this.store = store;
    this.cache = cache;
    this.now = now;
    this.openedAt = now();
  }

  /** Only from the isolate's cache. */
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
    // KV writes are dear: a fact that expires before KV's minimum is not worth one.
    if (mailHosts.kind !== 'unresolved' && ttlS >= KV_TTL_MIN_S)
      this.learn(domain, { mail_hosts: { value: mailHosts, until } });
  }

  /** Whether this invocation's look-up of a domain costs a write, even while it is running. */
  isNew(): boolean {
    return this.asked.size + this.learnt.size > 0;
  }

  /** The invocation is refused: nothing it found is stored. */
  drop(): void {
    this.store.drop();
  }

  /** The flag without expired weeks, or null. */
  async acceptsAll(domain: string): Promise<AcceptsAllFlag | null> {
    const known = inForce(this.cache.get(domain)?.acceptsAll, this.now()) ?? (await this.read(domain)).acceptsAll;
    return flagInForce(known?.value ?? null, this.now());
  }

  putAcceptsAll(domain: string, flag: AcceptsAllFlag): void {
    this.remember(domain, { acceptsAll: { value: flag, until: this.now() + FLAG_KNOWN_MS } });
    this.learn(domain, { accepts_all: { value: flag, until: endOfFlag(flag) } });
  }

  /** One read brings both facts. A failed or late one is a miss and is not remembered. */
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
      // The other fact stays.
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

/** Isolates keep a cached fact until it expires. */
export const forgetDomain = (kv: { delete(key: string): Promise<void> }, domain: string): Promise<void> =>
  kv.delete(entryKey(domain));

/** Each organisation has its own entries: a free answer would show that another organisation asked about the domain. */
export interface OwnDomain {
  readonly organisationId: Id<'org'>;
  readonly domain: string;
}

/** The versions change with the value's shape and the labels' meaning. */
const companyKey = ({ organisationId, domain }: OwnDomain): string => `company:v1:${organisationId}:${domain}`;
const labelKey = ({ organisationId, domain }: OwnDomain): string => `domain-check:v1:${organisationId}:${domain}`;

/** Companies change slowly. A vendor's gap may be filled by its next release, so it is stored for less time. */
const WHOLE_MS = 30 * DAY_MS;
const PART_MS = 7 * DAY_MS;
const UNKNOWN_MS = 7 * DAY_MS;
const LABEL_MS = 30 * DAY_MS;

const time = z.number();

/** A domain's company. People are not stored: where they work is personal data. */
const KeptCompany = z.object({
  known: z.object({ expires_at: time, company: Company }).nullable(),
  /** Until when each vendor asked by domain counts as not knowing the company. */
  unknown_to: z.partialRecord(z.enum(ENRICHMENT_VENDOR_IDS), time),
});
export type KeptCompany = z.infer<typeof KeptCompany>;

export const NOTHING_KEPT: KeptCompany = { known: null, unknown_to: {} };

const StoredLabel = z.object({ label: z.enum(DOMAIN_LABELS) });

/** Unexpired facts. Never rejects. */
export async function readCompany(kv: FactStore, of: OwnDomain, now: number): Promise<KeptCompany> {
  const { known, unknown_to, ...rest } = (await readFact(kv, companyKey(of), KeptCompany)) ?? NOTHING_KEPT;
  return {
    ...rest,
    known: known !== null && known.expires_at > now ? known : null,
    unknown_to: Object.fromEntries(Object.entries(unknown_to).filter(([, until]) => until > now)),
  };
}

/** Adds facts to the stored ones. A concurrent write may lose some, which are learned again. Never rejects. */
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
