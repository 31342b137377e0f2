import type { FactStore } from '../../storage/kv.ts';

/**
 * What is kept about domains, as one range sees it. Its addresses share their domains, and the store shows a write only after
 * a minute: so what one of them finds out the others read here, and it is written once, in the end. Any other key goes
 * straight through.
 */
export class RangeFacts implements FactStore {
  private readonly store: FactStore;
  private readonly isShared: (key: string) => boolean;
  private readonly known = new Map<string, Promise<string | null>>();
  private readonly unwritten = new Map<string, () => Promise<void>>();

  constructor(store: FactStore, isShared: (key: string) => boolean = () => true) {
    this.store = store;
    this.isShared = isShared;
  }

  get(key: string): Promise<string | null> {
    if (!this.isShared(key)) return this.store.get(key);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const asked = this.store.get(key);
    this.known.set(key, asked);
    // The next one asks again.
    asked.catch(() => this.known.delete(key));
    return asked;
  }

  async put(key: string, value: string, options: { readonly expirationTtl: number }): Promise<void> {
    const write = () => this.store.put(key, value, options);
    if (!this.isShared(key)) return write();
    this.known.set(key, Promise.resolve(value));
    this.unwritten.set(key, write);
  }

  /** Writes what is new. Never rejects: losing a fact costs money, never truth. */
  async flush(): Promise<void> {
    const writes = [...this.unwritten.values()];
    this.unwritten.clear();
    await Promise.allSettled(writes.map((write) => write()));
  }
}
