import QuickLRU from 'quick-lru';
import type { DecidingPolicy } from './deciding-policy.ts';

const POLICIES_MAX = 1_000;
/** Characters of all documents. Compiled they take about four times as much, of the 128 MB an isolate has. */
const SIZE_MAX = 8 * 2 ** 20;

interface Kept {
  readonly policy: DecidingPolicy;
  readonly size: number;
}

/** The last version in force of each policy, compiled, as far as this isolate was told. The least used go first. */
export class PolicyMemory {
  private size = 0;
  private readonly kept = new QuickLRU<string, Kept>({
    maxSize: POLICIES_MAX,
    onEviction: (_, { size }) => {
      this.size -= size;
    },
  });

  get(organisationId: string, slug: string): DecidingPolicy | undefined {
    return this.kept.get(`${organisationId} ${slug}`)?.policy;
  }

  /** `size`: characters of the document. */
  set(organisationId: string, policy: DecidingPolicy, size: number): void {
    const key = `${organisationId} ${policy.slug}`;
    const before = this.kept.peek(key);
    this.kept.delete(key);
    this.kept.set(key, { policy, size });
    this.size += size - (before?.size ?? 0);
    while (this.size > SIZE_MAX && this.kept.size > 1) this.kept.evict();
  }
}
