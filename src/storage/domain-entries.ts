import * as z from 'zod';
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import { isAcceptsAllKey } from './accepts-all.ts';
import { type FactStore, KV_TTL_MIN_S, parseFact } from './kv.ts';
import { isMailHostsKey } from './mail-hosts.ts';

/** Its facts by the key without the domain, each as its own text and with its end in milliseconds of service time. */
const Entry = z.record(z.string(), z.object({ text: z.string(), until: z.number() }));
type Entry = z.infer<typeof Entry>;

const entryKey = (domain: string): string => `domain:v1:${domain}`;

interface Place {
  readonly fact: string;
  readonly domain: string;
}

/** Null: a key that has an entry of its own. */
function placeOf(key: string): Place | null {
  if (!isMailHostsKey(key) && !isAcceptsAllKey(key)) return null;
  const end = key.lastIndexOf(':');
  return { fact: key.slice(0, end), domain: key.slice(end + 1) };
}

/**
 * The store as one invocation sees it, where the facts that all organisations share of a domain stand in one entry: KV bills each read
 * and each write. A domain's entry is read once, and written once in the end. Other keys pass through.
 */
export class DomainEntries implements FactStore {
  private readonly store: FactStore;
  private readonly now: Clock;
  private readonly entries = new Map<string, Promise<Entry>>();
  private readonly changed = new Map<string, Entry>();
  private isOver = false;

  constructor(store: FactStore, now: Clock) {
    this.store = store;
    this.now = now;
  }

  async get(key: string): Promise<string | null> {
    const place = placeOf(key);
    if (place === null) return this.store.get(key);
    const { fact, domain } = place;
    const found = this.changed.get(domain)?.[fact] ?? (await this.entry(domain))[fact];
    return found !== undefined && found.until > this.now() ? found.text : null;
  }

  async put(key: string, value: string, options: { readonly expirationTtl: number }): Promise<void> {
    const place = placeOf(key);
    if (place === null) return this.store.put(key, value, options);
    const { fact, domain } = place;
    const until = this.now() + options.expirationTtl * SECOND_MS;
    const changed = this.changed.get(domain) ?? {};
    changed[fact] = { text: value, until };
    this.changed.set(domain, changed);
    if (this.isOver) await this.write(domain);
  }

  /** The invocation has its answer: what has changed is written. What changes later is written at once. Never rejects. */
  end(defer: (work: Promise<unknown>) => void): void {
    this.isOver = true;
    for (const domain of this.changed.keys()) defer(this.write(domain).catch(() => undefined));
  }

  private entry(domain: string): Promise<Entry> {
    const known = this.entries.get(domain);
    if (known !== undefined) return known;
    const asked = this.store.get(entryKey(domain)).then((stored) => parseFact(stored, Entry) ?? {});
    this.entries.set(domain, asked);
    // The next read asks again.
    asked.catch(() => this.entries.delete(domain));
    return asked;
  }

  private async write(domain: string): Promise<void> {
    // The other fact stays what it was.
    const before = await this.entry(domain).catch(() => ({}));
    const facts = Object.entries<Entry[string]>({ ...before, ...this.changed.get(domain) });
    const now = this.now();
    const lasting = facts.filter(([, { until }]) => until > now);
    const entry = Object.fromEntries(lasting);
    this.changed.delete(domain);
    this.entries.set(domain, Promise.resolve(entry));
    const end = Math.max(now, ...lasting.map(([, { until }]) => until));
    const expirationTtl = Math.max(KV_TTL_MIN_S, Math.ceil((end - now) / SECOND_MS));
    await this.store.put(entryKey(domain), JSON.stringify(entry), { expirationTtl });
  }
}

/** Isolates that know a fact of it keep that until it expires. */
export const forgetDomainEntry = (kv: { delete(key: string): Promise<void> }, domain: string): Promise<void> =>
  kv.delete(entryKey(domain));
