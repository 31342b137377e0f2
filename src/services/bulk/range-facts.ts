import type { FactStore } from '../../storage/kv.ts';

/**
 * A range's view of the facts about domains. Its addresses share domains, and KV shows a write only after a minute: so facts
 * that one address finds are read here by the others, and written once in the end.
 */
export class RangeFacts implements FactStore {
  private readonly store: FactStore;
  private readonly known = new Map<string, Promise<string | null>>();
  private readonly unwritten = new Map<string, () => Promise<void>>();

  constructor(store: FactStore) {
    this.store = store;
  }

  get(key: string): Promise<string | null> {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const asked = this.store.get(key);
    this.known.set(key, asked);
    // The next read asks again.
    asked.catch(() => this.known.delete(key));
    return asked;
  }

  async put(key: string, value: string, options: { readonly expirationTtl: number }): Promise<void> {
    this.known.set(key, Promise.resolve(value));
    this.unwritten.set(key, () => this.store.put(key, value, options));
  }

  /** Writes new facts. Never rejects: a lost fact costs money, never truth. */
  async flush(): Promise<void> {
    const writes = [...this.unwritten.values()];
    this.unwritten.clear();
    await Promise.allSettled(writes.map((write) => write()));
  }
}
